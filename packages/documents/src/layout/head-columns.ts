import { fullLines } from "./page/justified.ts";
import { gapsBetween } from "./numbers/geometry.ts";
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
  const isFree = (head: Line) => standsAlone(head, head.x0 + LEAST_WIDTH * usual, lines);
  for (const mayHead of [() => true, isFree])
    for (const look of looks) {
      const heads = look.length < 2 * LEAST_HEADS ? [] : look.filter(mayHead);
      const columns = heads.length <= lines.length / 3 ? columnsUnder(heads, lines, usual) : [];
      if (columns.length > 1) return columns;
    }
  const groups = columnsApart(lines, usual);
  return groups.length > 1 ? groups.map((own) => ({ lines: own, heads: headsOf(groups, usual) })) : whole;
}

/** Share of lines that have a line at the same height beyond the gap. In tables, nearly all have. */
const LEVEL_SHARE = 0.6;
const LEAST_LINES = 8;
/** In em. */
const LEAST_GAP = 0.8;
const SAME_SIZE = 1.02;
const SAME_LEVEL = 0.15;

/** Lines parted at gaps from top to bottom between columns of justified text, or beyond which lines stand at other heights. */
function columnsApart(lines: readonly Line[], size: number): readonly (readonly Line[])[] {
  const columns: (readonly Line[])[] = [];
  let rest = lines;
  const gaps = gapsBetween(lines, MAX_CROSSING * lines.length, LEAST_GAP * size);
  for (const [at, { x1: x }] of gaps.entries()) {
    const [left, right] = [rest.filter(({ x0 }) => x0 < x), rest.filter(({ x0 }) => x0 >= x)];
    const next = right.filter(({ x0 }) => x0 < (gaps[at + 1]?.x1 ?? Infinity));
    const isText = [left, next].every((own) => fullLines(own, size));
    const mayBeApart = left.length >= LEAST_LINES && right.length >= LEAST_LINES;
    if (!isText && !(mayBeApart && areApart(left, right, size))) continue;
    columns.push(left);
    rest = right;
  }
  return [...columns, rest];
}

function areApart(left: readonly Line[], right: readonly Line[], size: number): boolean {
  const isLevel = (line: Line, others: readonly Line[]) =>
    others.some(({ base }) => Math.abs(base - line.base) < SAME_LEVEL * size);
  const isBeside = ({ y0, y1 }: Line, others: readonly Line[]) =>
    others.some((other) => other.y0 < y1 && other.y1 > y0);
  return [
    [left, right],
    [right, left],
  ].every(([own = [], others = []]) => {
    const beside = own.filter((line) => isBeside(line, others));
    const level = beside.filter((line) => isLevel(line, others));
    return beside.length >= LEAST_LINES && level.length < LEVEL_SHARE * beside.length;
  });
}

/** Share of lines beside others in a column of keys with their meanings. */
const KEYED_SHARE = 0.6;

/** Lines that stand alone among keys with their meanings, in another look. */
function headsOf(columns: readonly (readonly Line[])[], size: number): readonly Line[] {
  const hasLook = (line: Line) => line.size > SAME_SIZE * size || line.isBold || line.isItalic;
  const isAlone = (line: Line, own: readonly Line[]) =>
    own.every((other) => other === line || Math.abs(other.base - line.base) > 0.5 * line.size);
  return columns.flatMap((own) => {
    const alone = own.filter((line) => isAlone(line, own));
    return alone.length > (1 - KEYED_SHARE) * own.length ? [] : alone.filter(hasLook);
  });
}

function columnsUnder(heads: readonly Line[], lines: readonly Line[], size: number): readonly HeadedColumn[] {
  const starts = cluster(
    heads.map(({ x0 }) => x0),
    SAME_START,
  ).filter((start) => heads.filter(({ x0 }) => isSame(x0, start)).length >= LEAST_HEADS);
  if (starts.length < 2) return [];
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
