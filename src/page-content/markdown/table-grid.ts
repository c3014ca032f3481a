/** A cell of a table: Markdown of its content on one line, and how many columns and rows it covers. */
export interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** A cell covers at most this many columns: more is a slip, or hostile. */
const MAX_COLUMNS = 100;

/** Empty cells that spans may add, per real cell and in addition. */
const SPANNED_PER_CELL = 4;
const SPANNED_ALWAYS = 2000;

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

/** Puts cells into columns. Trailing empty columns of a row are not written down. */
function layOut(rows: readonly (readonly Cell[])[]): string[][] {
  if (!rows.some((cells) => cells.some(isSpanning))) return rows.map((cells) => cells.map(textOf));
  const cellCount = rows.reduce((sum, cells) => sum + cells.length, 0);
  const budget = { left: cellCount * SPANNED_PER_CELL + SPANNED_ALWAYS };
  /** By column: how many of the following rows a cell from above still covers. */
  let covered: number[] = [];
  return rows.map((cells) => {
    const row: string[] = [];
    const next: number[] = [];
    for (const cell of cells) {
      skipCovered(row, covered, next, budget);
      placeCell(row, cell, next, budget);
    }
    keepCovered(row.length, covered, next, budget);
    covered = next;
    return row;
  });
}

function isSpanning({ columns, rows }: Cell): boolean {
  return columns > 1 || rows > 1;
}

function textOf(cell: Cell): string {
  return cell.text;
}

interface Budget {
  left: number;
}

function skipCovered(row: string[], covered: readonly number[], next: number[], budget: Budget): void {
  while ((covered[row.length] ?? 0) > 0 && budget.left > 0) {
    next[row.length] = (covered[row.length] ?? 1) - 1;
    row.push("");
    budget.left--;
  }
}

function placeCell(row: string[], cell: Cell, next: number[], budget: Budget): void {
  const columns = Math.max(1, Math.min(cell.columns, MAX_COLUMNS, budget.left + 1));
  for (let column = 0; column < columns; column++) {
    next[row.length] = cell.rows - 1;
    row.push(column === 0 ? cell.text : "");
  }
  budget.left -= columns - 1;
}

/** Columns to the right of a short row stay covered. */
function keepCovered(from: number, covered: readonly number[], next: number[], budget: Budget): void {
  for (let column = from; column < covered.length && budget.left > 0; column++) {
    next[column] = Math.max(0, (covered[column] ?? 0) - 1);
    budget.left--;
  }
}
