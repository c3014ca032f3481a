import type { Line } from "./page/line.ts";
import { cluster, median } from "./numbers/statistics.ts";

/** In points. Lines of one column begin within this distance. */
const SAME_START = 2;
/** Heads that a column has at least. */
const LEAST_HEADS = 2;
/** In em. Columns of a page are wider. */
const LEAST_WIDTH = 12;
/** Share of the lines that may cross the start of a column: the title of the page. */
const MAX_CROSSING = 0.05;
const LARGER = 1.1;
const MAX_LINES = 3000;

export interface HeadedColumn {
  readonly lines: readonly Line[];
  /** Of all columns; empty where the page has none. */
  readonly heads: readonly Line[];
}

/**
 * Lines by the columns of a page whose sections begin with heads of their own look at the left of each column, as on reference
 * cards. One group where there are no such columns.
 */
export function columnsByHeads(lines: readonly Line[]): readonly HeadedColumn[] {
  const whole = [{ lines, heads: [] }];
  const usual = median(lines.map(({ size }) => size));
  if (lines.length > MAX_LINES) return whole;
  // Where keys are bold, too, heads are larger.
  const looks = [
    lines.filter(({ size }) => size > LARGER * usual),
    lines.filter(({ isBold }) => isBold),
    lines.filter(({ isItalic }) => isItalic),
  ];
  for (const heads of looks) {
    const columns = heads.length <= lines.length / 3 ? columnsUnder(heads, lines, usual) : [];
    if (columns.length > 1) return columns;
  }
  return whole;
}

function columnsUnder(heads: readonly Line[], lines: readonly Line[], size: number): readonly HeadedColumn[] {
  const starts = cluster(
    heads.map(({ x0 }) => x0),
    SAME_START,
  ).filter((start) => heads.filter(({ x0 }) => isSame(x0, start)).length >= LEAST_HEADS);
  const isColumn = starts.every((start, at) => {
    const end = starts[at + 1] ?? Infinity;
    if (end - start < LEAST_WIDTH * size) return false;
    const own = heads.filter(({ x0 }) => isSame(x0, start));
    const crossing = lines.filter(({ x0, x1 }) => x0 < start - SAME_START && x1 > start + SAME_START);
    return (
      own.every((head) => standsAlone(head, end, lines)) && crossing.length <= MAX_CROSSING * lines.length
    );
  });
  if (!isColumn) return [];
  const columnOf = ({ x0 }: Line) =>
    Math.max(0, starts.filter((start) => start - SAME_START <= x0).length - 1);
  return starts.map((_start, at) => ({ lines: lines.filter((line) => columnOf(line) === at), heads }));
}

function isSame(x: number, start: number): boolean {
  return Math.abs(x - start) <= SAME_START;
}

/** True if the column has nothing beside the head. In a table, cells stand there. */
function standsAlone(head: Line, end: number, lines: readonly Line[]): boolean {
  return !lines.some(
    (line) =>
      line !== head &&
      line.x0 > head.x0 &&
      line.x0 < end - SAME_START &&
      Math.abs(line.base - head.base) < 0.5 * head.size,
  );
}
