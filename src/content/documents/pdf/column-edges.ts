import type { Band } from "./bands.ts";
import { unionOf, widthOf } from "./geometry.ts";

/** Share of the rows with several pieces that may cross a column gap. */
const MOST_CROSSING = 0.1;
/** Narrower gaps, in sizes, part words. */
const LEAST_GAP = 0.6;

/** The middles of the gaps between the columns of rows, from left to right. Rows of one piece do not count. */
export function columnEdges(bands: readonly Band[]): number[] {
  const rows = bands.filter(({ lines }) => lines.length > 1);
  const box = unionOf(rows.flatMap(({ lines }) => lines));
  const size = bands[0]?.size ?? 0;
  const covered = coverOf(rows, box.x0, widthOf(box));
  const edges: number[] = [];
  let start = -1;
  covered.forEach((count, at) => {
    if (count <= MOST_CROSSING * rows.length) {
      if (start < 0) start = at;
    } else {
      if (start > 0 && at - start >= LEAST_GAP * size) edges.push(box.x0 + (start + at) / 2);
      start = -1;
    }
  });
  return edges;
}

/** For each point from `x0` on: how many pieces lie over it. */
function coverOf(rows: readonly Band[], x0: number, width: number): Int32Array {
  const changes = new Int32Array(Math.ceil(width) + 3);
  for (const line of rows.flatMap(({ lines }) => lines)) {
    const [from, to] = [Math.floor(line.x0 - x0), Math.ceil(line.x1 - x0) + 1];
    changes[from] = (changes[from] ?? 0) + 1;
    changes[to] = (changes[to] ?? 0) - 1;
  }
  let count = 0;
  return changes.map((change) => (count += change));
}
