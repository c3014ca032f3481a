import { unionOf } from "./geometry.ts";
import { cluster } from "./statistics.ts";
import type { Grid, GridCell } from "./table.ts";
import type { PageWord } from "./words.ts";

/** White between words, in sizes, that parts columns. */
const LEAST_GAP = 0.8;
/** Rows that have to have the same white, and their share of the rows with text in the column. */
const LEAST_ROWS = 3;
const LEAST_SHARE = 0.6;
const FIGURE = /^[-–−+$€£(]*\d[\d.,]*[%)*]*$|^[-–—]$/;

/** A drawn column whose rows have white at the same place holds several columns. Undefined when there is none. */
export function splitColumns(grid: Grid): Grid | undefined {
  const plan = Array.from({ length: grid.columns }, (_none, column) => edgesIn(grid, column));
  if (plan.every((edges) => edges.length === 0)) return undefined;
  const starts = plan.map((_edges, column) => column + plan.slice(0, column).flat().length);
  const columns = grid.columns + plan.flat().length;
  return {
    ...grid,
    columns,
    cells: grid.cells.flatMap((cell) => splitCell(cell, { plan, starts, columns })),
  };
}

/** Where a drawn column is parted: the middles of the white that most of its rows share. */
function edgesIn(grid: Grid, column: number): readonly number[] {
  const cells = grid.cells.filter(
    (cell) => cell.column === column && cell.columns === 1 && cell.words.length > 0,
  );
  const gaps = cells.map(gapsOf);
  const least = Math.max(LEAST_ROWS, LEAST_SHARE * cells.length);
  const centres = cluster(
    gaps.flat().map(({ x0, x1 }) => (x0 + x1) / 2),
    4,
  );
  return centres.filter(
    (x) => gaps.filter((own) => own.some((gap) => gap.x0 < x && gap.x1 > x)).length >= least,
  );
}

/** The wide white between figures. */
function gapsOf({ words }: GridCell): { readonly x0: number; readonly x1: number }[] {
  const sorted = [...words].sort((a, b) => a.x0 - b.x0);
  return sorted.flatMap((word, at) => {
    const before = sorted[at - 1];
    const isWide = before && word.x0 - before.x1 > LEAST_GAP * word.size;
    return isWide && FIGURE.test(word.text) && FIGURE.test(before.text)
      ? [{ x0: before.x1, x1: word.x0 }]
      : [];
  });
}

interface Plan {
  readonly plan: readonly (readonly number[])[];
  readonly starts: readonly number[];
  readonly columns: number;
}

function splitCell(cell: GridCell, { plan, starts, columns }: Plan): GridCell[] {
  const edges = plan[cell.column] ?? [];
  const column = starts[cell.column] ?? 0;
  const width = (starts[cell.column + cell.columns] ?? columns) - column;
  if (cell.columns > 1 || edges.length === 0 || isOver(cell.words, edges))
    return [{ ...cell, column, columns: width }];
  return Array.from({ length: width }, (_none, at) => ({
    ...cell,
    column: column + at,
    words: cell.words.filter((word) => edges.filter((edge) => (word.x0 + word.x1) / 2 > edge).length === at),
  }));
}

/** Whether a text is written over the white, as heads are. */
function isOver(words: readonly PageWord[], edges: readonly number[]): boolean {
  if (words.length === 0) return false;
  const { x0, x1 } = unionOf(words);
  const crosses = words.some((word) => edges.some((edge) => word.x0 < edge && word.x1 > edge));
  return (
    crosses ||
    (edges.some((edge) => x0 < edge && x1 > edge) &&
      gapsOf({ row: 0, column: 0, rows: 1, columns: 1, words }).length === 0)
  );
}
