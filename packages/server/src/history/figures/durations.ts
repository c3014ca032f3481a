const FIRST_MS = 10;
const FACTOR = 1.35;
/** The buckets cover 10 ms to more than a scrape can take. */
const BUCKETS = 34;

/** Upper ends of the buckets, inclusive. The last bucket has no end. */
export const durationEndsMs: readonly number[] = Array.from({ length: BUCKETS - 1 }, (_, index) =>
  Math.round(FIRST_MS * FACTOR ** index),
);

/** Index of the bucket that counts the duration. */
export function durationBucket(durationMs: number): number {
  const found = durationEndsMs.findIndex((endMs) => durationMs <= endMs);
  return found < 0 ? BUCKETS - 1 : found;
}

/**
 * The duration in whole milliseconds that this part of the counted durations does not exceed. It is
 * interpolated within its bucket, with an error of at most a sixth. Undefined when nothing was counted.
 * @param counts by bucket.
 * @param part from 0 to 1.
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

/** Mean duration in milliseconds, estimated from the middles of the buckets; 0 when nothing was counted. */
export function durationMean(counts: ReadonlyMap<number, number>): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return 0;
  return [...counts].reduce((sum, [bucket, count]) => sum + count * within(bucket, 0.5), 0) / total;
}

/** Buckets grow geometrically, so the interpolation within them is geometric, too. */
function within(bucket: number, part: number): number {
  const endMs = durationEndsMs[bucket] ?? (durationEndsMs.at(-1) ?? 0) * FACTOR;
  const startMs = bucket === 0 ? 1 : (durationEndsMs[bucket - 1] ?? 1);
  return Math.round(startMs * (endMs / startMs) ** part);
}
