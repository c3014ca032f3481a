import type { PageWord } from "./words.ts";

/** Rows that a word is compared with; more stand further up. */
const LOOK_BACK = 12;

/** Words on one baseline, over the whole width of the page, from left to right. */
export interface Row {
  readonly base: number;
  readonly size: number;
  readonly words: readonly PageWord[];
}

/** The rows of a page, from top to bottom. */
export function rowsOf(words: readonly PageWord[]): Row[] {
  const rows: { base: number; size: number; words: PageWord[] }[] = [];
  for (const word of [...words].sort((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const recent = rows.slice(-LOOK_BACK);
    const row = recent.findLast(({ base, size }) => isSameBase(base - word.base, Math.min(size, word.size)));
    if (row) row.words.push(word);
    else rows.push({ base: word.base, size: word.size, words: [word] });
  }
  for (const row of rows) row.words.sort((a, b) => a.x0 - b.x0);
  return rows;
}

function isSameBase(difference: number, size: number): boolean {
  return Math.abs(difference) <= 0.28 * size + 0.3;
}
