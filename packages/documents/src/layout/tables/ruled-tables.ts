import { type Rect, unionOf } from "../numbers/geometry.ts";
import { startsAsCaption } from "../text/captions.ts";
import { textOf } from "../page/line-text.ts";
import type { PdfPage } from "../page/page.ts";
import { type Crossing, crossings } from "./rule-crossings.ts";
import { gridOfRules } from "./rule-grid.ts";
import { tableRules } from "./rulings.ts";
import { type Grid, type GridCell, type Table, tableOf } from "./table.ts";
import type { PageWord } from "../page/words.ts";
import { cluster, nearest } from "../numbers/statistics.ts";

/** In em. Minimum gap between two columns; in some rows it may be as narrow as a wide space. */
const LEAST_GAP = 1;
const LEAST_SPACE = 0.35;
/** Fewer rows with the same gap are coincidence. */
const LEAST_ROWS = 4;
/** Minimum share of a column's rows that must have the gap. */
const LEAST_SHARE = 0.6;
const MAX_SPLITS = 12;

/** Rules around at most this many cells with at least this much text frame a text, not a table. */
const FEW_CELLS = 4;
const LONG_TEXT_WORDS = 120;
/** First words of notes below a table. */
const NOTE = /^(?:notes?|sources?|quelle|anmerkung|nota|fuente|exhibit):?$/i;
const LEAST_NOTE_WORDS = 4;
/** Minimum share of cells with words. */
const LEAST_FILLED = 0.12;

export interface FoundTable extends Rect {
  readonly table: Table;
  readonly words: readonly PageWord[];
  readonly isRuled: boolean;
}

/** Finds tables drawn with rules, or tiled with coloured boxes, in both directions. */
export function ruledTables(page: PdfPage, words: readonly PageWord[]): FoundTable[] {
  const found = crossings(tableRules(page)).flatMap((rules) => tableIn(rules, words) ?? []);
  return found.filter((table) => !found.some((other) => isInside(table, other)));
}

function isInside(table: FoundTable, outer: FoundTable): boolean {
  if (outer === table || outer.table.rows.length <= table.table.rows.length) return false;
  return outer.x0 <= table.x0 && outer.x1 >= table.x1 && outer.y0 <= table.y0 && outer.y1 >= table.y1;
}

function tableIn(rules: Crossing, words: readonly PageWord[]): FoundTable | undefined {
  const found = gridOfRules(rules, words);
  if (!found || !isTable(found.grid)) return undefined;
  const cells = found.grid.cells.filter((cell) => !isAside(cell, found.grid));
  const own = { ...found.grid, cells };
  if (isFrameOfRows(own)) return undefined;
  const rows = splitRows(own);
  if (!rows && isFramedText(own)) return undefined;
  const taken = cells.flatMap((cell) => cell.words);
  const isWhole = cells.length === found.grid.cells.length;
  const box = isWhole ? found.box : { ...found.box, ...heightsOf(taken) };
  return { ...box, table: tableOf(splitColumns(rows ?? own)), words: taken, isRuled: true };
}

function heightsOf(words: readonly PageWord[]): Pick<Rect, "y0" | "y1"> {
  const { y0, y1 } = unionOf(words);
  return { y0, y1 };
}

/** True for a caption above the columns or a note below them that is drawn into the table. */
function isAside({ row, rows: height, columns: width, words }: GridCell, { rows, columns }: Grid): boolean {
  if (width < columns || rows < 4) return false;
  const base = words[0]?.base ?? 0;
  if (row === 0)
    return startsAsCaption(textOf(words.filter((word) => Math.abs(word.base - base) < 2).slice(0, 4)));
  return row + height === rows && words.length >= LEAST_NOTE_WORDS && NOTE.test(words[0]?.text ?? "");
}

function isTable({ cells, rows }: Grid): boolean {
  const filled = cells.filter(hasWords);
  if (filled.length < 2 || filled.length < LEAST_FILLED * cells.length) return false;
  const usedRows = new Set(filled.map(({ row }) => row)).size;
  const usedColumns = new Set(filled.map(({ column }) => column)).size;
  return usedColumns >= 2 && (usedRows >= 2 || rows >= 2);
}

function isFramedText({ cells }: Grid): boolean {
  const isLong = cells.length <= FEW_CELLS && cells.some(({ words }) => words.length > LONG_TEXT_WORDS);
  return isLong || (cells.length <= FEW_BOXES && cells.some(({ words }) => hasColumns(words)));
}

/** Boxes of a page, in one of which running text stands beside other text. */
const FEW_BOXES = 8;
const LEAST_TEXT_WORDS = 50;
const LEAST_LINES = 4;
const WORDS_IN_LINE = 4;

function hasColumns(words: readonly PageWord[]): boolean {
  if (words.length < LEAST_TEXT_WORDS) return false;
  const sorted = words.toSorted((a, b) => a.x0 - b.x0);
  let right = -Infinity;
  const parts: PageWord[][] = [];
  for (const word of sorted) {
    const open = parts.at(-1);
    if (open && word.x0 - right < LEAST_GAP * word.size) open.push(word);
    else parts.push([word]);
    right = Math.max(right, word.x1);
  }
  const lines = parts.map((part) => basesOf({ words: part }, words[0]?.size ?? 0).length);
  const isText = parts.some((part, at) => part.length > WORDS_IN_LINE * (lines[at] ?? 0));
  return parts.length > 1 && isText && lines.every((count) => count >= LEAST_LINES);
}

/** True if the rules draw the head and a frame, and the rows in it have to be found by their words. */
function isFrameOfRows({ cells, columns }: Grid): boolean {
  const count = cells.reduce((total, { words }) => total + words.length, 0);
  return cells.some(
    ({ row, columns: width, words }) =>
      row > 0 &&
      width === columns &&
      columns > 1 &&
      words.length > 0.6 * count &&
      basesOf({ words }, words[0]?.size ?? 0).length >= LEAST_ROWS,
  );
}

function hasWords({ words }: GridCell): boolean {
  return words.length > 0;
}

/** In em. Words whose baselines differ by less are on one line. */
const SAME_BASE = 0.35;
/** A column counts as filled if it has text on at least this share of the lines. */
const FULL_COLUMN = 0.7;
/**
 * Running text has at least this many line breaks, and more than this share of them leave no room for the
 * next word.
 */
const LEAST_BREAKS = 3;
const FULL_LINES = 0.7;

/**
 * Splits a drawn row in which several columns have text on the same lines into one row per line. Undefined if
 * there is no such row.
 */
function splitRows(grid: Grid): Grid | undefined {
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

/** Baselines of the rows in a drawn row; empty if it is a single row. */
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

/** True if lines break because the next word does not fit. */
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

function basesOf({ words }: Pick<GridCell, "words">, size: number): number[] {
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

/** Splits a drawn column in two where the words of most rows leave the same gap free. */
function splitColumns(grid: Grid): Grid {
  let split = grid;
  for (let column = 0, splits = 0; column < split.columns && splits < MAX_SPLITS;) {
    const x = gapIn(split, column);
    if (x === undefined) column++;
    else {
      split = splitGridAt(split, column, x);
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

function splitGridAt(grid: Grid, column: number, x: number): Grid {
  return {
    ...grid,
    columns: grid.columns + 1,
    cells: grid.cells.flatMap((cell) => splitCellAt(cell, column, x)),
  };
}

function splitCellAt(cell: GridCell, column: number, x: number): GridCell[] {
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
