/** Number of columns and rows that a table cell covers. */
export interface SpanningCell {
  readonly columns: number;
  readonly rows: number;
}

/** A cell at one of the places of the grid that it covers. */
interface PlacedCell<Cell> {
  readonly cell: Cell;
  /**
   * "start" is the cell's first place. The cell covers the others, right of it in the same row or in rows
   * below.
   */
  readonly at: "start" | "right" | "below";
}

/** Undefined where no cell stands. */
export type GridRow<Cell> = (PlacedCell<Cell> | undefined)[];

/** Maximum columns of one cell. More is a mistake, or hostile. */
const MAX_COLUMNS = 100;

/** Places that spans may add, per real cell and as a constant. */
const SPANNED_PER_CELL = 4;
const SPANNED_ALWAYS = 2000;

/**
 * Assigns the cells of a table to columns, row by row, as browsers do: a cell takes the first place that no
 * cell from above covers. Trailing places without a cell are not added.
 */
export function placeCells<Cell extends SpanningCell>(rows: readonly (readonly Cell[])[]): GridRow<Cell>[] {
  if (!rows.some((cells) => cells.some(isSpanning)))
    return rows.map((cells) => cells.map((cell) => ({ cell, at: "start" })));
  const cellCount = rows.reduce((sum, cells) => sum + cells.length, 0);
  const placing = new Placing<Cell>(cellCount * SPANNED_PER_CELL + SPANNED_ALWAYS);
  return rows.map((cells) => placing.row(cells));
}

function isSpanning({ columns, rows }: SpanningCell): boolean {
  return columns > 1 || rows > 1;
}

/** A cell from above, and the number of following rows that it still covers. */
interface Cover<Cell> {
  readonly cell: Cell;
  readonly rows: number;
}

class Placing<Cell extends SpanningCell> {
  #left: number;
  /** By column. */
  #covers: (Cover<Cell> | undefined)[] = [];

  /** @param maxSpanned maximum places that spans may add in all. */
  constructor(maxSpanned: number) {
    this.#left = maxSpanned;
  }

  row(cells: readonly Cell[]): GridRow<Cell> {
    const row: GridRow<Cell> = [];
    const next: (Cover<Cell> | undefined)[] = [];
    for (const cell of cells) {
      this.#skipCovered(row, next);
      this.#place(cell, row, next);
    }
    // Columns to the right of a short row stay covered and show the covering cell.
    const end = this.#covers.findLastIndex((cover) => cover !== undefined) + 1;
    while (row.length < end && this.#left > 0) {
      if (!this.#covers[row.length]) {
        row.push(undefined);
        this.#left--;
      }
      this.#skipCovered(row, next);
    }
    this.#covers = next;
    return row;
  }

  #skipCovered(row: GridRow<Cell>, next: (Cover<Cell> | undefined)[]): void {
    for (let cover = this.#covers[row.length]; cover && this.#left > 0; cover = this.#covers[row.length]) {
      next[row.length] = cover.rows > 1 ? { ...cover, rows: cover.rows - 1 } : undefined;
      row.push({ cell: cover.cell, at: "below" });
      this.#left--;
    }
  }

  #place(cell: Cell, row: GridRow<Cell>, next: (Cover<Cell> | undefined)[]): void {
    const columns = Math.max(1, Math.min(cell.columns, MAX_COLUMNS, this.#left + 1));
    for (let column = 0; column < columns; column++) {
      next[row.length] = cell.rows > 1 ? { cell, rows: cell.rows - 1 } : undefined;
      row.push({ cell, at: column === 0 ? "start" : "right" });
    }
    this.#left -= columns - 1;
  }
}

export function spanOf(value: string | undefined): number {
  const span = Number.parseInt(value ?? "1", 10);
  return span > 1 ? span : 1;
}
