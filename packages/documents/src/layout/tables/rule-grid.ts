import type { Rect } from "../numbers/geometry.ts";
import type { Crossing } from "./rule-crossings.ts";
import { cluster } from "../numbers/statistics.ts";
import type { Grid, GridCell } from "./table.ts";
import type { PageWord } from "../page/words.ts";

const MAX_ROWS = 200;
const MAX_COLUMNS = 60;
/** In points. Closer rules are one rule drawn twice. */
const SAME_ROW = 5;
const SAME_COLUMN = 6;
/** In points. If a table is open at its sides, its horizontal rules extend by more than this. */
const OPEN_SIDE = 8;
/** A rule covers an edge if it is this close (points) and leaves at most this share open at either end. */
const NEAR = 3;
const OPEN_END = 0.3;

/** Row and column borders, ascending. */
interface Edges {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

interface PlacedGrid {
  readonly grid: Grid;
  readonly box: Rect;
}

/** The grid that rules draw, with the words in its cells; undefined if they draw none. */
export function gridOfRules(rules: Crossing, words: readonly PageWord[]): PlacedGrid | undefined {
  const edges = edgesOf(rules);
  if (!edges) return undefined;
  const box = boxAround(edges);
  const inside = words.filter((word) => isInside(word, box));
  if (inside.length === 0) return undefined;
  const slots = new Slots(edges, rules);
  for (const word of inside) slots.put(word);
  return { box, grid: { rows: edges.ys.length - 1, columns: edges.xs.length - 1, cells: slots.cells } };
}

function edgesOf({ horizontal, vertical }: Crossing): Edges | undefined {
  if (horizontal.length < 2 || vertical.length < 1) return undefined;
  const ys = cluster(
    horizontal.map(({ y }) => y),
    SAME_ROW,
  );
  const xs = cluster(
    vertical.map(({ x }) => x),
    SAME_COLUMN,
  );
  const left = Math.min(...horizontal.map(({ x0 }) => x0));
  const right = Math.max(...horizontal.map(({ x1 }) => x1));
  if ((xs[0] ?? 0) - left > OPEN_SIDE) xs.unshift(left);
  if (right - (xs.at(-1) ?? 0) > OPEN_SIDE) xs.push(right);
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const isGrid = rows >= 1 && columns >= 1 && rows * columns >= 2;
  return isGrid && rows <= MAX_ROWS && columns <= MAX_COLUMNS ? { xs, ys } : undefined;
}

function boxAround({ xs, ys }: Edges): Rect {
  return { x0: xs[0] ?? 0, x1: xs.at(-1) ?? 0, y0: ys[0] ?? 0, y1: ys.at(-1) ?? 0 };
}

function isInside(word: PageWord, box: Rect): boolean {
  const [x, y] = pointOf(word);
  return x > box.x0 - 2 && x < box.x1 + 2 && y > box.y0 - 1 && y < box.y1 + 1;
}

/** The point that decides a word's cell. */
function pointOf(word: PageWord): [x: number, y: number] {
  return [(word.x0 + word.x1) / 2, word.base - 0.25 * word.size];
}

interface Slot extends GridCell {
  readonly words: PageWord[];
}

/** Merges grid positions that no rule separates into one cell. */
class Slots {
  readonly cells: Slot[] = [];
  readonly #edges: Edges;
  readonly #rules: Crossing;
  readonly #rows: number;
  readonly #columns: number;
  /** The cell that owns each position, row by row. */
  readonly #owners: (Slot | undefined)[];

  constructor(edges: Edges, rules: Crossing) {
    this.#edges = edges;
    this.#rules = rules;
    this.#rows = edges.ys.length - 1;
    this.#columns = edges.xs.length - 1;
    this.#owners = Array.from({ length: this.#rows * this.#columns });
    for (let row = 0; row < this.#rows; row++)
      for (let column = 0; column < this.#columns; column++)
        if (!this.#owner(row, column)) this.#open(row, column);
  }

  put(word: PageWord): void {
    const [x, y] = pointOf(word);
    const { xs, ys } = this.#edges;
    this.#owner(placeIn(ys, y), placeIn(xs, x))?.words.push(word);
  }

  #owner(row: number, column: number): Slot | undefined {
    return this.#owners[row * this.#columns + column];
  }

  /** Opens a cell at this position: first as wide as possible, then as high as possible. */
  #open(row: number, column: number): void {
    let [lastColumn, lastRow] = [column, row];
    while (this.#goesRight(row, lastColumn)) lastColumn++;
    while (this.#goesDown(lastRow, column, lastColumn)) lastRow++;
    const cell = { row, column, rows: lastRow - row + 1, columns: lastColumn - column + 1, words: [] };
    this.cells.push(cell);
    for (let down = row; down <= lastRow; down++)
      for (let across = column; across <= lastColumn; across++)
        this.#owners[down * this.#columns + across] = cell;
  }

  #goesRight(row: number, column: number): boolean {
    return column + 1 < this.#columns && !this.#owner(row, column + 1) && !this.#hasRuleRightOf(row, column);
  }

  #goesDown(row: number, from: number, to: number): boolean {
    if (row + 1 >= this.#rows) return false;
    for (let column = from; column <= to; column++) {
      if (this.#owner(row + 1, column) || this.#hasRuleBelow(row, column)) return false;
      if (column < to && this.#hasRuleRightOf(row + 1, column)) return false;
    }
    return true;
  }

  #hasRuleRightOf(row: number, column: number): boolean {
    const { xs, ys } = this.#edges;
    const [x, y0, y1] = [xs[column + 1] ?? 0, ys[row] ?? 0, ys[row + 1] ?? 0];
    const open = (y1 - y0) * OPEN_END;
    return this.#rules.vertical.some(
      (rule) => Math.abs(rule.x - x) <= NEAR && rule.y0 <= y0 + open && rule.y1 >= y1 - open,
    );
  }

  #hasRuleBelow(row: number, column: number): boolean {
    const { xs, ys } = this.#edges;
    const [y, x0, x1] = [ys[row + 1] ?? 0, xs[column] ?? 0, xs[column + 1] ?? 0];
    const open = (x1 - x0) * OPEN_END;
    return this.#rules.horizontal.some(
      (rule) => Math.abs(rule.y - y) <= NEAR && rule.x0 <= x0 + open && rule.x1 >= x1 - open,
    );
  }
}

/** Index of the interval that holds the value. The end intervals extend beyond the edges. */
function placeIn(edges: readonly number[], value: number): number {
  const next = edges.findIndex((edge, at) => at > 0 && value < edge);
  return next < 0 ? edges.length - 2 : next - 1;
}
