import type { Database } from "../database/database.ts";

/**
 * Maximum duration of a lease. A lease that ends later was written by the clock of an earlier boot of this
 * machine.
 */
export const MAX_LEASE_MS = 10 * 60 * 1000;

/**
 * Whole milliseconds since a moment that all processes of this machine share until its next boot
 * (CLOCK_MONOTONIC on Linux). Leases use it instead of the time of day, which an operator may set while
 * leases are held: set forward, all leases would expire at once; set backward, leases of dead processes would
 * last for hours.
 * NOTE: processes on several machines need the clock of their database instead: `leaseClockOf`.
 */
export function leaseClockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}

/** Returns the clock of leases over a database: that of its server, or of this machine. */
export function leaseClockOf(database: Pick<Database, "nowMs">): () => number {
  return database.nowMs?.bind(database) ?? leaseClockMs;
}

/** Says whether a lease with this end has expired. */
export function isOver(untilMs: number, nowMs: number): boolean {
  return untilMs <= nowMs || untilMs > nowMs + MAX_LEASE_MS;
}
