import { gapsBetween, middleY, overlapX, overlapY, type Rect, unionOf, widthOf } from "./numbers/geometry.ts";

const MAX_DEPTH = 12;
/** In em. Narrower white space between columns is coincidence. */
const COLUMN_GAP = 0.5;
/** In em. Strips may overlap by this much. */
const STRIP_OVERLAP = 0.15;
/** In em. A line is larger than text; lines of a column are this close. */
const LARGER = 1.2;
const SAME_COLUMN = 0.6;
/** In points. Strips further apart are not read column by column together. */
const MAX_STRIP_DISTANCE = 40;
/** Larger groups that no cut divides are read from top to bottom. */
const MAX_TANGLED = 200;

/** `isFlowing` marks text of several lines, as in columns. */
interface Placed extends Rect {
  readonly isFlowing: boolean;
}

/**
 * Sorts items into reading order. It cuts the page into columns where white space runs from top to bottom,
 * else into strips. Strips that share a column gap are read column by column together.
 *
 * @param size - font size, in points
 */
export function readingOrder<T extends Placed>(items: readonly T[], size: number, depth = 0): T[] {
  if (items.length < 2 || depth > MAX_DEPTH) return [...items].sort(fromTop);
  const parts = cut(items, size);
  if (parts.length > 1) return parts.flatMap((part) => readingOrder(part, size, depth + 1));
  return untangle(items);
}

function fromTop(a: Rect, b: Rect): number {
  return a.y0 - b.y0 || a.x0 - b.x0;
}

function cut<T extends Placed>(items: readonly T[], size: number): T[][] {
  const columns = columnsOf(items, size);
  if (columns.length > 1) return columns;
  const strips = stripsOf(items, size);
  if (strips.length < 2) return strips;
  const groups = stripsWithOneGap(strips, size);
  return groups.length > 1 ? groups : strips;
}

function columnsOf<T extends Rect>(items: readonly T[], size: number): T[][] {
  return split(items, { start: ({ x0 }) => x0, end: ({ x1 }) => x1, gap: COLUMN_GAP * size });
}

function stripsOf<T extends Rect>(items: readonly T[], size: number): T[][] {
  return split(items, { start: ({ y0 }) => y0, end: ({ y1 }) => y1, gap: -STRIP_OVERLAP * size });
}

interface Axis {
  readonly start: (rect: Rect) => number;
  readonly end: (rect: Rect) => number;
  readonly gap: number;
}

function split<T extends Rect>(items: readonly T[], { start, end, gap }: Axis): T[][] {
  const parts: T[][] = [];
  let reached = -Infinity;
  for (const item of [...items].sort((a, b) => start(a) - start(b))) {
    const part = parts.at(-1);
    if (part && start(item) - reached <= gap) part.push(item);
    else parts.push([item]);
    reached = Math.max(reached, end(item));
  }
  return parts;
}

interface Gap {
  readonly x0: number;
  readonly x1: number;
}

interface Group<T> {
  readonly items: T[];
  gaps: readonly Gap[];
  /** True for one text column, possibly the first of several that begin at different heights. */
  readonly isColumn: boolean;
}

function stripsWithOneGap<T extends Placed>(strips: readonly (readonly T[])[], size: number): T[][] {
  const groups: Group<T>[] = [];
  for (const [at, strip] of strips.entries()) {
    const [, ...gaps] = gapsBetween(strip, 0, COLUMN_GAP * size);
    const group = groups.at(-1);
    const shared = group ? sharedGaps(group, strip, gaps, size) : [];
    if (
      group &&
      shared.length > 0 &&
      !isHeadOf(strips[at + 1], strip, { above: group.items, gaps: shared, size })
    ) {
      group.items.push(...strip);
      group.gaps = shared;
      continue;
    }
    const isColumn = gaps.length === 0 && strip.every(({ isFlowing }) => isFlowing);
    groups.push({ items: [...strip], gaps, isColumn });
  }
  return groups.map(({ items }) => items);
}

/** True for a line below columns that is larger, or nearer to what reaches across them below it. */
function isHeadOf<T extends Placed>(
  below: readonly T[] | undefined,
  strip: readonly T[],
  {
    above,
    gaps,
    size,
  }: { readonly above: readonly T[]; readonly gaps: readonly Gap[]; readonly size: number },
): boolean {
  const [line] = strip;
  if (!below || !line || strip.length > 1 || line.isFlowing) return false;
  const isNearer = unionOf(below).y0 - line.y1 < line.y0 - unionOf(above).y1;
  const isLarger = line.y1 - line.y0 > LARGER * size;
  return (isNearer || isLarger) && !gaps.some((gap) => isFree(gap, below));
}

function sharedGaps<T extends Placed>(
  group: Group<T>,
  strip: readonly T[],
  gaps: readonly Gap[],
  size: number,
): readonly Gap[] {
  if (group.gaps.length > 0 && gaps.length > 0) return intersect(group.gaps, gaps, size);
  if (!isNear(group.items, strip)) return [];
  if (group.gaps.length > 0) return group.gaps.filter((gap) => isFree(gap, strip));
  return group.isColumn || isRightAbove(group.items, strip, size)
    ? gaps.filter((gap) => isFree(gap, group.items))
    : [];
}

/** True where each item is as close to the one below it as lines of a column are. */
function isRightAbove(above: readonly Rect[], below: readonly Rect[], size: number): boolean {
  return above.every((item) =>
    below.some((other) => overlapX(item, other) > 0 && Math.abs(other.y0 - item.y1) < SAME_COLUMN * size),
  );
}

function intersect(gaps: readonly Gap[], others: readonly Gap[], size: number): Gap[] {
  return gaps.flatMap((gap) => {
    const same = others.find(
      (other) => Math.min(other.x1, gap.x1) - Math.max(other.x0, gap.x0) > COLUMN_GAP * size,
    );
    return same ? [{ x0: Math.max(same.x0, gap.x0), x1: Math.min(same.x1, gap.x1) }] : [];
  });
}

function isFree(gap: Gap, items: readonly Rect[]): boolean {
  return !items.some(({ x0, x1 }) => x0 < gap.x1 - 1 && x1 > gap.x0 + 1);
}

function isNear(above: readonly Rect[], below: readonly Rect[]): boolean {
  return unionOf(below).y0 - unionOf(above).y1 < MAX_STRIP_DISTANCE;
}

/** Orders items that no cut divides: each item follows all items that must be read before it. */
function untangle<T extends Rect>(items: readonly T[]): T[] {
  const rest = [...items].sort(fromTop);
  if (rest.length > MAX_TANGLED) return rest;
  const read: T[] = [];
  while (rest.length > 0) {
    const free = rest.findIndex((item) => !rest.some((other) => other !== item && comesBefore(other, item)));
    read.push(...rest.splice(Math.max(0, free), 1));
  }
  return read;
}

function comesBefore(a: Rect, b: Rect): boolean {
  const isInColumn = overlapX(a, b) > 0.2 * Math.min(widthOf(a), widthOf(b));
  if (isInColumn) return middleY(a) < middleY(b);
  return a.x1 <= b.x0 + 2 && overlapY(a, b) > 0;
}
