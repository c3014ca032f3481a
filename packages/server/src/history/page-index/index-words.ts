import { highlight } from "@pergamon-dev/facts/answers/highlight";
import { stemOf, wordsOf } from "@pergamon-dev/facts/answers/words";

export { wordsOf } from "@pergamon-dev/facts/answers/words";

/** Maximum characters of a page that are indexed. Text after them is not searched. */
export const MAX_TEXT_LENGTH = 200_000;

/** Maximum words of a query. More words add nothing. */
const MAX_QUERY_WORDS = 32;
/** Maximum characters of a page from which an excerpt is made. */
const MAX_EXCERPT_SOURCE = 20_000;
const MAX_EXCERPT_LENGTH = 300;
/** Maximum characters that are ranked: the lines with the most words of the query. */
const MAX_RANKED_LENGTH = 2000;

/** Quotes the words for the index, so that no character of a query acts as an operator. */
export function termsOf(words: string): readonly string[] {
  return [...new Set(wordsOf(words))].slice(0, MAX_QUERY_WORDS).map((word) => `"${word}"`);
}

export function folded(text: string): string {
  return wordsOf(text).join(" ");
}

export function headingsOf(markdown: string): string {
  return (markdown.match(/^#{1,6} .*$/gm) ?? []).join("\n");
}

export function excerptOf(markdown: string, words: string): string {
  const text = highlight(tellingLines(markdown.slice(0, MAX_EXCERPT_SOURCE), words), words)?.text ?? "";
  const line = text.replaceAll(/\s+/g, " ").replace(/^#+ /, "").trim();
  return line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH).trimEnd()}…` : line;
}

/** The lines with the most words of the query, in the order of the page. */
function tellingLines(markdown: string, words: string): string {
  const beginnings = [...new Set(wordsOf(words).slice(0, MAX_QUERY_WORDS).map(stemOf))];
  const lines = markdown.split("\n").map((line, index) => {
    const text = line.normalize("NFKC").toLowerCase();
    return { line, index, count: beginnings.filter((beginning) => text.includes(beginning)).length };
  });
  let length = 0;
  return lines
    .toSorted((one, other) => other.count - one.count || one.index - other.index)
    .filter(({ line }) => length <= MAX_RANKED_LENGTH && (length += line.length + 1) > 0)
    .toSorted((one, other) => one.index - other.index)
    .map(({ line }) => line)
    .join("\n");
}
