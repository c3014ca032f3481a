import { median, Tally } from "../numbers/statistics.ts";
import { isFigure, type Row } from "./rows.ts";
import type { PageWord } from "./words.ts";

/** Fewer rows with the same gap are coincidence. */
const LEAST_GAP_ROWS = 4;
/** In em. Rows further apart do not share a gap. */
const MAX_DISTANCE = 4;

/** White space between the columns of a page or of a table, from top to bottom. */
export function columnGapsOf(rows: readonly Row[], words: readonly PageWord[]): readonly Gutter[] {
  return [...gutters(rows), ...columnStarts(words)].sort((a, b) => a.y0 - b.y0);
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
  // Before the first column no word ends.
  const leftmost = words.reduce((least, { x1 }) => Math.min(least, x1), Infinity);
  const places = placesOf(words).filter((x) => x - 0.62 * size >= leftmost);
  const fromTop = placesFromTop(places.length > 0 ? words : []);
  return places.flatMap((x) => runsAt(x, fromTop, size));
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
    .filter(([, count]) => count > 1)
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
  /** Rows are added to one list as the gap goes on. */
  readonly rows: { readonly row: Row; readonly gap: Gap }[];
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
    for (const gap of gaps)
      if (!taken.has(gap)) next.push({ ...gap, y0: row.base, y1: row.base, rows: [{ row, gap }] });
    open = next;
  }
  const long = [...found, ...open].filter(({ rows: { length } }) => length >= LEAST_GAP_ROWS);
  return long.filter((gap) => !isChance(gap, long)).map(gutterOf);
}

/** In em. Wider corridors are no chance. */
const CHANCE_WIDTH = 2;
/** In em; and the shares of rows with the same edge, of a column of text and of one in a table. */
const SAME_EDGE = 0.3;
const FLUSH_SHARE = 0.6;
const ALIGNED_SHARE = 0.8;

/**
 * True if blanks of justified lines stand below each other by chance: lines fill their column from edge to edge, and no edge is
 * at the blanks.
 */
function isChance(gap: OpenGap, all: readonly OpenGap[]): boolean {
  const size = gap.rows[0]?.row.size ?? 0;
  if (gap.x1 - gap.x0 > CHANCE_WIDTH * size) return false;
  const hasEdge = (edges: readonly number[], share: number) => {
    const alike = (edge: number) => edges.filter((other) => Math.abs(other - edge) < SAME_EDGE * size).length;
    return edges.some((edge) => alike(edge) >= share * edges.length);
  };
  const [ends, starts] = [gap.rows.map((one) => one.gap.x0), gap.rows.map((one) => one.gap.x1)];
  if (hasEdge(ends, ALIGNED_SHARE) || hasEdge(starts, ALIGNED_SHARE)) return false;
  const figures = gap.rows.filter(({ row, gap: { x1 } }) =>
    isFigure(row.words.find(({ x0 }) => x0 === x1)?.text ?? ""),
  );
  if (2 * figures.length > gap.rows.length) return false;
  const longer = all.filter((other) => other.rows.length > 2 * gap.rows.length);
  const pieces = gap.rows.map((one) => pieceAround(one.row, one.gap, longer));
  if (pieces.filter(({ isEven }) => isEven).length < ALIGNED_SHARE * pieces.length) return false;
  return [pieces.map(({ x0 }) => x0), pieces.map(({ x1 }) => x1)].every((edges) =>
    hasEdge(edges, FLUSH_SHARE),
  );
}

/** Blanks of a justified line are about equal; behind a stop they are wider. */
const EVEN = 0.6;

interface Piece extends Gap {
  readonly isEven: boolean;
}

/** From where to where the words around the gap stand, up to longer gaps. */
function pieceAround({ base, words }: Row, gap: Gap, longer: readonly OpenGap[]): Piece {
  const here = longer.filter(({ y0, y1 }) => y0 <= base && base <= y1);
  const left = Math.max(-Infinity, ...here.map(({ x1 }) => x1).filter((x) => x <= gap.x0 + 1));
  const right = Math.min(Infinity, ...here.map(({ x0 }) => x0).filter((x) => x >= gap.x1 - 1));
  const own = words.filter(({ x0, x1 }) => x0 > left - 1 && x1 < right + 1);
  const blanks = own.slice(1).map((word, at) => word.x0 - (own[at]?.x1 ?? 0));
  const isEven = blanks.every((blank) => blank >= EVEN * (gap.x1 - gap.x0));
  return { x0: own[0]?.x0 ?? gap.x0, x1: own.at(-1)?.x1 ?? gap.x1, isEven };
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
  gap.rows.push({ row, gap: same });
  return { ...gap, x0, x1, y1: row.base };
}

function isCrossed(gap: Gap, { words, size }: Row): boolean {
  return words.some((word) => word.x0 < gap.x1 - 0.3 * size && word.x1 > gap.x0 + 0.3 * size);
}

function gutterOf({ x0, x1, y0, y1 }: OpenGap): Gutter {
  return { x: (x0 + x1) / 2, y0: y0 - 0.5, y1: y1 + 0.5 };
}
