import { cluster, nearest } from "../numbers/statistics.ts";
import type { Grid, GridCell } from "./table.ts";

/** Words whose baselines differ by less, in sizes, are on one line. */
const SAME_BASE = 0.35;
/** Share of the lines that a column has to have text on, to count as one with text on all. */
const FULL_COLUMN = 0.7;
/** Running text has at least so many ends of lines, and of them more than this share without room for the next word. */
const LEAST_BREAKS = 3;
const FULL_LINES = 0.7;

/**
 * A drawn row in which several columns have text on the same lines holds as many rows as lines. Undefined when there is
 * no such row.
 */
export function splitRows(grid: Grid): Grid | undefined {
  const plan = Array.from({ length: grid.rows }, (_none, row) => linesOfRow(grid, row));
  if (plan.every((lines) => lines.length === 0)) return undefined;
  const heights = plan.map((lines) => Math.max(1, lines.length));
  const starts = heights.map((_height, row) => sum(heights.slice(0, row)));
  return {
    ...grid,
    rows: sum(heights),
    cells: grid.cells.flatMap((cell) => splitCell(cell, plan, { heights, starts })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Baselines of the rows that a drawn row holds; empty when it is one row. */
function linesOfRow(grid: Grid, row: number): readonly number[] {
  const cells = grid.cells.filter((cell) => cell.row === row && cell.words.length > 0);
  const size = cells[0]?.words[0]?.size;
  if (size === undefined || cells.length < 2 || cells.some(({ rows }) => rows > 1)) return [];
  const columns = cells.map((cell) => basesOf(cell, size));
  const lines = cluster(columns.flat(), SAME_BASE * size);
  if (lines.length < 2) return [];
  const full = columns.filter((bases) => bases.length >= FULL_COLUMN * lines.length).length;
  const isSplit = full >= 2 && full >= 0.5 * cells.length;
  const mayBeRows = cells.some(isNumeric) || (lines.length >= 4 && !cells.some(isRunningText));
  return isSplit && mayBeRows ? lines : [];
}

/** Lines that end because the next word had no room any more continue in the next one. */
function isRunningText({ words }: GridCell): boolean {
  const breaks = words.slice(1).flatMap((word, at): { readonly end: number; readonly width: number }[] => {
    const before = words[at];
    const isNext = before !== undefined && word.base - before.base > SAME_BASE * word.size;
    return isNext ? [{ end: before.x1 + 0.3 * word.size, width: word.x1 - word.x0 }] : [];
  });
  const right = Math.max(...words.map(({ x1 }) => x1));
  const full = breaks.filter(({ end, width }) => end + width > right);
  return breaks.length >= LEAST_BREAKS && full.length > FULL_LINES * breaks.length;
}

function basesOf({ words }: GridCell, size: number): number[] {
  const bases = words.filter(({ isScript }) => !isScript).map(({ base }) => base);
  return cluster(bases, SAME_BASE * size);
}

function isNumeric({ words }: GridCell): boolean {
  return words.filter(({ text }) => /\d/.test(text)).length > 0.6 * words.length;
}

interface Rows {
  readonly heights: readonly number[];
  readonly starts: readonly number[];
}

function splitCell(
  cell: GridCell,
  plan: readonly (readonly number[])[],
  { heights, starts }: Rows,
): GridCell[] {
  const row = starts[cell.row] ?? 0;
  const lines = plan[cell.row] ?? [];
  if (lines.length === 0) return [{ ...cell, row, rows: sum(heights.slice(cell.row, cell.row + cell.rows)) }];
  return lines.map((_line, at) => ({
    ...cell,
    row: row + at,
    rows: 1,
    words: cell.words.filter((word) => nearest(lines, word.base) === at),
  }));
}
