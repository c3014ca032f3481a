import { rectOf } from "../numbers/geometry.ts";
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
  const all = [...page.rulings, ...cells.flatMap((box) => edgesOf(box, page.width))];
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
