import { setTimeout as sleep } from "node:timers/promises";

import type { Database } from "../../../packages/server/src/storage/database/database.ts";

/** What no living process may hold any more by then. */
const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 500;

/** What has an owner, whose lease lasts as long as it lives. */
const OWNED = ["ledger_holds", "ledger_allotments", "jobs"] as const;

/** Waits until dead processes hold nothing, for a minute at most. @returns what they still hold, in words. */
export async function staleLocks(
  database: Database,
): Promise<{ readonly waitedMs: number; readonly left: readonly string[] }> {
  const startedMs = performance.now();
  for (;;) {
    const left = await held(database);
    const waitedMs = performance.now() - startedMs;
    if (left.length === 0 || waitedMs > LIMIT_MS) return { waitedMs, left };
    await sleep(LOOK_EVERY_MS);
  }
}

async function held(database: Database): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of OWNED) {
    const row = await database
      .prepared<{ count: number }>(
        `SELECT count(*) AS count FROM ${table}
         WHERE owner IS NOT NULL AND owner NOT IN (SELECT name FROM leases WHERE held_until > ?)`,
      )
      .get(database.nowMs?.() ?? Date.now());
    if (row && row.count > 0) found.push(`${row.count} rows of ${table}`);
  }
  return found;
}
