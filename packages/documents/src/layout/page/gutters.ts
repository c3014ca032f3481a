import type { Row } from "./rows.ts";
import type { PageWord } from "./words.ts";

/** Fewer rows with the same gap are coincidence. */
const LEAST_ROWS = 4;
/** In em. Rows further apart do not share a gap. */
const MAX_DISTANCE = 4;

/** White space between columns. Words on both sides of `x` from `y0` to `y1` belong to different lines. */
export interface Gutter {
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
}

interface Gap {
  readonly x0: number;
  readonly x1: number;
}

/** A gap that the next row may continue. */
interface OpenGap extends Gap {
  readonly y0: number;
  readonly y1: number;
  readonly rows: number;
}

/** Gaps between words that repeat over several rows. They separate columns, however narrow they are. */
export function gutters(rows: readonly Row[]): Gutter[] {
  const found: OpenGap[] = [];
  let open: OpenGap[] = [];
  for (const row of rows) {
    const gaps = gapsOf(row);
    const taken = new Set<Gap>();
    const next: OpenGap[] = [];
    for (const gap of open) {
      const longer = continueGap(gap, row, gaps, taken);
      (longer ? next : found).push(longer ?? gap);
    }
    for (const gap of gaps) if (!taken.has(gap)) next.push({ ...gap, y0: row.base, y1: row.base, rows: 1 });
    open = next;
  }
  return [...found, ...open].filter((gap) => gap.rows >= LEAST_ROWS).map(gutterOf);
}

function gapsOf({ words }: Row): Gap[] {
  const gaps: Gap[] = [];
  let before: PageWord | undefined;
  for (const word of words) {
    if (before && word.x0 - before.x1 > 0.55 * Math.max(word.size, before.size))
      gaps.push({ x0: before.x1, x1: word.x0 });
    before = word;
  }
  return gaps;
}

/**
 * Extends the gap by this row; undefined where the gap ends. A row with no words around the gap leaves it
 * open.
 */
function continueGap(gap: OpenGap, row: Row, gaps: readonly Gap[], taken: Set<Gap>): OpenGap | undefined {
  if (row.base - gap.y1 > MAX_DISTANCE * row.size) return undefined;
  const same = gaps.find(({ x0, x1 }) => Math.min(x1, gap.x1) - Math.max(x0, gap.x0) > 0.5 * row.size);
  if (!same) return isCrossed(gap, row) ? undefined : gap;
  taken.add(same);
  const [x0, x1] = [Math.max(same.x0, gap.x0), Math.min(same.x1, gap.x1)];
  return { x0, x1, y0: gap.y0, y1: row.base, rows: gap.rows + 1 };
}

function isCrossed(gap: Gap, { words, size }: Row): boolean {
  return words.some((word) => word.x0 < gap.x1 - 0.3 * size && word.x1 > gap.x0 + 0.3 * size);
}

function gutterOf({ x0, x1, y0, y1 }: OpenGap): Gutter {
  return { x: (x0 + x1) / 2, y0: y0 - 0.5, y1: y1 + 0.5 };
}
