import type { DraftLine, PageDraft } from "./page-draft.ts";
import { Tally } from "./numbers/statistics.ts";
import { isHeavier } from "./page/words.ts";
import { isUnspaced } from "./text/characters.ts";

/** The look of most of a document's text. */
export interface UsualLook {
  /** In points. */
  readonly size: number;
  readonly weight: number;
  readonly isBold: boolean;
  readonly isMonospaced: boolean;
}

/** A line whose boldness is decided relative to the document. */
export interface TextLine extends DraftLine {
  readonly isBold: boolean;
}

export function usualLook(drafts: readonly PageDraft[]): UsualLook {
  const sizes = new Tally<number>();
  const weights = new Tally<number>();
  let [characters, bold, monospaced] = [0, 0, 0];
  for (const line of drafts.flatMap(linesOf)) {
    sizes.add(Math.round(line.size * 2) / 2, line.text.length);
    for (const run of line.runs) {
      const length = lengthOf(run.text);
      weights.add(run.weight, length);
      characters += length;
      if (run.isBold) bold += length;
      if (run.isMonospaced) monospaced += length;
    }
  }
  const isMost = (count: number) => count > 0.6 * characters;
  const [size, weight] = [sizes.top() ?? 10, weights.top() ?? 400];
  return { size, weight, isBold: isMost(bold), isMonospaced: isMost(monospaced) };
}

/** Square characters are as wide as two letters, and say as much. */
function lengthOf(text: string): number {
  return text.length + (isUnspaced(text.slice(-1)) ? text.length : 0);
}

function linesOf(draft: PageDraft): readonly DraftLine[] {
  return draft.areas.flatMap((area) => (area.kind === "text" ? area.lines : []));
}

/** Decides which runs are bold. A line is bold if most of it is. */
export function settleLine(line: DraftLine, usual: UsualLook): TextLine {
  const runs = line.runs.map((run) =>
    !run.isBold && isHeavier(run.weight, usual.weight) ? { ...run, isBold: true } : run,
  );
  const bold = runs.reduce((sum, run) => sum + (run.isBold ? run.text.length : 0), 0);
  return { ...line, runs, isBold: bold > 0.8 * line.text.length };
}
