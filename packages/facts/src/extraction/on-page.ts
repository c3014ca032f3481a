import { unsupportedClaims } from "../answers/unsupported.ts";
import { wordsOf } from "../answers/words.ts";
import { isoDate, readDate } from "./read-date.ts";
import type { Believe } from "./conform.ts";

/** Minimum share of a text's words that the page must contain. */
const MIN_WORD_SHARE = 0.6;

/**
 * Checks whether the page contains a value: its numbers, whatever their signs, its URLs, and most of its words.
 * Dates may be written differently.
 */
export function saidBy(page: string): Believe {
  const known = new Set(wordsOf(page));
  return (value) => {
    const text = String(value);
    if (typeof value === "string" && isSaidDay(text, page, known)) return true;
    if (unsupportedClaims(text, page).length > 0) return false;
    const words = wordsOf(text);
    return (
      words.filter((word) => known.has(word)).length >= words.length * MIN_WORD_SHARE ||
      typeof value === "number"
    );
  };
}

function isSaidDay(text: string, page: string, known: ReadonlySet<string>): boolean {
  const date = text.length < 40 ? readDate(text) : undefined;
  if (!date || !/^\d{4}-\d\d/.test(text)) return false;
  const isWritten = page.includes(isoDate(date));
  const numbers = [date.year, date.day].filter((part) => part !== undefined).map(String);
  return isWritten || numbers.every((part) => known.has(part) || known.has(part.padStart(2, "0")));
}
