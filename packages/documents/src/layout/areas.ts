import { heightOf, overlapX, overlapY, type Rect, unionOf, widthOf } from "./numbers/geometry.ts";
import type { Line } from "./page/line.ts";
import type { HorizontalRule } from "./tables/rulings.ts";

/** In em. Lines further apart belong to different areas. */
const MAX_DISTANCE = 2.3;
const NEAREST = 0.4;
/** Maximum and minimum font size relative to the previous line of the area. */
const LARGER = 1.17;
const SMALLER = 0.86;
/**
 * On pages with more lines, each line is an area of its own, as grouping compares a line with the areas
 * above.
 */
const MAX_LINES = 3000;

/** Consecutive similar lines of one column. */
export interface TextArea extends Rect {
  readonly lines: readonly Line[];
}

/** Tables and horizontal rules end an area. */
interface Separators {
  readonly solids: readonly Rect[];
  /** From top to bottom. */
  readonly rules: readonly HorizontalRule[];
}

interface OpenArea {
  readonly lines: Line[];
  box: Rect;
  last: Line;
}

interface Placed {
  readonly line: Line;
  readonly area: OpenArea;
}

export function areasOf(lines: readonly Line[], separators: Separators): TextArea[] {
  const sorted = [...lines].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  if (sorted.length > MAX_LINES) return sorted.map((line) => ({ ...unionOf([line]), lines: [line] }));
  const areas: OpenArea[] = [];
  const placed: Placed[] = [];
  for (const line of sorted) {
    const area = bestAreaFor(line, openAbove(line, placed), { areas, separators });
    placed.push({ line, area: area ? extend(area, line) : open(areas, line) });
  }
  return areas.map((area) => ({ ...area.box, lines: area.lines }));
}
function open(areas: OpenArea[], line: Line): OpenArea {
  const area = { lines: [line], box: unionOf([line]), last: line };
  areas.push(area);
  return area;
}

function extend(area: OpenArea, line: Line): OpenArea {
  area.lines.push(line);
  area.box = unionOf([area.box, line]);
  area.last = line;
  return area;
}

/** Areas close enough above the line to continue with it, nearest first. */
function openAbove(line: Line, placed: readonly Placed[]): OpenArea[] {
  const highest = line.base - (MAX_DISTANCE / SMALLER) * line.size;
  const found: OpenArea[] = [];
  for (let at = placed.length - 1; at >= 0; at--) {
    const before = placed[at];
    if (!before || before.line.base < highest) break;
    if (before.area.last === before.line) found.push(before.area);
  }
  return found;
}

interface Surroundings {
  readonly areas: readonly OpenArea[];
  readonly separators: Separators;
}

function bestAreaFor(
  line: Line,
  candidates: readonly OpenArea[],
  { areas, separators }: Surroundings,
): OpenArea | undefined {
  const scored = candidates
    .map((area) => ({ area, score: fitOf(line, area) }))
    .filter(({ score }) => score > 0);
  const best = scored
    .sort((a, b) => b.score - a.score)
    .find(({ area }) => !isParted(line, area, separators) && !isInTheWay(line, area, areas));
  return best?.area;
}

/** Higher is a better fit; 0 means that the line does not continue the area. */
function fitOf(line: Line, { last, box }: OpenArea): number {
  const down = line.base - last.base;
  const size = Math.max(line.size, last.size);
  if (down < NEAREST * line.size || down > MAX_DISTANCE * size || !looksAlike(line, last)) return 0;
  const shared = overlapX(line, box);
  if (shared < 0.5 * Math.min(widthOf(line), widthOf(box))) return 0;
  return shared / Math.max(widthOf(line), widthOf(box)) + 1 / (1 + down / size);
}

function looksAlike(line: Line, last: Line): boolean {
  const ratio = line.size / last.size;
  if (ratio > LARGER || ratio < SMALLER) return false;
  return line.isBold === last.isBold || (ratio <= 1.06 && ratio >= 0.94);
}

function isParted(line: Line, { last }: OpenArea, { solids, rules }: Separators): boolean {
  const size = Math.max(line.size, last.size);
  const isBetween = (rect: Rect) =>
    rect.y0 > last.base - 1 && rect.y0 < line.base && overlapX(rect, line) > 0;
  if (solids.some(isBetween)) return true;
  const [from, to] = [last.base + 0.1 * size, line.y0 + 0.1 * size];
  return rulesBetween(rules, from, to).some(
    (rule) => Math.min(rule.x1, line.x1) - Math.max(rule.x0, line.x0) > 0.5 * widthOf(line),
  );
}

function rulesBetween(rules: readonly HorizontalRule[], from: number, to: number): readonly HorizontalRule[] {
  let [low, high] = [0, rules.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rules[middle]?.y ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((rules[end]?.y ?? Infinity) < to) end++;
  return rules.slice(low, end);
}

/** A wide line below one of two columns must not pull that column into itself. */
function isInTheWay(line: Line, own: OpenArea, areas: readonly OpenArea[]): boolean {
  const joined = unionOf([line, own.box]);
  return areas.some((other) => {
    if (other === own || other.box.y1 < joined.y0) return false;
    const isBeside = overlapX(joined, other.box) > 0.3 * widthOf(other.box);
    return isBeside && overlapY(joined, other.box) > 0.4 * Math.min(line.size, heightOf(other.box));
  });
}
