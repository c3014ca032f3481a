import { placeCells, type SpanningCell } from "../selection/table-grid.ts";

/** A cell of a table, with the Markdown of its content on one line. */
export interface Cell extends SpanningCell {
  readonly text: string;
}

/** Rows are filled up to the table's width while the table is at most this much larger than its cells. */
const MAX_PADDING_RATIO = 3;

/**
 * A pipe table; the first row is its header. Covered cells are empty; rows and columns without content are left out. ""
 * without content.
 */
export function formatTable(rows: readonly (readonly Cell[])[]): string {
  const grid = withoutEmptyColumns(layOut(rows).filter((row) => row.some((text) => text !== "")));
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
  const cellCount = grid.reduce((sum, row) => sum + row.length, 0);
  if (width === 0) return "";
  const isPadded = width * grid.length <= cellCount * MAX_PADDING_RATIO;
  const lines = grid.map((row, at) => formatRow(row, at === 0 || isPadded ? width : row.length));
  lines.splice(1, 0, `|${" --- |".repeat(width)}`);
  return lines.join("\n");
}

function withoutEmptyColumns(grid: string[][]): string[][] {
  const isUsed: boolean[] = [];
  for (const row of grid) row.forEach((text, column) => (isUsed[column] ||= text !== ""));
  return isUsed.includes(false) ? grid.map((row) => row.filter((_, column) => isUsed[column])) : grid;
}

function formatRow(row: readonly string[], width: number): string {
  let line = "|";
  for (const text of row) line += ` ${text} |`;
  return row.length < width ? line + "  |".repeat(width - row.length) : line;
}

/** A covered place is empty: each cell's text stands once. A row ends with its own last cell. */
function layOut(rows: readonly (readonly Cell[])[]): string[][] {
  return placeCells(rows).map((row) => {
    const end = row.findLastIndex((place) => place && place.at !== "below") + 1;
    return row.slice(0, end).map((place) => (place?.at === "start" ? place.cell.text : ""));
  });
}
