import { type Span, sentencesOf } from "./sentences.ts";
import { type Unit, unitsOf } from "./units.ts";
import { isNumber, stemOf, wordsOf } from "./words.ts";

/** A span of the page's Markdown, and its line from 1. */
interface Citation extends Span {
  readonly line: number;
}

/** A source line must contain at least this share of a sentence's words. */
const LEAST_SHARE = 0.5;
/** Answers are short; for longer texts, only the first sentences are cited. */
const MAX_SENTENCES = 40;

/** The parts of a page that a text comes from, in page order: exact matches, else the best match by words. */
export function citationsOf(text: string, markdown: string): readonly Citation[] {
  const { units } = unitsOf(markdown);
  const words = units.map((unit) => new Set(stemsOf(unit.text)));
  const found = statementsOf(text).flatMap((statement) => {
    const exact = units.filter((unit) => isSaidBy(unit, statement));
    return exact.length > 0 ? exact : nearest(statement, units, words);
  });
  return [...new Set(found)]
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, line }) => ({ start, end, line: line + 1 }));
}

function statementsOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => sentencesOf(line).map(({ start, end }) => line.slice(start, end).trim()))
    .filter((statement) => statement !== "")
    .slice(0, MAX_SENTENCES);
}

function isSaidBy(unit: Unit, statement: string): boolean {
  return unit.text.includes(statement) || (unit.text.length > 20 && statement.includes(unit.text));
}

/**
 * The unit with the most words of the statement. Numbers count three times, as they rarely match by chance.
 */
function nearest(
  statement: string,
  units: readonly Unit[],
  words: readonly ReadonlySet<string>[],
): readonly Unit[] {
  const stems = [...new Set(stemsOf(statement))];
  const weight = (stem: string) => (isNumber(stem) ? 3 : 1);
  const all = stems.reduce((sum, stem) => sum + weight(stem), 0);
  let [best, share] = [-1, 0];
  for (const [position, own] of words.entries()) {
    const said = stems.reduce((sum, stem) => sum + (own.has(stem) ? weight(stem) : 0), 0) / all;
    if (said > share) [best, share] = [position, said];
  }
  const unit = units[best];
  return unit && share >= LEAST_SHARE ? [unit] : [];
}

function stemsOf(text: string): readonly string[] {
  return wordsOf(text).map(stemOf);
}
