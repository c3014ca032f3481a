import { highlight } from "../../facts/answers/highlight.ts";
import { wordsOf } from "../../facts/answers/words.ts";

/** Words of a query. More say nothing new. */
const MAX_QUERY_WORDS = 32;
/** Of a page that an excerpt is made of. */
const MAX_EXCERPT_SOURCE = 20_000;
const MAX_EXCERPT_LENGTH = 300;

/** Words as the index has them, so that no sign of a query is an operator. */
export function termsOf(words: string): readonly string[] {
  return [...new Set(wordsOf(words))].slice(0, MAX_QUERY_WORDS).map((word) => `"${word}"`);
}

export function folded(text: string): string {
  return wordsOf(text).join(" ");
}

/** One word, whatever the id is made of. */
export function teamWord(teamId: string): string {
  return `t${Buffer.from(teamId).toString("hex")}`;
}

export function headingsOf(markdown: string): string {
  return (markdown.match(/^#{1,6} .*$/gm) ?? []).join("\n");
}

export function excerptOf(markdown: string, words: string): string {
  const text = highlight(markdown.slice(0, MAX_EXCERPT_SOURCE), words)?.text ?? "";
  const line = text.replaceAll(/\s+/g, " ").replace(/^#+ /, "").trim();
  return line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH).trimEnd()}…` : line;
}
