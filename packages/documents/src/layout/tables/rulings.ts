import { type Rect, rectOf } from "../numbers/geometry.ts";
import type { FilledBox, PdfPage, Ruling } from "../page/page.ts";

/** More rulings than this make a drawing, not a table. */
const MAX_RULINGS = 6000;
/** Above this many box-line pairs, the comparison is skipped. */
const MAX_PAIRS = 1_000_000;
/** In points. Distance between a cell's rule and the coloured box behind its text. */
const LEAST_PADDING = 2;
const MAX_PADDING = 12;
/** In points. Closer rulings are one. */
const SAME_LINE = 1.6;
const SAME_END = 2.5;

export interface HorizontalRule {
  readonly y: number;
  readonly x0: number;
  readonly x1: number;
}

export interface VerticalRule {
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
}

export interface Rules {
  readonly horizontal: readonly HorizontalRule[];
  readonly vertical: readonly VerticalRule[];
}

/** The rulings of a page and the edges of coloured boxes that may be cells, with pieces joined. */
export function tableRules(page: PdfPage): Rules {
  const sides = page.rulings.flatMap((ruling) => (ruling.isHorizontal ? [] : [ruling]));
  const cells = page.boxes.filter(
    (box) => page.boxes.length * sides.length > MAX_PAIRS || !isInCell(box, sides),
  );
  const edges = cells.map((box) => edgesOf(box, page.width));
  const painted = cells.flatMap(({ box }, at) => ((edges[at] ?? []).length > 0 ? rectOf(box) : []));
  const all = [...page.rulings, ...edges.flat(), ...sidesBetween(painted)];
  if (all.length > MAX_RULINGS) return { horizontal: [], vertical: [] };
  return joinRules(all);
}

/** From top to bottom. */
export function horizontalRules(page: PdfPage): HorizontalRule[] {
  const rules = page.rulings.slice(0, MAX_RULINGS).filter((ruling) => ruling.isHorizontal);
  return rules.sort((a, b) => a.y - b.y);
}

/**
 * True for a coloured box behind the text of a cell with rules at both sides. Its edges are not table rules.
 */
function isInCell({ box }: FilledBox, sides: readonly VerticalRule[]): boolean {
  const { x0, y0, x1, y1 } = rectOf(box);
  const isBeside = (away: number, side: VerticalRule) =>
    away > LEAST_PADDING && away < MAX_PADDING && side.y0 < y0 + 1 && side.y1 > y1 - 1;
  return (
    sides.some((side) => isBeside(x0 - side.x, side)) && sides.some((side) => isBeside(side.x - x1, side))
  );
}

function edgesOf({ box, isWhite, isDrawing }: FilledBox, pageWidth: number): Ruling[] {
  const { x0, y0, x1, y1 } = rectOf(box);
  const [width, height] = [x1 - x0, y1 - y0];
  const isCell = width > 12 && height > 7 && height < 80 && width < 0.98 * pageWidth;
  if (isWhite || isDrawing || !isCell) return [];
  return [
    { isHorizontal: true, y: y0, x0, x1 },
    { isHorizontal: true, y: y1, x0, x1 },
    { isHorizontal: false, x: x0, y0, y1 },
    { isHorizontal: false, x: x1, y0, y1 },
  ];
}

interface Stretch {
  readonly at: number;
  from: number;
  to: number;
}

/** In points, and as a share of the lower of two boxes: a row that is not painted, between two that are. */
const MAX_UNPAINTED = 80;
const LEAST_UNPAINTED = 0.6;
const LEAST_PAINTED = 4;
const MAX_PAINTED = 500;

/**
 * Sides of the cells between painted ones, where cells are painted in turn and some are as high as several beside them. Where
 * whole rows are, their words tell more.
 */
function sidesBetween(painted: readonly Rect[]): Ruling[] {
  if (painted.length < LEAST_PAINTED || painted.length > MAX_PAINTED) return [];
  const boxes = painted.filter((box) => !painted.some((other) => other !== box && isInside(box, other)));
  const columns: Rect[][] = [];
  for (const box of boxes.toSorted((a, b) => a.y0 - b.y0)) {
    const column = columns.find(([top]) => top && isNear(top.x0, box.x0) && isNear(top.x1, box.x1));
    if (column) column.push(box);
    else columns.push([box]);
  }
  const gaps = columns.flatMap((column) =>
    column.slice(1).flatMap(({ x0, x1, y0, y1 }, at): Rect[] => {
      const above = column[at] ?? { y0, y1: y0 };
      const height = y0 - above.y1;
      const isRow =
        height > LEAST_UNPAINTED * Math.min(y1 - y0, above.y1 - above.y0) && height < MAX_UNPAINTED;
      return isRow ? [{ x0, x1, y0: above.y1, y1: y0 }] : [];
    }),
  );
  const between = gaps.filter((gap) => boxes.some((box) => adjoins(gap, box)));
  const cells = gaps.filter((gap) => between.includes(gap) || between.some((other) => adjoins(gap, other)));
  return cells.flatMap(({ x0, x1, y0, y1 }) => [x0, x1].map((x) => ({ isHorizontal: false, x, y0, y1 })));
}

/** True for cells of adjoining columns of which one is in the rows of the other. */
function adjoins(a: Rect, b: Rect): boolean {
  const isIn = (one: Rect, other: Rect) => one.y0 > other.y0 - SAME_END && one.y1 < other.y1 + SAME_END;
  return (isNear(a.x1, b.x0) || isNear(b.x1, a.x0)) && (isIn(a, b) || isIn(b, a));
}

function isInside(box: Rect, { x0, y0, x1, y1 }: Rect): boolean {
  return (
    box.x0 >= x0 &&
    box.y0 >= y0 &&
    box.x1 <= x1 &&
    box.y1 <= y1 &&
    (x1 - x0 > box.x1 - box.x0 || y1 - y0 > box.y1 - box.y0)
  );
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < SAME_END;

function joinRules(rulings: readonly Ruling[]): Rules {
  const horizontal: Stretch[] = [];
  const vertical: Stretch[] = [];
  for (const ruling of rulings) {
    if (ruling.isHorizontal) horizontal.push({ at: ruling.y, from: ruling.x0, to: ruling.x1 });
    else vertical.push({ at: ruling.x, from: ruling.y0, to: ruling.y1 });
  }
  return {
    horizontal: joinStretches(horizontal).map(({ at, from, to }) => ({ y: at, x0: from, x1: to })),
    vertical: joinStretches(vertical).map(({ at, from, to }) => ({ x: at, y0: from, y1: to })),
  };
}

/** Joins touching stretches on one line. */
function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const next of [...stretches].sort((a, b) => a.at - b.at || a.from - b.from)) {
    const same = findTouching(joined, next);
    if (same) {
      same.from = Math.min(same.from, next.from);
      same.to = Math.max(same.to, next.to);
    } else joined.push({ ...next });
  }
  return joined;
}

function findTouching(joined: readonly Stretch[], next: Stretch): Stretch | undefined {
  for (let at = joined.length - 1; at >= 0; at--) {
    const stretch = joined[at];
    if (!stretch || next.at - stretch.at >= SAME_LINE) return undefined;
    if (next.from <= stretch.to + SAME_END && next.to >= stretch.from - SAME_END) return stretch;
  }
  return undefined;
}
