import { randomUUID } from "node:crypto";

let latest = { ms: Number.NaN, start: "" };

/** Creates a random UUID whose order follows the clock (RFC 9562, version 7). */
export function uuidV7(nowMs: number = Date.now()): string {
  if (nowMs !== latest.ms) {
    const time = nowMs.toString(16).padStart(12, "0");
    latest = { ms: nowMs, start: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  // A version 4 UUID has its random bits in the same places; Node draws them from a pool, many at a time.
  return latest.start + randomUUID().slice(15);
}

/** Returns the creation time of a version 7 UUID, in milliseconds. */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
