import { type Row, rowsOf } from "./rows.ts";
import { type Line, lineOf } from "./line.ts";
import type { PageWord } from "./words.ts";
import { unionOf, widthOf } from "../numbers/geometry.ts";
import { Shelves } from "../numbers/shelves.ts";
import { median, Tally } from "../numbers/statistics.ts";

/** Fewer rows with the same gap are coincidence. */
const LEAST_GAP_ROWS = 4;
/** In em. Rows further apart do not share a gap. */
const MAX_DISTANCE = 4;

/** In em. Wider gaps split a row anywhere; gaps down to the smaller one split only at a column gap. */
const WIDE_GAP = 1.9;
const LEAST_GAP = 0.4;
/** In em. A bullet or number stays with its text up to this gap. */
const MARKER_GAP = 4.5;

const MARKER = /^(?:[^\p{L}\p{N}([]|\(?(?:\d{1,2}|[a-z])[.)])$/u;
const SECTION = /^[1-9]\d?(?:\.[1-9]\d?){0,3}\.?$/;
const FIGURE = /^[-–−+$€£(]*\d[\d.,]*[%)*]*$|^[-–—]$/;
const LEADER = /^\.{3,}$/;

/** The lines of a page, from top to bottom. Neighbouring columns get separate lines. */
export function linesOf(words: readonly PageWord[]): Line[] {
  const rows = rowsOf(words);
  const columnGaps = [...gutters(rows), ...columnStarts(words)].sort((a, b) => a.y0 - b.y0);
  const prose = words.filter(({ look }) => !look.isMonospaced);
  const hasTyped = prose.length < words.length;
  const gaps = {
    columnGaps,
    pageGaps: hasTyped
      ? [...pageGapsOf(prose), ...middleGaps(words, columnGaps)]
      : uncrossed(columnGaps, words),
  };
  return joinScripts(rows.flatMap((row) => cutRow(row, gaps)));
}

/** Share of the words of running text that may cross a gap between the columns of a page. */
const MAX_CROSSING = 0.04;

/** How far from the middle of the text the gap between two columns is, as a share of its width. */
const MIDDLE = 0.08;

/** Places of gaps between columns of running text, which hardly any of its words cross. */
function pageGapsOf(prose: readonly PageWord[]): number[] {
  return uncrossed([...gutters(rowsOf(prose)), ...columnStarts(prose)], prose);
}

/** Of pages that are mostly in fixed-width letters: gaps between two columns of the same width. */
function middleGaps(words: readonly PageWord[], gaps: readonly Gutter[]): number[] {
  const { x0, x1 } = unionOf(words);
  const isMiddle = ({ x }: Gutter) => Math.abs((x0 + x1) / 2 - x) < MIDDLE * (x1 - x0);
  return uncrossed(gaps.filter(isMiddle), words);
}

function uncrossed(gaps: readonly Gutter[], words: readonly PageWord[]): number[] {
  return [...new Set(gaps.map(({ x }) => Math.round(x)))].filter((x) => {
    const crossing = words.filter(({ x0, x1 }) => x0 < x - 1 && x1 > x + 1).length;
    return crossing <= MAX_CROSSING * words.length;
  });
}

interface PageGaps {
  readonly columnGaps: readonly Gutter[];
  /** Where words in fixed-width letters, and those of a justified line, are parted, too. */
  readonly pageGaps: readonly number[];
}

function cutRow(row: Row, { columnGaps, pageGaps }: PageGaps): Line[] {
  const here = columnGaps.filter(({ y0, y1 }) => y0 <= row.base && row.base <= y1);
  const isFigures = isRowOfFigures(row.words);
  const spread = isFigures ? undefined : spreadWords(row, pageGaps);
  const lines: Line[] = [];
  let words: PageWord[] = [];
  for (const word of row.words) {
    if (words.length > 0 && !spread?.has(word) && isCut(words, word, { here, pageGaps, isFigures })) {
      lines.push(lineOf(words));
      words = [];
    }
    words.push(word);
  }
  if (words.length > 0) lines.push(lineOf(words));
  return lines;
}

/** In em. Blanks of a justified line are as wide as this, and as equal. */
const MAX_BLANK = 4;
const SAME_BLANK = 0.06;
const LEAST_BLANKS = 2;

/** Words behind the blanks of justified lines: however wide, all of a line are equal. */
function spreadWords({ words, size }: Row, pageGaps: readonly number[]): ReadonlySet<PageWord> {
  const spread = new Set<PageWord>();
  let open: PageWord[] = [];
  const close = (): void => {
    const blanks = open.slice(1).map((word, at) => word.x0 - (open[at]?.x1 ?? 0));
    const isEven = Math.max(...blanks) - Math.min(...blanks) < SAME_BLANK * size;
    if (blanks.length >= LEAST_BLANKS && isEven && !open.some(({ text }) => FIGURE.test(text)))
      for (const word of open.slice(1)) spread.add(word);
  };
  for (const word of words) {
    const before = open.at(-1);
    const isParted =
      before &&
      (word.x0 - before.x1 > MAX_BLANK * size || pageGaps.some((x) => x > before.x1 && x < word.x0));
    if (isParted) {
      close();
      open = [];
    }
    open.push(word);
  }
  close();
  return spread;
}

/** In table rows that are mostly numbers, each number is a piece of its own. */
function isRowOfFigures(words: readonly PageWord[]): boolean {
  const figures = words.filter(({ text }) => FIGURE.test(text)).length;
  return figures >= 4 && figures > words.length * 0.5;
}

/** True for bullets and item numbers, and for bold section numbers before bold text. */
function isMarker(marker: PageWord, word: PageWord): boolean {
  const isBold = marker.isBold && word.isBold && marker.size === word.size;
  return MARKER.test(marker.text) || (isBold && SECTION.test(marker.text) && /^\p{Lu}/u.test(word.text));
}

interface RowGaps {
  readonly here: readonly Gutter[];
  readonly pageGaps: readonly number[];
  readonly isFigures: boolean;
}

function isCut(words: readonly PageWord[], word: PageWord, { here, pageGaps, isFigures }: RowGaps): boolean {
  const before = words.at(-1);
  if (!before) return false;
  const gap = word.x0 - before.x1;
  const size = Math.max(word.size, before.size);
  if (!isFigures && isTyped(before, word) && gap < TYPED_GAP * size) {
    return gap > LEAST_GAP * size && pageGaps.some((x) => x > before.x1 && x < word.x0);
  }
  if (!isFigures && isLeader(words)) return false;
  if (words.length === 1 && gap < MARKER_GAP * size && isMarker(before, word)) return false;
  if (gap > WIDE_GAP * size) return true;
  if (gap <= LEAST_GAP * size) return false;
  if (isFigures && FIGURE.test(word.text) && (FIGURE.test(before.text) || LEADER.test(before.text)))
    return true;
  return here.some(({ x }) => x > before.x1 - 0.5 && x < word.x0 + 0.5);
}

/** In em. Blanks part the words of a line in fixed-width letters, up to this gap. */
const TYPED_GAP = 20;

function isTyped(before: PageWord, word: PageWord): boolean {
  return before.look.isMonospaced && word.look.isMonospaced && before.size === word.size;
}

/** Dots lead from an entry to its page. */
function isLeader(words: readonly PageWord[]): boolean {
  const [before, last] = words.slice(-2).map(({ text }) => text);
  return (
    words.length > 1 &&
    (/[^.…·_][.…·_]{4,}$/.test(last ?? "") ||
      (DOTS.test(last ?? "") && DOTS.test(before ?? "")) ||
      /^[.…·_]{4,}$/.test(last ?? ""))
  );
}

const DOTS = /^[.…·_]+$/;

/** Pages with more lines skip the joining. */
const MAX_LINES = 3000;
/** In em of the line. Subscript baselines lie at most this far below it. */
const REACH_BELOW = 0.35;

/** Joins footnote marks and exponents to the line next to or around them. */
function joinScripts(lines: readonly Line[]): Line[] {
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

/** The nearest line with larger characters that vertically contains the small line's baseline. */
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

/** In points. x positions are rounded to this step. */
const STEP = 1.5;
/** Minimum words that begin at the place, and minimum rows that end before it. */
const LEAST_WORDS = 6;
const LEAST_ROWS = 4;
/** Prevents a list marker from being split from its text. */
const LEAST_CHARACTERS_BEFORE = 5;
/** Only the most frequent places are tried. */
const MAX_PLACES = 60;

/**
 * Finds column gaps from their right side: many words that begin at the same x with white space before them.
 */
function columnStarts(words: readonly PageWord[]): Gutter[] {
  if (words.length < 2 * LEAST_WORDS) return [];
  const size = median(words.map((word) => word.size));
  const fromTop = placesFromTop(words);
  return placesOf(words).flatMap((x) => runsAt(x, fromTop, size));
}

/** Words from top to bottom as number arrays, since every place scans all of them. */
interface WordPlaces {
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  readonly base: Float64Array;
  readonly characters: Int32Array;
}

function placesFromTop(words: readonly PageWord[]): WordPlaces {
  const count = words.length;
  const [x0, x1, base] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const characters = new Int32Array(count);
  [...words]
    .sort((a, b) => a.base - b.base)
    .forEach((word, at) => {
      x0[at] = word.x0;
      x1[at] = word.x1;
      base[at] = word.base;
      characters[at] = word.text.length;
    });
  return { x0, x1, base, characters };
}

/** x positions at which most words begin, most frequent first. */
function placesOf(words: readonly PageWord[]): number[] {
  const starts = new Tally<number>();
  for (const word of words) starts.add(Math.round(word.x0 / STEP));
  return [...starts.entries]
    .filter(([place, count]) => count + starts.get(place + 1) >= 5)
    .filter(([place, count]) => starts.get(place - 1) + count + starts.get(place + 1) >= LEAST_WORDS)
    .filter(([place, count]) => count >= starts.get(place - 1) && count >= starts.get(place + 1))
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_PLACES)
    .map(([place]) => place * STEP);
}

/** Vertical stretches in which no word crosses the white space before `x`. */
function runsAt(x: number, words: WordPlaces, size: number): Gutter[] {
  const { x0, x1, base } = words;
  const [from, to] = [x - 0.62 * size, x - 0.6];
  const found: Gutter[] = [];
  let first = 0;
  for (let at = 0; at <= base.length; at++) {
    const isCrossing = at === base.length || ((x0[at] ?? 0) < to && (x1[at] ?? 0) > from);
    if (!isCrossing) continue;
    if (at - first >= LEAST_WORDS + LEAST_ROWS && isColumn(words, { first, end: at, x, from, size }))
      found.push({ x: (from + to) / 2, y0: (base[first] ?? 0) - 0.5, y1: (base[at - 1] ?? 0) + 0.5 });
    first = at + 1;
  }
  return found;
}

/** Words from index `first` to `end` (exclusive), with white space from x `from` to `x`. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly x: number;
  readonly from: number;
  readonly size: number;
}

function isColumn({ x0, x1, base, characters }: WordPlaces, { first, end, x, from, size }: Run): boolean {
  let [starts, before, rows] = [0, 0, 0];
  let lastRow = Number.NaN;
  for (let at = first; at < end; at++) {
    if (Math.abs((x0[at] ?? 0) - x) < 1.6) {
      starts++;
      continue;
    }
    const right = x1[at] ?? 0;
    if (right > from || right <= from - 30 * size) continue;
    const row = Math.round((base[at] ?? 0) / (0.5 * size));
    if (row !== lastRow) rows++;
    lastRow = row;
    before += characters[at] ?? 0;
  }
  return starts >= LEAST_WORDS && rows >= LEAST_ROWS && before / rows > LEAST_CHARACTERS_BEFORE;
}

/** White space between columns. Words on both sides of `x` from `y0` to `y1` belong to different lines. */
interface Gutter {
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
function gutters(rows: readonly Row[]): Gutter[] {
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
  return [...found, ...open].filter((gap) => gap.rows >= LEAST_GAP_ROWS).map(gutterOf);
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
