import { anchoredEdits } from "./anchored-edits.ts";
import type { LineEdits, NumberedLines } from "./numbered-lines.ts";
import { settleEdits } from "./settle-edits.ts";
import { shortestEdits } from "./shortest-edits.ts";

/**
 * Which lines are gone and which are new, as few as possible.
 * @param texts the line of each number.
 * @param timeLimitMs when it takes longer, more lines than needed count as replaced.
 */
export function lineEdits(lines: NumberedLines, texts: readonly string[], timeLimitMs: number): LineEdits {
  const shared = sharedLines(lines);
  const { before, after } = shared;
  const edits = shortestEdits(shared, timeLimitMs) ?? anchoredEdits(shared);
  const all = {
    removed: spread(lines.before, before, edits.removed),
    added: spread(lines.after, after, edits.added),
  };
  return settleEdits(all, lines, texts);
}

/** Lines without any that only one version has: those are edits. Most edits are of this kind. */
function sharedLines({ before, after }: NumberedLines): NumberedLines {
  const [old, now] = [new Set(before), new Set(after)];
  return { before: before.filter((line) => now.has(line)), after: after.filter((line) => old.has(line)) };
}

/** Marks of some lines as marks of all; lines that are not among the some are marked. */
function spread(
  all: readonly number[],
  some: readonly number[],
  marks: readonly boolean[],
): readonly boolean[] {
  const known = new Set(some);
  let at = 0;
  return all.map((line) => {
    if (!known.has(line)) return true;
    at += 1;
    return marks[at - 1] ?? true;
  });
}
