import type { Database } from "../database/database.ts";

/** No lease is longer. One that ends later is of another clock: from before this machine was started again. */
export const MAX_LEASE_MS = 10 * 60 * 1000;

/**
 * Whole milliseconds since a moment that all processes of this machine share until it is started again (CLOCK_MONOTONIC
 * on Linux). Leases go by it and not by the time of day, which an operator may set while they are held: forward, and all of
 * them would be over at once; backward, and those of the dead would be held for hours.
 * NOTE: processes on several machines need the clock of their database instead: `leaseClockOf`.
 */
export function leaseClockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}

/** The clock of leases over a database: its server's, or the machine's. */
export function leaseClockOf(database: Pick<Database, "nowMs">): () => number {
  return database.nowMs?.bind(database) ?? leaseClockMs;
}

/** Whether a lease that is noted as held until then is over. */
export function isOver(untilMs: number, nowMs: number): boolean {
  return untilMs <= nowMs || untilMs > nowMs + MAX_LEASE_MS;
}
