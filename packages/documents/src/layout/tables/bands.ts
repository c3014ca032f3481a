import type { PageWord } from "../page/words.ts";
import { type Line, lineOf } from "../page/line.ts";

/** In line heights. Taller bands are split into lines. */
const TALLEST = 7;

export interface Band {
  /** Baselines of the first and last line. */
  readonly top: number;
  readonly base: number;
  readonly size: number;
  readonly lines: readonly Line[];
  /** True if its cells have several lines. */
  readonly isTall: boolean;
}

/** Groups lines whose heights overlap into one band if at least three are side by side. */
export function bandsOf(lines: readonly Line[]): Band[] {
  const bands: Band[] = [];
  let open: Line[] = [];
  let bottom = -Infinity;
  for (const line of [...lines].sort((a, b) => a.y0 - b.y0)) {
    if (open.length > 0 && line.y0 > bottom - 0.25 * line.size) {
      bands.push(...closeBand(open, bottom));
      open = [];
      bottom = -Infinity;
    }
    open.push(line);
    bottom = Math.max(bottom, line.y1);
  }
  return [...bands, ...closeBand(open, bottom)];
}

function closeBand(lines: readonly Line[], bottom: number): Band[] {
  const rows = bandsByBase(lines);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length === 1) return rows;
  const height = bottom - Math.min(...lines.map(({ y0 }) => y0));
  if (height >= TALLEST * first.size || !standApart(lines)) return rows;
  return [{ top: first.top, base: last.base, size: first.size, lines: byPlace(lines), isTall: true }];
}

function bandsByBase(lines: readonly Line[]): Band[] {
  const rows: Line[][] = [];
  for (const line of [...lines].sort((a, b) => a.base - b.base)) {
    const row = rows.at(-1);
    const base = row?.[0]?.base ?? -Infinity;
    if (row && Math.abs(base - line.base) < 0.35 * line.size) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => {
    const { base, size } = row[0] ?? { base: 0, size: 0 };
    return { top: base, base, size, lines: byPlace(row), isTall: false };
  });
}

function byPlace(lines: readonly Line[]): Line[] {
  return [...lines].sort((a, b) => a.x0 - b.x0);
}

/** True if at least three lines, or stacks of lines, are side by side. */
function standApart(lines: readonly Line[]): boolean {
  let stacks = 0;
  let end = -Infinity;
  for (const line of byPlace(lines)) {
    if (line.x0 > end + 0.6 * line.size) stacks++;
    end = Math.max(end, line.x1);
  }
  return stacks >= 3;
}

/** In points. Words of a column begin within this distance. */
const SAME_START = 0.6;
/** Rows in which a cell begins where another row's line has a word, and their share. */
const LEAST_STARTS = 3;
const STARTS_SHARE = 0.6;

/** Parts lines at words that begin where the cells of most rows do, as behind a long text with hardly a gap. */
export function partedAtStarts(bands: readonly Band[]): readonly Band[] {
  const rows = bands.filter(({ lines }) => lines.length > 1);
  const all = rows.flatMap(({ lines }) => lines.slice(1).map(({ x0 }) => x0)).sort((a, b) => a - b);
  const least = Math.max(LEAST_STARTS, STARTS_SHARE * rows.length);
  const starts = all.filter(
    (x, at) =>
      (all[at + Math.ceil(least) - 1] ?? Infinity) - x < SAME_START && x - (all[at - 1] ?? 0) > SAME_START,
  );
  if (starts.length === 0) return bands;
  const isStart = (word: PageWord) => starts.some((x) => Math.abs(word.x0 - x) < SAME_START);
  return bands.map((band) => {
    if (band.lines.length < 2 || !band.lines.some((line) => crosses(line, starts))) return band;
    const lines = band.lines.flatMap((line) => (crosses(line, starts) ? partedAt(line, isStart) : [line]));
    return { ...band, lines };
  });
}

function crosses({ x0, x1 }: Line, starts: readonly number[]): boolean {
  return starts.some((x) => x > x0 + SAME_START && x < x1 - SAME_START);
}

function partedAt({ words }: Line, isStart: (word: PageWord) => boolean): Line[] {
  const parts: PageWord[][] = [];
  for (const word of words) {
    const open = parts.at(-1);
    if (open && !isStart(word)) open.push(word);
    else parts.push([word]);
  }
  return parts.map(lineOf);
}
