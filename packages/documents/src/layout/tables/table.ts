import { joinLines } from "../text/characters.ts";
import { textOf } from "../page/line-text.ts";
import type { PageWord } from "../page/words.ts";

/** As in the HTML table model. */
export interface TableCell {
  /** From 0. */
  readonly column: number;
  readonly colspan: number;
  readonly rowspan: number;
  readonly text: string;
}

/** A cell belongs to the row where it begins. Cells go from left to right. */
export interface Table {
  readonly columns: number;
  readonly rows: readonly (readonly TableCell[])[];
}

export function hasSpans({ rows }: Table): boolean {
  return rows.some((row) => row.some(({ colspan, rowspan }) => colspan > 1 || rowspan > 1));
}

export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly words: readonly PageWord[];
}

export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly GridCell[];
}

/** Drops rows in which no cell with words begins, and columns without words. */
export function tableOf(grid: Grid): Table {
  const filled = grid.cells.filter(({ words }) => words.length > 0);
  const rows = [...new Set(filled.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = [...new Set(filled.map(({ column }) => column))].sort((a, b) => a - b);
  const kept = { rows, columns };
  const cells = grid.cells.flatMap((cell) => placedCell(cell, kept) ?? []);
  return {
    columns: columns.length,
    rows: rows.map((_row, at) =>
      cells
        .filter(({ row }) => row === at)
        .map(({ cell }) => cell)
        .sort((a, b) => a.column - b.column),
    ),
  };
}

interface Kept {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

function placedCell(
  cell: GridCell,
  kept: Kept,
): { readonly row: number; readonly cell: TableCell } | undefined {
  const rows = placesWithin(kept.rows, cell.row, cell.row + cell.rows);
  const columns = placesWithin(kept.columns, cell.column, cell.column + cell.columns);
  const [row, column] = [rows[0], columns[0]];
  if (row === undefined || column === undefined) return undefined;
  return {
    row,
    cell: { column, rowspan: rows.length, colspan: columns.length, text: textOfCell(cell.words) },
  };
}

function placesWithin(kept: readonly number[], from: number, to: number): number[] {
  const places: number[] = [];
  kept.forEach((value, place) => {
    if (value >= from && value < to) places.push(place);
  });
  return places;
}

function textOfCell(words: readonly PageWord[]): string {
  const lines: { readonly base: number; readonly words: PageWord[] }[] = [];
  for (const word of [...words].sort((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const line = lines.at(-1);
    if (line && Math.abs(line.base - word.base) < 0.35 * word.size) line.words.push(word);
    else lines.push({ base: word.base, words: [word] });
  }
  return joinLines(lines.map((line) => textOf(line.words.sort((a, b) => a.x0 - b.x0))));
}
