import type { AlignedRow, Piece } from "./aligned-rows.ts";

/** Maximum lines of a cell. */
const MAX_LINES = 40;
/** In leadings. Cost of an empty row, and of a vertical gap inside a cell. */
const EMPTY_COST = 0.25;
const GAP_COST = 1.5;

/** Maximum line distance within a cell, as a multiple of the closest lines of the table. */
const SAME_CELL = 1.3;
/** In em. With a larger mean distance of cells from rows, the columns do not belong together. */
const MAX_ERROR = 0.55;
/** Maximum mean lines per text of the key column. */
const MAX_KEY_LINES = 1.7;
const FIGURES = /^[^\p{L}]*\d[^\p{L}]*\p{L}?$|^[-–—]$/u;
const MAX_PIECES = 2000;
/** Maximum lines of a column times rows, as each line is tried in each row. */
const MAX_PAIRS = 40_000;

/**
 * Finds rows of multi-line cells. One column, the key, has a text for every row, with gaps between them.
 * Cells of the other columns align with the key's by first lines, middles or last lines. Undefined if no
 * column is such a key.
 */
export function wrappedRows(
  pieces: readonly Piece[],
  columns: number,
  isFramed = false,
): AlignedRow[] | undefined {
  if (pieces.length > MAX_PIECES) return undefined;
  const byColumn = Array.from({ length: columns }, (_none, at) => inColumn(pieces, at));
  const leading = Math.min(...byColumn.flatMap(pitchesOf));
  const stacks = byColumn.map((column) => stacksOf(column, SAME_CELL * leading));
  const key = keyOf(stacks);
  if (!key || !stacks.some((column) => isWrappedBeside(column, key, isFramed))) return undefined;
  const parted = anchorsOf(key, stacks, leading).flatMap((anchor) => splitAnchor(anchor, byColumn));
  const anchors = withRowsOfFigures(parted, byColumn);
  if (anchors.length * Math.max(...byColumn.map(({ length }) => length)) > MAX_PAIRS) return undefined;
  const placed = byColumn.map((column) => alignStacks(column, anchors, leading));
  const errors = placed.flatMap(({ errors: own }) => own);
  const size = pieces[0]?.line.size ?? 1;
  if (mean(errors) > MAX_ERROR * size) return undefined;
  const spanning = pieces.filter(({ from, to }) => to > from);
  return anchors.map((anchor, at) =>
    rowOf(
      placed.map(({ cells }) => cells[at] ?? []),
      spanningIn(spanning, anchors, at),
      anchor,
    ),
  );
}

function inColumn(pieces: readonly Piece[], column: number): Piece[] {
  return pieces
    .filter(({ from, to }) => from === column && to === column)
    .sort((a, b) => a.line.base - b.line.base);
}

/** Baseline distances of consecutive lines. */
function pitchesOf(column: readonly Piece[]): number[] {
  const pitches = column.slice(1).map((piece, at) => piece.line.base - (column[at]?.line.base ?? 0));
  return pitches.filter((pitch, at) => pitch > 0.6 * (column[at]?.line.size ?? 0));
}

function stacksOf(column: readonly Piece[], farthest: number): Stack[] {
  const groups: Piece[][] = [];
  for (const piece of column) {
    const before = groups.at(-1)?.at(-1);
    if (before && piece.line.base - before.line.base <= farthest) groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups.map(stackOf);
}

/** Without a frame, a column with as many texts as the key may be a column of running text. */
function isWrappedBeside(column: readonly Stack[], key: readonly Stack[], isFramed: boolean): boolean {
  const isAsMany = isFramed && column.length === key.length;
  return (isAsMany || column.length < key.length) && column.some(isWrapped);
}

function isWrapped({ pieces }: Stack): boolean {
  return pieces.length > 1;
}

/** The column with the most texts; on a tie, the first. */
function keyOf(stacks: readonly (readonly Stack[])[]): readonly Stack[] | undefined {
  let key: readonly Stack[] | undefined;
  for (const column of stacks)
    if (column.length >= 2 && column.length > (key?.length ?? 0) && isMostlyShort(column)) key = column;
  return key;
}

/** Dense rows merge into long stacks. They are not cells with gaps between them. */
function isMostlyShort(column: readonly Stack[]): boolean {
  return column.reduce((sum, { pieces }) => sum + pieces.length, 0) <= MAX_KEY_LINES * column.length;
}

/** The key's texts, plus texts of other columns at heights where the key has none. */
function anchorsOf(key: readonly Stack[], stacks: readonly (readonly Stack[])[], leading: number): Anchor[] {
  const anchors: Anchor[] = [...key];
  for (const column of stacks) {
    if (column === key || column.length * 2 < key.length) continue;
    for (const stack of column)
      if (!anchors.some((anchor) => overlaps(anchor, stack, 0.8 * leading))) anchors.push(stack);
  }
  return anchors.sort((a, b) => a.middle - b.middle);
}

/** A line with numbers in several columns is a row, even if it is as close as a cell's next line. */
function splitAnchor(anchor: Anchor, columns: readonly (readonly Piece[])[]): Anchor[] {
  const inside = columns.map((column) => column.filter(({ line }) => isWithin(line.base, anchor)));
  const figures = inside.map((column) => column.filter(({ text }) => FIGURES.test(text)));
  const rows: (readonly Piece[])[] = [];
  let open: Piece[] = [];
  const longest = inside.reduce((most, column) => (column.length > most.length ? column : most), []);
  for (const piece of longest) {
    const isRow = figures.filter((column) => column.some((figure) => isBeside(figure, piece))).length >= 2;
    if (!isRow) open.push(piece);
    if (isRow && open.length > 0) rows.push(open);
    if (isRow) {
      rows.push([piece]);
      open = [];
    }
  }
  if (open.length > 0) rows.push(open);
  return rows.length > 1 ? rows.map(stackOf) : [anchor];
}

/** Rows in which the key has no text, as amounts of one of two columns. */
function withRowsOfFigures(anchors: readonly Anchor[], columns: readonly (readonly Piece[])[]): Anchor[] {
  const all = [...anchors];
  const figures = columns.map((column) => column.filter(({ text }) => FIGURES.test(text)));
  for (const piece of figures.flat()) {
    if (all.some((anchor) => isWithin(piece.line.base, anchor))) continue;
    const beside = figures.filter((column) => column.some((figure) => isBeside(figure, piece)));
    if (beside.length >= 2) all.push(stackOf([piece]));
  }
  return all.sort((a, b) => a.middle - b.middle);
}

function isBeside(a: Piece, b: Piece): boolean {
  return Math.abs(a.line.base - b.line.base) < 0.2 * b.line.size;
}

function isWithin(base: number, { top, bottom }: Anchor): boolean {
  return base > top - 1 && base < bottom + 1;
}

function overlaps(a: Anchor, b: Anchor, room: number): boolean {
  return Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > -room;
}

function mean(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

/** Pieces over several columns that are nearest to this anchor. */
function spanningIn(spanning: readonly Piece[], anchors: readonly Anchor[], at: number): Piece[] {
  return spanning.filter(({ line }) => {
    const middle = (line.y0 + line.y1) / 2;
    const distances = anchors.map((anchor) => Math.abs(anchor.middle - middle));
    return distances.indexOf(Math.min(...distances)) === at;
  });
}

function rowOf(cells: readonly (readonly Piece[])[], spanning: readonly Piece[], anchor: Anchor): AlignedRow {
  const all = cells.map((cell, at) => [...cell, ...spanning.filter(({ from }) => from === at)]);
  const lines = all.flat().map(({ line }) => line);
  const bases = lines.map(({ base }) => base);
  const [top, base] =
    bases.length > 0 ? [Math.min(...bases), Math.max(...bases)] : [anchor.top, anchor.bottom];
  return { cells: all, top, base, size: lines[0]?.size ?? 0, isTall: true };
}

/** The vertical position of a table row. */
interface Anchor {
  /** Baselines of the first and last line. */
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
}

/** Lines of one column without a gap between them. */
interface Stack extends Anchor {
  readonly pieces: readonly Piece[];
}

interface Alignment {
  /** For each anchor, its lines. */
  readonly cells: readonly (readonly Piece[])[];
  /** Distance of each filled cell from its anchor, in points. */
  readonly errors: readonly number[];
  /** Sum of the errors and the costs of empty rows and gaps. */
  readonly cost: number;
}

/** @param pieces - at least one, from top to bottom */
function stackOf(pieces: readonly Piece[]): Stack {
  const [top, bottom] = [pieces[0]?.line.base ?? 0, pieces.at(-1)?.line.base ?? 0];
  return { pieces, top, bottom, middle: (top + bottom) / 2 };
}

/** The best of three ways to assign a column's lines to rows: by first lines, middles or last lines. */
function alignStacks(pieces: readonly Piece[], anchors: readonly Anchor[], leading: number): Alignment {
  const bases = Float64Array.from(pieces, ({ line }) => line.base);
  const ways = (["top", "middle", "bottom"] as const).map((edge) =>
    divide(pieces, anchors, { bases, edge, leading }),
  );
  const [first, ...others] = ways;
  return others.reduce(
    (best, way) => (way.cost < best.cost - 0.01 ? way : best),
    first ?? { cells: [], errors: [], cost: 0 },
  );
}

interface Way {
  /** Baselines of the lines, from top to bottom. */
  readonly bases: Float64Array;
  readonly edge: keyof Anchor;
  readonly leading: number;
}

/** Assigns lines to anchors in order with the least total cost: the cheapest path over both. */
function divide(pieces: readonly Piece[], anchors: readonly Anchor[], way: Way): Alignment {
  const starts: Int32Array[] = [];
  let costs = new Float64Array(pieces.length + 1).fill(Infinity);
  costs[0] = 0;
  for (const anchor of anchors) {
    const step = stepOver(costs, { anchor, way });
    starts.push(step.starts);
    costs = step.costs;
  }
  return { ...trace(pieces, anchors, starts, way), cost: costs.at(-1) ?? 0 };
}

/** For each number of assigned lines, the least cost after this anchor and the start of its own lines. */
function stepOver(before: Float64Array, target: Target) {
  const { leading, bases } = target.way;
  const costs = new Float64Array(before.length);
  const starts = new Int32Array(before.length);
  for (let end = 0; end < before.length; end++) {
    costs[end] = (before[end] ?? 0) + EMPTY_COST * leading;
    starts[end] = end;
  }
  for (let from = 0; from < before.length; from++) {
    const cost = before[from] ?? Infinity;
    if (cost === Infinity) continue;
    let gaps = 0;
    const last = Math.min(bases.length, from + MAX_LINES);
    for (let end = from + 1; end <= last; end++) {
      if (end > from + 1 && (bases[end - 1] ?? 0) - (bases[end - 2] ?? 0) > 1.3 * leading) gaps++;
      const total = cost + distance(from, end, target) + gaps * GAP_COST * leading;
      if (total >= (costs[end] ?? Infinity)) continue;
      costs[end] = total;
      starts[end] = from;
    }
  }
  return { costs, starts };
}

interface Target {
  readonly anchor: Anchor;
  readonly way: Way;
}

function distance(from: number, end: number, { anchor, way: { bases, edge } }: Target): number {
  const [top, bottom] = [bases[from] ?? 0, bases[end - 1] ?? 0];
  if (edge === "top") return Math.abs(top - anchor.top);
  if (edge === "bottom") return Math.abs(bottom - anchor.bottom);
  return Math.abs((top + bottom) / 2 - anchor.middle);
}

function trace(
  pieces: readonly Piece[],
  anchors: readonly Anchor[],
  starts: readonly Int32Array[],
  way: Way,
): Omit<Alignment, "cost"> {
  const cells: (readonly Piece[])[] = [];
  const errors: number[] = [];
  let end = pieces.length;
  for (let at = anchors.length - 1; at >= 0; at--) {
    const from = starts[at]?.[end] ?? end;
    const anchor = anchors[at];
    if (anchor && from < end) errors.push(distance(from, end, { anchor, way }));
    cells.unshift(pieces.slice(from, end));
    end = from;
  }
  return { cells, errors };
}
