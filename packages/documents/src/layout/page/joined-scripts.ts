import { widthOf } from "../numbers/geometry.ts";
import { Shelves } from "../numbers/shelves.ts";
import { type Line, lineOf } from "./line.ts";

/** Above this many lines they stay as they are. */
const MAX_LINES = 3000;
/** How far below a line, in its sizes, the baselines of its indices may be. */
const REACH_BELOW = 0.35;

/** Footnote marks and exponents: small pieces next to or between the words of a line become part of it. */
export function joinScripts(lines: readonly Line[]): Line[] {
  const sorted = [...lines].sort(byPlace);
  if (sorted.length > MAX_LINES) return sorted;
  const byHeight = new Shelves(sorted, ({ y0, y1, size }) => [y0, y1 + REACH_BELOW * size]);
  const hosts = new Map<Line, Line[]>();
  const joined = new Set<Line>();
  for (const small of [...sorted].sort((a, b) => b.size - a.size)) {
    const host = isSmall(small) ? hostOf(small, byHeight.at(small.base), joined) : undefined;
    if (!host) continue;
    joined.add(small);
    hosts.set(host, [...(hosts.get(host) ?? []), small]);
  }
  return sorted.filter((line) => !joined.has(line)).map((line) => withScripts(line, hosts.get(line)));
}

function byPlace(a: Line, b: Line): number {
  return a.base - b.base || a.x0 - b.x0;
}

function isSmall(line: Line): boolean {
  return line.words.length <= 2 && widthOf(line) <= 6 * line.size;
}

/** The nearest line of larger characters whose height the small one's baseline is within. */
function hostOf(small: Line, lines: readonly Line[], joined: ReadonlySet<Line>): Line | undefined {
  let host: Line | undefined;
  let nearest = Infinity;
  for (const line of lines) {
    if (
      line.size <= small.size * 1.15 ||
      small.base < line.y0 ||
      small.base > line.y1 + REACH_BELOW * line.size
    )
      continue;
    const gap = Math.max(small.x0 - line.x1, line.x0 - small.x1, 0);
    if (gap >= 0.35 * line.size || gap >= nearest || line === small || joined.has(line)) continue;
    host = line;
    nearest = gap;
  }
  return host;
}

function withScripts(line: Line, scripts: readonly Line[] | undefined): Line {
  if (!scripts) return line;
  const small = scripts.flatMap(({ words }) => words.map((word) => ({ ...word, isScript: true })));
  return lineOf([...line.words, ...small].sort((a, b) => a.x0 - b.x0));
}
