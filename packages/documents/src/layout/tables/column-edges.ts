import type { Band } from "./bands.ts";
import { unionOf, widthOf } from "../numbers/geometry.ts";

/** Maximum share of multi-piece rows that may cross a column gap. */
const MAX_CROSSING = 0.1;
/** Maximum head rows over several columns; also at most a quarter of all rows. */
const MAX_HEAD_ROWS = 4;
/** In em. Narrower gaps separate words. */
const LEAST_GAP = 0.3;
/** Steps per point in the search for gaps. */
const STEPS = 4;

/** Centres of the gaps between columns, from left to right. One-piece rows do not count. */
export function columnEdges(bands: readonly Band[]): number[] {
  const several = bands.filter(({ lines }) => lines.length > 1);
  const rows = several.slice(Math.min(MAX_HEAD_ROWS, Math.floor(several.length / 4)));
  const box = unionOf(rows.flatMap(({ lines }) => lines));
  const size = bands[0]?.size ?? 0;
  const covered = coverOf(rows, box.x0, widthOf(box));
  const edges: number[] = [];
  let start = -1;
  const most = MAX_CROSSING * rows.length;
  for (let at = 0; at < covered.length; at++) {
    if ((covered[at] ?? 0) <= most) {
      if (start < 0) start = at;
    } else {
      if (start > 0 && at - start >= LEAST_GAP * size * STEPS) edges.push(box.x0 + (start + at) / 2 / STEPS);
      start = -1;
    }
  }
  return edges;
}

/** Number of pieces over each step, counted from `x0`. */
function coverOf(rows: readonly Band[], x0: number, width: number): Int32Array {
  const cover = new Int32Array(Math.ceil(width * STEPS) + 3);
  for (const { lines } of rows)
    for (const { segments } of lines)
      for (const segment of segments) {
        const from = Math.floor((segment.x0 - x0) * STEPS);
        const to = Math.ceil((segment.x1 - x0) * STEPS);
        cover[from] = (cover[from] ?? 0) + 1;
        cover[to] = (cover[to] ?? 0) - 1;
      }
  for (let at = 1; at < cover.length; at++) cover[at] = (cover[at] ?? 0) + (cover[at - 1] ?? 0);
  return cover;
}
