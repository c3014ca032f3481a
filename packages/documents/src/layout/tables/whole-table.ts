import type { FoundTable } from "./ruled-tables.ts";

/**
 * Whether a table shows all that it has taken off the page. Cells that overlap would lose words: such text is not a
 * table.
 */
export function isWhole({ table, words }: Pick<FoundTable, "table" | "words">): boolean {
  const shown = table.rows.reduce(
    (sum, row) => sum + row.reduce((cells, { text }) => cells + countOf(text), 0),
    0,
  );
  return shown >= words.reduce((sum, { text }) => sum + countOf(text), 0);
}

/** Letters and digits, without the marks on them. */
function countOf(text: string): number {
  return text.normalize("NFKC").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
