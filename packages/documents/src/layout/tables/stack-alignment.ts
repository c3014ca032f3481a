import type { Piece } from "./aligned-rows.ts";

/** Maximum lines of a cell. */
const MAX_LINES = 40;
/** In leadings. Cost of an empty row, and of a vertical gap inside a cell. */
const EMPTY_COST = 0.25;
const GAP_COST = 1.5;

/** The vertical position of a table row. */
export interface Anchor {
  /** Baselines of the first and last line. */
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
}

/** Lines of one column without a gap between them. */
export interface Stack extends Anchor {
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
export function stackOf(pieces: readonly Piece[]): Stack {
  const [top, bottom] = [pieces[0]?.line.base ?? 0, pieces.at(-1)?.line.base ?? 0];
  return { pieces, top, bottom, middle: (top + bottom) / 2 };
}

/** The best of three ways to assign a column's lines to rows: by first lines, middles or last lines. */
export function alignStacks(
  pieces: readonly Piece[],
  anchors: readonly Anchor[],
  leading: number,
): Alignment {
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
