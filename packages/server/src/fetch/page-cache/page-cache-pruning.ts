import { setImmediate as nextTurn } from "node:timers/promises";

import type { Database } from "../../storage/database/database.ts";
import { oldestCaptures, sizesAfter } from "./capture-rows.ts";

interface PruneTask {
  readonly database: Database;
  readonly maxBytes: number;
  readonly nowMs: number;
  /** Removes a capture with its blob. @returns whether it still existed. */
  readonly remove: (captureId: string) => Promise<boolean>;
}

/** Maximum age in lockdown: 730 days (contract, section 1.1). */
const MAX_AGE_MS = 63_072_000_000;
/** Captures removed between two pauses. */
const REMOVE_BATCH = 50;
/** Rows summed between two pauses, which takes about a millisecond. */
const SUM_BATCH = 5_000;

/**
 * Removes captures that are too old, then the oldest, until the rest fits.
 * @returns the number of removed captures.
 */
export async function pruneCaptures(task: PruneTask): Promise<number> {
  let excessBytes = (await totalBytes(task.database)) - task.maxBytes;
  let removed = 0;
  for (;;) {
    const oldest = await oldestCaptures(task.database, REMOVE_BATCH);
    for (const { captureId, cachedAtMs, sizeBytes } of oldest) {
      if (excessBytes <= 0 && task.nowMs - cachedAtMs <= MAX_AGE_MS) return removed;
      if (await task.remove(captureId)) removed += 1;
      excessBytes -= sizeBytes;
    }
    if (oldest.length < REMOVE_BATCH) return removed;
    await nextTurn();
  }
}

async function totalBytes(database: Database): Promise<number> {
  let total = 0;
  let afterId = "";
  for (;;) {
    const { bytes, lastId } = await sizesAfter(database, afterId, SUM_BATCH);
    if (lastId === null) return total;
    total += bytes;
    afterId = lastId;
    await nextTurn();
  }
}
