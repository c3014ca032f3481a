import { joinLines } from "../text/characters.ts";
import { cluster } from "../numbers/statistics.ts";
import type { Piece } from "./aligned-rows.ts";
import type { RuleLine } from "./rule-lines.ts";
import type { TableCell } from "./table.ts";

/** In points. Head lines within this height are one row. */
const SAME_ROW = 2;
const MAX_LEVELS = 5;

/** The head of a table, above the rule that separates it from the body. */
interface Head {
  readonly pieces: readonly Piece[];
  /** Rules below heads of several columns. */
  readonly partial: readonly RuleLine[];
  /** Horizontal extent of each column's text, from left to right. */
  readonly columns: readonly Extent[];
}

export interface Extent {
  readonly x0: number;
  readonly x1: number;
}

interface HeadCell {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[];
}

/** Builds the head rows: group heads above their columns. A column without a group spans all rows. */
export function headRows(head: Head): TableCell[][] {
  const borders = bordersOf(head);
  const count = borders.length + 1;
  const cells = Array.from({ length: count }, (_none, level) => cellsOn(level, borders, head)).flat();
  const rows = Array.from({ length: count }, (): TableCell[] => []);
  head.columns.forEach((_column, column) => {
    const own = cells.filter(({ from, to }) => from <= column && to >= column);
    const only = own.length === 1 ? own[0] : undefined;
    if (only?.from === only?.to && own.length < 2) {
      const text = only ? textOfPieces(only.pieces) : "";
      rows[0]?.push({ column, colspan: 1, rowspan: count, text });
      return;
    }
    for (let level = 0; level < count; level++) {
      const cell = own.find((one) => one.level === level);
      if (cell && cell.from < column) continue;
      const text = cell ? textOfPieces(cell.pieces) : "";
      rows[level]?.push({ column, colspan: cell ? cell.to - cell.from + 1 : 1, rowspan: 1, text });
    }
  });
  return rows;
}

/** Heights that separate head rows: the drawn rules, else the bottom of cells over several columns. */
function bordersOf({ pieces, partial }: Head): number[] {
  const drawn = cluster(
    partial.map(({ y }) => y),
    SAME_ROW,
  );
  const between = drawn.filter(
    (y) => pieces.some(({ line }) => line.base < y) && pieces.some(({ line }) => line.base > y + 1),
  );
  if (between.length > 0) return between.slice(0, MAX_LEVELS - 1);
  const groups = pieces.filter((piece) => isGroup(piece, pieces));
  const feet = cluster(
    groups.map(({ line }) => line.base + 0.3 * line.size),
    SAME_ROW,
  );
  return feet.slice(0, MAX_LEVELS - 1);
}

/** True for a piece over several columns, each of which has a head below it. */
function isGroup({ from, to, line }: Piece, pieces: readonly Piece[]): boolean {
  if (to === from) return false;
  const below = pieces.filter((other) => other.line.base > line.base + 0.5 * line.size);
  for (let column = from; column <= to; column++)
    if (!below.some((other) => other.from === column && other.to === column)) return false;
  return true;
}

function cellsOn(level: number, borders: readonly number[], head: Head): HeadCell[] {
  const [top, bottom] = [borders[level - 1] ?? -Infinity, borders[level] ?? Infinity];
  const own = head.pieces.filter(({ line: { base } }) => base > top && base <= bottom);
  const starts = [...new Set(own.map(mainColumn))].sort((a, b) => a - b);
  return starts.map((column, at) => {
    const pieces = own.filter((piece) => mainColumn(piece) === column);
    const isLast = level === borders.length;
    const [left, right] = [(starts[at - 1] ?? -1) + 1, (starts[at + 1] ?? head.columns.length) - 1];
    const room = { pieces, column, left, right, below: bottom };
    return { level, pieces, ...(isLast ? { from: column, to: column } : spanOf(room, head)) };
  });

  function mainColumn({ from, to, line }: Piece): number {
    if (level < borders.length) return from;
    // A text below all groups that reaches into several columns belongs to the one with most of it.
    let best = from;
    for (let column = from; column <= to; column++)
      if (overlap(head.columns[column], line) > overlap(head.columns[best], line)) best = column;
    return best;
  }
}

function overlap(a: Extent | undefined, b: Extent): number {
  return a ? Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) : -Infinity;
}

interface Room {
  readonly pieces: readonly Piece[];
  readonly column: number;
  /** Columns it may expand into, because no neighbour occupies them. */
  readonly left: number;
  readonly right: number;
  /** y of the border below. */
  readonly below: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A group spans the columns above its rule, else those whose middle it covers. */
function spanOf(room: Room, head: Head): Span {
  const text = extentOf(room.pieces);
  const line = head.partial.find(
    ({ x0, x1, y }) => Math.abs(y - room.below) < SAME_ROW && x0 < text.x1 && x1 > text.x0,
  );
  const wide = { from: room.column, to: Math.max(...room.pieces.map(({ to }) => to)) };
  if (!line) return centredSpan(room, wide, head);
  const above = head.columns.flatMap(({ x0, x1 }, at) => {
    const middle = (x0 + x1) / 2;
    return middle > line.x0 && middle < line.x1 ? [at] : [];
  });
  const [first, last] = [above[0] ?? wide.from, above.at(-1) ?? wide.to];
  const sharesLine = room.left > first || room.right < last;
  // If two groups share a rule, each begins above its first column.
  const from = sharesLine && room.left > first ? room.column : Math.max(first, room.left);
  return { from: Math.min(from, wide.from), to: Math.max(Math.min(last, room.right), wide.to) };
}

function centredSpan({ pieces, left, right }: Room, wide: Span, { columns }: Head): Span {
  const text = extentOf(pieces);
  let best = wide;
  let least = offset(wide);
  for (let from = Math.max(left, wide.from - 12); from <= wide.from; from++)
    for (let to = wide.to; to <= Math.min(right, wide.to + 12); to++) {
      const away = offset({ from, to });
      if (away < least - 1) [best, least] = [{ from, to }, away];
    }
  return best;

  function offset({ from, to }: Span): number {
    const [x0, x1] = [columns[from]?.x0 ?? 0, columns[to]?.x1 ?? 0];
    return Math.abs((x0 + x1) / 2 - (text.x0 + text.x1) / 2);
  }
}

function extentOf(pieces: readonly Piece[]): Extent {
  return {
    x0: Math.min(...pieces.map(({ line }) => line.x0)),
    x1: Math.max(...pieces.map(({ line }) => line.x1)),
  };
}

function textOfPieces(pieces: readonly Piece[]): string {
  const sorted = [...pieces].sort((a, b) => a.line.base - b.line.base || a.line.x0 - b.line.x0);
  return joinLines(sorted.map(({ text }) => text));
}
