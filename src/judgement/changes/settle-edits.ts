import { EditedLines } from "./edited-lines.ts";
import type { LineEdits, NumberedLines } from "./numbered-lines.ts";
import { bestEnd } from "./split-score.ts";

/**
 * Moves runs of edited lines to where people would mark them: a run of equal lines further up or down says the same. It
 * is joined with its neighbours, put next to an edit of the other version, or else where blank lines and indentation say
 * that something begins. These are git's rules, so that the diff is the one that git shows.
 */
export function settleEdits(edits: LineEdits, lines: NumberedLines, texts: readonly string[]): LineEdits {
  const removed = settleSide({ lines: lines.before, edited: edits.removed }, lines.after, edits.added, texts);
  const added = settleSide({ lines: lines.after, edited: edits.added }, lines.before, removed, texts);
  return { removed, added };
}

function settleSide(
  { lines, edited }: { readonly lines: readonly number[]; readonly edited: readonly boolean[] },
  otherLines: readonly number[],
  otherEdited: readonly boolean[],
  texts: readonly string[],
): readonly boolean[] {
  const side = new EditedLines(lines, edited);
  /** Kept at the run of the other version that is at the same place. */
  const other = new EditedLines(otherLines, otherEdited);
  do {
    if (side.size > 0) settleRun(side, other, texts);
  } while (side.toNext() && other.toNext());
  return side.isEdited;
}

function settleRun(side: EditedLines, other: EditedLines, texts: readonly string[]): void {
  const reach = slideThrough(side, other);
  if (reach.highestEnd === side.run.end) return;
  const isBesideEdit = reach.besideEdit !== undefined;
  const target = isBesideEdit ? undefined : bestEnd(side, reach.highestEnd, texts);
  const isThere = () => (isBesideEdit ? other.size > 0 : side.run.end === target);
  while (!isThere()) {
    if (!side.slideUp()) throw new Error("A run of edited lines cannot be put where it was.");
    other.toPrevious();
  }
}

interface Reach {
  /** Where the run ends when it is moved up as far as it goes. */
  readonly highestEnd: number;
  /** Where it ends when it is next to an edit of the other version, the lowest such place. */
  readonly besideEdit: number | undefined;
}

/** Moves the run up and then down as far as it goes, again whenever it met another one. */
function slideThrough(side: EditedLines, other: EditedLines): Reach {
  for (;;) {
    const { size } = side;
    while (side.slideUp()) other.toPrevious();
    const highestEnd = side.run.end;
    let besideEdit = other.size > 0 ? side.run.end : undefined;
    while (side.slideDown()) {
      other.toNext();
      if (other.size > 0) besideEdit = side.run.end;
    }
    if (side.size === size) return { highestEnd, besideEdit };
  }
}
