import { gapsBetween, type Rect, widthOf } from "../numbers/geometry.ts";
import { median } from "../numbers/statistics.ts";
import { isFigure, type Row, rowsOf } from "./rows.ts";
import type { PageWord } from "./words.ts";

/** Two columns are told by other signs; more are rather a table. */
const LEAST_COLUMNS = 3;
const MAX_COLUMNS = 7;
const LEAST_WORDS = 60;
const MAX_WORDS = 20_000;
/** Sizes of running text, relative to the usual one. */
const SMALLER = 0.8;
const LARGER = 1.15;
/** Share of the words that may cross the white space between columns, and its width in em. */
const MAX_CROSSING = 0.01;
const LEAST_GAP = 0.5;
/** In em. Columns are as wide as each other, up to this. */
const SAME_PITCH = 1;
const LEAST_LINES = 5;
/** Lines of running text: how much of the column their words fill, their share, and their characters. */
const FILLED = 0.6;
const FILLED_SHARE = 0.6;
const LEAST_CHARACTERS = 7;
const FIGURE_SHARE = 0.15;
/** In em. Rows of a table are further apart than lines; columns have no such gap beside each other. */
const ROW_GAP = 2;
const ONE_BAND_SHARE = 0.75;

/** Columns of running text between two heights. */
export interface TextColumns {
  readonly y0: number;
  readonly y1: number;
  /** Middles of the white space between the columns. */
  readonly gaps: readonly number[];
}

/** Index of the column in which it is; undefined beside and across the columns. */
export function columnAt(
  { y0, y1, gaps }: TextColumns,
  rect: Rect & { readonly base: number },
): number | undefined {
  if (rect.base < y0 || rect.base > y1) return undefined;
  const isAcross = gaps.some((x) => rect.x0 < x && rect.x1 > x);
  return isAcross ? undefined : gaps.filter((x) => x <= rect.x0).length;
}

/** At least three equally wide columns of running text, as in gazettes; undefined on other pages. */
export function textColumns(all: readonly PageWord[]): TextColumns | undefined {
  if (all.length < LEAST_WORDS) return undefined;
  const size = median(all.map((word) => word.size));
  const words = all.filter((word) => word.size > SMALLER * size && word.size < LARGER * size);
  if (words.length < LEAST_WORDS || words.length > MAX_WORDS) return undefined;
  const [, ...gaps] = gapsBetween(words, MAX_CROSSING * words.length, LEAST_GAP * size);
  if (gaps.length < LEAST_COLUMNS - 1 || gaps.length >= MAX_COLUMNS) return undefined;
  const middles = gaps.map((gap) => (gap.x0 + gap.x1) / 2);
  const band = bandOf(words, middles, size);
  if (band.words < ONE_BAND_SHARE * words.length) return undefined;
  const found = { y0: band.y0, y1: band.y1, gaps: middles };
  const columns = wordsByColumn(words, found);
  const figures = columns.flat().filter(({ text }) => isFigure(text)).length;
  if (figures > FIGURE_SHARE * columns.flat().length) return undefined;
  const rows = columns.map(rowsOf);
  const starts = rows.map((own) => median(own.flatMap((row) => row.words[0]?.x0 ?? [])));
  const pitches = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
  if (Math.max(...pitches) - Math.min(...pitches) > SAME_PITCH * size) return undefined;
  const width = median(pitches) - median(gaps.map((gap) => gap.x1 - gap.x0));
  return isRunning(rows, width) ? found : undefined;
}

function wordsByColumn(words: readonly PageWord[], columns: TextColumns): readonly PageWord[][] {
  const byColumn = [...columns.gaps, 0].map((): PageWord[] => []);
  for (const word of words) byColumn[columnAt(columns, word) ?? -1]?.push(word);
  return byColumn;
}

/** The largest stretch in which no white space lies beside all columns. */
function bandOf(words: readonly PageWord[], gaps: readonly number[], size: number) {
  const inside = words
    .filter(({ x0, x1 }) => !gaps.some((x) => x0 < x && x1 > x))
    .toSorted((a, b) => a.base - b.base);
  let best = { y0: 0, y1: 0, words: 0 };
  let first = 0;
  for (let at = 1; at <= inside.length; at++) {
    const [before, word] = [inside[at - 1], inside[at]];
    if (!before || (word && word.base - before.base < ROW_GAP * size)) continue;
    const band = { y0: (inside[first]?.base ?? 0) - 0.5, y1: before.base + 0.5, words: at - first };
    if (band.words > best.words) best = band;
    first = at;
  }
  return best;
}

function isRunning(columns: readonly (readonly Row[])[], width: number): boolean {
  const rows = columns.flat();
  if (columns.some(({ length }) => length < LEAST_LINES)) return false;
  const filled = rows.filter(
    (row) => row.words.reduce((sum, word) => sum + widthOf(word), 0) > FILLED * width,
  );
  const characters = median(rows.map((row) => row.words.reduce((sum, { text }) => sum + text.length, 0)));
  return filled.length > FILLED_SHARE * rows.length && characters >= LEAST_CHARACTERS;
}
