import type { PageTables } from "./page-tables.ts";

/** From so many blocks on, not every block of a page is judged: one stands for the next ones, too. */
const MAX_JUDGED = 20_000;
/** In tables, lists and code of at least so many blocks, one short block stands for the next ones. */
const MIN_UNIT = 5;
const UNIT_STEP = 4;
const SHORT_WORDS = 12;

/**
 * By block: the block that is judged in its stead, at or before it. The parts of a table or of a list are kept or
 * dropped together, so a quarter of the short ones, the first two and the last tell enough.
 */
export function findSamples({ blocks, texts, units }: PageTables): Int32Array {
  const { size } = blocks;
  const step = Math.ceil(size / MAX_JUDGED) || 1;
  const counts = new Int32Array(size);
  for (const unit of units) counts[unit] = (counts[unit] ?? 0) + 1;
  const seen = new Int32Array(size);
  const latest = new Int32Array(size).fill(-1);
  const samples = new Int32Array(size);
  for (let block = 0; block < size; block++) {
    const unit = units[block] ?? 0;
    const count = counts[unit] ?? 0;
    const order = seen[unit] ?? 0;
    seen[unit] = order + 1;
    if (block % step !== 0) {
      samples[block] = samples[block - 1] ?? 0;
      continue;
    }
    const isEdge = order < 2 || order === count - 1;
    const isShort = (texts.words[block] ?? 0) <= SHORT_WORDS;
    const isWanted = count < MIN_UNIT || isEdge || order % UNIT_STEP === 0 || !isShort;
    if (isWanted || latest[unit] === -1) latest[unit] = block;
    samples[block] = latest[unit] ?? 0;
  }
  return samples;
}
