import { unionOf } from "../numbers/geometry.ts";
import type { PageWord } from "../page/words.ts";
import type { Grid, GridCell } from "./table.ts";

/** In em. Minimum gap between two columns; in some rows it may be as narrow as a wide space. */
const LEAST_GAP = 1;
const LEAST_SPACE = 0.35;
/** Fewer rows with the same gap are coincidence. */
const LEAST_ROWS = 4;
/** Minimum share of a column's rows that must have the gap. */
const LEAST_SHARE = 0.6;
const MAX_SPLITS = 12;

/** Splits a drawn column in two where the words of most rows leave the same gap free. */
export function splitColumns(grid: Grid): Grid {
  let split = grid;
  for (let column = 0, splits = 0; column < split.columns && splits < MAX_SPLITS;) {
    const x = gapIn(split, column);
    if (x === undefined) column++;
    else {
      split = splitAt(split, column, x);
      splits++;
    }
  }
  return split;
}

interface Gap {
  readonly x0: number;
  readonly x1: number;
}

/** Centre of the gap that most rows of a column share. */
function gapIn({ cells }: Grid, column: number): number | undefined {
  const own = cells.filter((cell) => cell.column === column && cell.columns === 1 && cell.words.length > 0);
  if (own.length < LEAST_ROWS) return undefined;
  const gaps = own.flatMap(({ words }) => gapsOf(words));
  for (const { x0, x1 } of gaps) {
    const [low, high] = [x0 + 0.5, x1 - 0.5];
    const sharing = gaps.filter((gap) => gap.x0 < high && gap.x1 > low);
    const shared = {
      x0: Math.max(...sharing.map((gap) => gap.x0)),
      x1: Math.min(...sharing.map((gap) => gap.x1)),
    };
    const isCrossed = own.filter(
      ({ words }) => words.length > 0 && crosses(words, (shared.x0 + shared.x1) / 2),
    );
    const isMost = sharing.length >= LEAST_ROWS && sharing.length >= LEAST_SHARE * own.length;
    if (isMost && shared.x1 > shared.x0 && isCrossed.length <= own.length - sharing.length)
      return (shared.x0 + shared.x1) / 2;
  }
  return undefined;
}

/** Wide gaps between words, for one-line cells only. */
function gapsOf(words: readonly PageWord[], least = LEAST_GAP): Gap[] {
  const [first] = words;
  if (!first || words.some(({ base, size }) => Math.abs(base - first.base) > 0.5 * size)) return [];
  const sorted = words.toSorted((a, b) => a.x0 - b.x0);
  return sorted.slice(1).flatMap((word, at) => {
    const x0 = sorted[at]?.x1 ?? word.x0;
    return word.x0 - x0 > least * word.size ? [{ x0, x1: word.x0 }] : [];
  });
}

function crosses(words: readonly PageWord[], x: number): boolean {
  return words.some(({ x0, x1 }) => x0 < x && x1 > x);
}

function splitAt(grid: Grid, column: number, x: number): Grid {
  return {
    ...grid,
    columns: grid.columns + 1,
    cells: grid.cells.flatMap((cell) => splitCell(cell, column, x)),
  };
}

function splitCell(cell: GridCell, column: number, x: number): GridCell[] {
  if (cell.column > column) return [{ ...cell, column: cell.column + 1 }];
  if (cell.column + cell.columns <= column) return [cell];
  const isHead = cell.columns > 1 || isAcross(cell.words, x);
  if (isHead) return [{ ...cell, columns: cell.columns + 1 }];
  const isLeft = (word: PageWord) => word.x1 <= x + 0.5;
  return [
    { ...cell, words: cell.words.filter(isLeft) },
    { ...cell, column: column + 1, words: cell.words.filter((word) => !isLeft(word)) },
  ];
}

/** True if words lie on both sides of `x` without a wide gap there: one text over two columns. */
function isAcross(words: readonly PageWord[], x: number): boolean {
  if (words.length === 0) return false;
  const { x0, x1 } = unionOf(words);
  return x0 < x && x1 > x && !gapsOf(words, LEAST_SPACE).some((gap) => gap.x0 < x && gap.x1 > x);
}
