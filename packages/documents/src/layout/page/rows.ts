import type { PageWord } from "./words.ts";

/** A word is compared only with this many recent rows, as older rows lie further up. */
const LOOK_BACK = 12;

/** Words on one baseline across the whole page width, from left to right. */
export interface Row {
  readonly base: number;
  readonly size: number;
  readonly words: readonly PageWord[];
}

const FIGURE = /^[-–−+$€£(]*\d[\d.,]*[%)*]*$|^[-–—]$/;

/** True for a number, with its sign or unit, and for the dash that stands for none. */
export function isFigure(text: string): boolean {
  return FIGURE.test(text);
}

export function rowsOf(words: readonly PageWord[]): Row[] {
  const rows: OpenRow[] = [];
  for (const word of [...words].sort((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const row = rowOf(word, rows);
    if (row) row.words.push(word);
    else rows.push({ base: word.base, size: word.size, words: [word] });
  }
  for (const row of rows) row.words.sort((a, b) => a.x0 - b.x0);
  return rows;
}

interface OpenRow extends Row {
  readonly words: PageWord[];
}

/** The last recent row with the word's baseline. */
function rowOf({ base, size }: PageWord, rows: readonly OpenRow[]): OpenRow | undefined {
  const first = Math.max(0, rows.length - LOOK_BACK);
  for (let at = rows.length - 1; at >= first; at--) {
    const row = rows[at];
    if (row && isSameBase(row.base - base, Math.min(row.size, size))) return row;
  }
  return undefined;
}

function isSameBase(difference: number, size: number): boolean {
  return Math.abs(difference) <= 0.28 * size + 0.3;
}
