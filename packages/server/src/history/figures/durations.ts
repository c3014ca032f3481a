const FIRST_MS = 10;
const FACTOR = 1.35;
/** From 10 ms to more than a scrape can take. */
const BUCKETS = 34;

/** Upper ends of the buckets, included; the last one has none. */
export const durationEndsMs: readonly number[] = Array.from({ length: BUCKETS - 1 }, (_, index) =>
  Math.round(FIRST_MS * FACTOR ** index),
);

/** In which bucket a duration is counted. */
export function durationBucket(durationMs: number): number {
  const found = durationEndsMs.findIndex((endMs) => durationMs <= endMs);
  return found < 0 ? BUCKETS - 1 : found;
}

/**
 * So long took this part of the counted durations at most, in whole milliseconds: estimated within its bucket, which is
 * a sixth wrong at most. Undefined when none was counted.
 * @param counts by bucket. @param part from 0 to 1.
 */
export function durationQuantile(counts: ReadonlyMap<number, number>, part: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let before = 0;
  for (const [bucket, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    if (before + count >= part * total) return within(bucket, (part * total - before) / count);
    before += count;
  }
  return undefined;
}

/** So long they took on average, estimated by the middle of their buckets; 0 when none was counted. */
export function durationMean(counts: ReadonlyMap<number, number>): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return 0;
  return [...counts].reduce((sum, [bucket, count]) => sum + count * within(bucket, 0.5), 0) / total;
}

/** Buckets grow by a factor, and so do the durations in them. */
function within(bucket: number, part: number): number {
  const endMs = durationEndsMs[bucket] ?? (durationEndsMs.at(-1) ?? 0) * FACTOR;
  const startMs = bucket === 0 ? 1 : (durationEndsMs[bucket - 1] ?? 1);
  return Math.round(startMs * (endMs / startMs) ** part);
}
