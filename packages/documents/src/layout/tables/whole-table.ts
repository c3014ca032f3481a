import type { FoundTable } from "./ruled-tables.ts";

/**
 * True if the table shows every word it took from the page. Overlapping cells would lose words, so such text
 * is not a table.
 */
export function isWhole({ table, words }: Pick<FoundTable, "table" | "words">): boolean {
  const shown = table.rows.reduce(
    (sum, row) => sum + row.reduce((cells, { text }) => cells + countOf(text), 0),
    0,
  );
  return shown >= words.reduce((sum, { text }) => sum + countOf(text), 0);
}

/** Counts letters and digits, without diacritics. */
function countOf(text: string): number {
  return text.normalize("NFKC").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
