import { z } from "zod";

import { diffHunks } from "../../scrape/diff/unified-diff.ts";
import { Count } from "../../api/operator-fields.ts";

/** A group of nearby changes: lines that only one of the texts has, with the common lines around them. */
const Hunk = z.strictObject({
  aLine: Count,
  bLine: Count,
  lines: z.array(
    z.strictObject({
      kind: z.enum(["same", "removed", "added"]),
      text: z.string(),
    }),
  ),
});

export const TextDifference = z.strictObject({
  hunks: z.array(Hunk),
  isCut: z.boolean(),
});

export type TextDifference = z.output<typeof TextDifference>;

const KINDS = { " ": "same", "-": "removed", "+": "added" } as const;
/** Maximum characters of each compared text. */
const MAX_CHARACTERS = 1_000_000;
/** Maximum lines that are shown. The next limit is for the characters of a line. */
const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
const TIME_LIMIT_MS = 300;

/** Compares two texts by lines. */
export function textDifference(a: string, b: string): TextDifference {
  const versions = { before: a.slice(0, MAX_CHARACTERS), after: b.slice(0, MAX_CHARACTERS) };
  const all = diffHunks(versions, TIME_LIMIT_MS);
  let lines = 0;
  const shown = all.filter((hunk) => (lines += hunk.lines.length) <= MAX_LINES);
  return {
    hunks: shown.map(({ beforeLine, afterLine, lines: found }) => ({
      aLine: beforeLine + 1,
      bLine: afterLine + 1,
      lines: found.map(({ sign, text }) => ({ kind: KINDS[sign], text: text.slice(0, MAX_LINE_LENGTH) })),
    })),
    isCut: shown.length < all.length || Math.max(a.length, b.length) > MAX_CHARACTERS,
  };
}
