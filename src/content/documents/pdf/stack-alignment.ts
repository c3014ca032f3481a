import type { Piece } from "./aligned-rows.ts";

/** Lines that one cell may have. */
const MOST_LINES = 40;
/** In leadings: what it costs to leave a row empty, and to hold lines with white between in one cell. */
const EMPTY_COST = 0.25;
const GAP_COST = 1.5;

/** A height that a row of a table stands at. */
export interface Anchor {
  /** The first and the last baseline. */
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
}

/** Lines of one column without white between. */
export interface Stack extends Anchor {
  readonly pieces: readonly Piece[];
}

export interface Alignment {
  /** For each anchor the lines that belong to it. */
  readonly cells: readonly (readonly Piece[])[];
  /** How far each cell with lines is from its anchor, in points. */
  readonly errors: readonly number[];
}

/** @param pieces - at least one, from top to bottom */
export function stackOf(pieces: readonly Piece[]): Stack {
  const [top, bottom] = [pieces[0]?.line.base ?? 0, pieces.at(-1)?.line.base ?? 0];
  return { pieces, top, bottom, middle: (top + bottom) / 2 };
}

/** The best of three ways to divide the lines of a column among the rows: by first lines, middles or last lines. */
export function alignStacks(
  pieces: readonly Piece[],
  anchors: readonly Anchor[],
  leading: number,
): Alignment {
  const ways = (["top", "middle", "bottom"] as const).map((edge) =>
    divide(pieces, anchors, { edge, leading }),
  );
  const [first, ...others] = ways;
  return others.reduce(
    (best, way) => (sum(way.errors) < sum(best.errors) - 0.01 ? way : best),
    first ?? { cells: [], errors: [] },
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Way {
  readonly edge: keyof Anchor;
  readonly leading: number;
}

/** Divides lines among anchors, in order, so that all are as near as can be: the cheapest path over both. */
function divide(pieces: readonly Piece[], anchors: readonly Anchor[], way: Way): Alignment {
  const count = pieces.length;
  const starts: Int32Array[] = [];
  let costs = new Float64Array(count + 1).fill(Infinity);
  costs[0] = 0;
  for (const anchor of anchors) {
    const next = costs.map((cost) => cost + EMPTY_COST * way.leading);
    const start = Int32Array.from({ length: count + 1 }, (_none, end) => end);
    for (let from = 0; from < count; from++) {
      const before = costs[from] ?? Infinity;
      if (before === Infinity) continue;
      let gaps = 0;
      for (let end = from + 1; end <= Math.min(count, from + MOST_LINES); end++) {
        if (end > from + 1 && pitchBefore(pieces, end - 1) > 1.3 * way.leading) gaps++;
        const cost = before + distance(pieces, from, end, { anchor, way }) + gaps * GAP_COST * way.leading;
        if (cost >= (next[end] ?? Infinity)) continue;
        next[end] = cost;
        start[end] = from;
      }
    }
    starts.push(start);
    costs = next;
  }
  return trace(pieces, anchors, starts, way);
}

function pitchBefore(pieces: readonly Piece[], at: number): number {
  return (pieces[at]?.line.base ?? 0) - (pieces[at - 1]?.line.base ?? 0);
}

interface Target {
  readonly anchor: Anchor;
  readonly way: Way;
}

function distance(pieces: readonly Piece[], from: number, end: number, { anchor, way }: Target): number {
  const [top, bottom] = [pieces[from]?.line.base ?? 0, pieces[end - 1]?.line.base ?? 0];
  const place = { top, bottom, middle: (top + bottom) / 2 };
  return Math.abs(place[way.edge] - anchor[way.edge]);
}

function trace(
  pieces: readonly Piece[],
  anchors: readonly Anchor[],
  starts: readonly Int32Array[],
  way: Way,
): Alignment {
  const cells: (readonly Piece[])[] = [];
  const errors: number[] = [];
  let end = pieces.length;
  for (let at = anchors.length - 1; at >= 0; at--) {
    const from = starts[at]?.[end] ?? end;
    const anchor = anchors[at];
    if (anchor && from < end) errors.push(distance(pieces, from, end, { anchor, way }));
    cells.unshift(pieces.slice(from, end));
    end = from;
  }
  return { cells, errors };
}
