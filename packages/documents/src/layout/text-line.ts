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

/** Tables with more text than this, times that beside them, show what is usual: heads are most of the other text. */
const MOSTLY_TABLES = 2;

export function usualLook(drafts: readonly PageDraft[]): UsualLook {
  const sizes = new Tally<number>();
  const weights = new Tally<number>();
  let [characters, bold, monospaced] = [0, 0, 0];
  const add = (size: number, { weight, isBold, isMonospaced }: Omit<UsualLook, "size">, length: number) => {
    sizes.add(Math.round(size * 2) / 2, length);
    weights.add(weight, length);
    characters += length;
    if (isBold) bold += length;
    if (isMonospaced) monospaced += length;
  };
  const areas = drafts.flatMap((draft) => draft.areas);
  for (const area of areas)
    for (const { size, runs } of area.kind === "text" ? area.lines : [])
      for (const run of runs) add(size, run, lengthOf(run.text));
  const looks = areas.flatMap((area) => (area.kind === "table" ? area.looks : []));
  if (looks.reduce((sum, [, length]) => sum + length, 0) > MOSTLY_TABLES * characters)
    for (const [look, length] of looks) add(look.size, look, length);
  const isMost = (count: number) => count > 0.6 * characters;
  const [size, weight] = [sizes.top() ?? 10, weights.top() ?? 400];
  return { size, weight, isBold: isMost(bold), isMonospaced: isMost(monospaced) };
}

/** Square characters are as wide as two letters, and say as much. */
function lengthOf(text: string): number {
  return text.length + (isUnspaced(text.slice(-1)) ? text.length : 0);
}

/** Decides which runs are bold. A line is bold if most of it is. */
export function settleLine(line: DraftLine, usual: UsualLook): TextLine {
  const runs = line.runs.map((run) =>
    !run.isBold && isHeavier(run.weight, usual.weight) ? { ...run, isBold: true } : run,
  );
  const bold = runs.reduce((sum, run) => sum + (run.isBold ? run.text.length : 0), 0);
  return { ...line, runs, isBold: bold > 0.8 * line.text.length };
}
