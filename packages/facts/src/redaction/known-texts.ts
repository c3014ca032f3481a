import type { KnownText, Span } from "./span.ts";

/** A letter of a script whose words have spaces between them, or a digit: it may be the middle of a word. */
const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/** Where texts that are known to be personal data stand as whole words. */
export function knownTexts(text: string, known: readonly KnownText[]): readonly Span[] {
  return known.flatMap(({ text: piece, entity }) => {
    const spans: Span[] = [];
    for (let start = find(text, piece, 0); start >= 0; start = find(text, piece, start + piece.length)) {
      const end = start + piece.length;
      if (isEdge(text[start - 1], piece[0]) && isEdge(piece.at(-1), text[end]))
        spans.push({ start, end, entity });
    }
    return spans;
  });
}

function find(text: string, piece: string, from: number): number {
  return piece === "" ? -1 : text.indexOf(piece, from);
}

/** Whether a word does not continue from one character to the next. */
function isEdge(before: string | undefined, after: string | undefined): boolean {
  return !WORD.test(before ?? "") || !WORD.test(after ?? "");
}
