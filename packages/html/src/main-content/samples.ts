import type { PageTables } from "./tables/page-tables.ts";

/** From so many blocks on, not every block of a page is judged: one stands for the next ones, too. */
const MAX_JUDGED = 20_000;
/** Blocks of more words are judged each for itself. */
const SHORT_WORDS = 60;
/** Of a run of equal short blocks, so many are judged at its beginning, and one in so many after that. */
const FIRST = 2;
const STEP = 8;
/** A run ends where so many blocks come without another of its kind. */
const REACH = 60;

/** Blocks that follow each other at some distance: of the same elements and classes, and about as long. */
interface Run {
  /** The block found last. */
  last: number;
  count: number;
  /** The block judged last. */
  judged: number;
}

/**
 * By block: the block that is judged in its stead, at or before it. The cells of a table, the titles of cards, the
 * lines of code are kept or dropped together, so some of the short ones tell enough.
 */
export function findSamples({ blocks, texts, repetition }: PageTables): Int32Array {
  const { size } = blocks;
  const step = Math.ceil(size / MAX_JUDGED) || 1;
  const samples = new Int32Array(size);
  const runs = new Map<number, Run>();
  for (let block = 0; block < size; block++) {
    const words = texts.words[block] ?? 0;
    if (block % step !== 0) samples[block] = samples[block - 1] ?? 0;
    else if (words > SHORT_WORDS) samples[block] = block;
    else {
      const key = (repetition.signature[block] ?? 0) * 4 + lengthClass(words);
      samples[block] = sampleOf(block, key, runs);
    }
  }
  return samples;
}

function sampleOf(block: number, key: number, runs: Map<number, Run>): number {
  const run = runs.get(key);
  if (run === undefined || block - run.last > REACH) {
    runs.set(key, { last: block, count: 1, judged: block });
    return block;
  }
  run.last = block;
  const order = run.count++;
  if (order < FIRST || order % STEP === 0) run.judged = block;
  return run.judged;
}

function lengthClass(words: number): number {
  return words < 3 ? 0 : words < 7 ? 1 : words < 13 ? 2 : 3;
}
