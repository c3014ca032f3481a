import type { Gutter } from "./gutters.ts";
import { median, Tally } from "../numbers/statistics.ts";
import type { PageWord } from "./words.ts";

/** Places are counted in steps of this many points. */
const STEP = 1.5;
/** Words that have to begin at one place, and rows that have to end before it. */
const LEAST_WORDS = 6;
const LEAST_ROWS = 4;
/** Columns are parted, not markers from their text. */
const LEAST_CHARACTERS_BEFORE = 5;
/** Places looked at, the most frequent first. */
const MAX_PLACES = 60;

/** Column gaps seen from the other side: many words that begin at the same place with white before them. */
export function columnStarts(words: readonly PageWord[]): Gutter[] {
  if (words.length < 2 * LEAST_WORDS) return [];
  const size = median(words.map((word) => word.size));
  const fromTop = placesFromTop(words);
  return placesOf(words).flatMap((x) => runsAt(x, fromTop, size));
}

/** Words from top to bottom, as columns of numbers: all are looked at for each place. */
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

/** Where the most words begin. */
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

/** Stretches of the page in which no word crosses the white before `x`. */
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

/** Words from `first` to before `end`, with white from `from` to `x`. */
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
