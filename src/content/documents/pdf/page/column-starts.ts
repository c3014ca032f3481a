import type { Gutter } from "./gutters.ts";
import { median, Tally } from "../../numbers/statistics.ts";
import type { PageWord } from "./words.ts";

/** Places are counted in steps of this many points. */
const STEP = 1.5;
/** Words that have to begin at one place, and rows that have to end before it. */
const LEAST_WORDS = 6;
const LEAST_ROWS = 4;
/** Columns are parted, not markers from their text. */
const LEAST_CHARACTERS_BEFORE = 5;
/** Places looked at, the most frequent first. */
const MOST_PLACES = 60;

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
    .slice(0, MOST_PLACES)
    .map(([place]) => place * STEP);
}

interface Run {
  starts: number;
  characters: number;
  rows: number;
  /** The height of the last of them, in half sizes. */
  lastRow: number;
  readonly y0: number;
  y1: number;
}

/** Stretches of the page in which no word crosses the white before `x`. */
function runsAt(x: number, words: WordPlaces, size: number): Gutter[] {
  const from = x - 0.62 * size;
  const to = x - 0.6;
  const found: Gutter[] = [];
  let run: Run | undefined;
  const end = () => {
    if (run && isColumn(run)) found.push({ x: (from + to) / 2, y0: run.y0 - 0.5, y1: run.y1 + 0.5 });
    run = undefined;
  };
  for (let at = 0; at < words.base.length; at++) {
    const [x0, x1, base] = [words.x0[at] ?? 0, words.x1[at] ?? 0, words.base[at] ?? 0];
    if (x0 < to && x1 > from) {
      end();
      continue;
    }
    run ??= { starts: 0, characters: 0, rows: 0, lastRow: Number.NaN, y0: base, y1: base };
    run.y1 = base;
    if (Math.abs(x0 - x) < 1.6) run.starts++;
    else if (x1 <= from && x1 > from - 30 * size) {
      const row = Math.round(base / (0.5 * size));
      if (row !== run.lastRow) run.rows++;
      run.lastRow = row;
      run.characters += words.characters[at] ?? 0;
    }
  }
  end();
  return found;
}

function isColumn({ starts, rows, characters }: Run): boolean {
  return starts >= LEAST_WORDS && rows >= LEAST_ROWS && characters / rows > LEAST_CHARACTERS_BEFORE;
}
