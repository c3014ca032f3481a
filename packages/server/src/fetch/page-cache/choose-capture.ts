import type { StoredCapture } from "./capture-rows.ts";

/** A page that fails this often in a row counts as failing: its last error is the answer. */
const ERRORS_THAT_COUNT = 3;

/** How long a page that is not there, or not for us, is believed to stay so. */
const REFUSAL_LASTS_MS = 10 * 60 * 1000;

/** Whether a stored answer of a site still tells what the site would answer. */
export function isLasting({ statusCode, cachedAtMs }: StoredCapture, nowMs: number): boolean {
  if (statusCode === 429 || statusCode >= 500) return false;
  return statusCode < 400 || nowMs - cachedAtMs <= REFUSAL_LASTS_MS;
}

/** The newest success, unless at least three newer ones are errors or there is none: then the newest. */
export function chooseCapture(newestFirst: readonly StoredCapture[]): StoredCapture | undefined {
  const newerErrors = newestFirst.findIndex(({ statusCode }) => statusCode >= 200 && statusCode < 300);
  const isFailing = newerErrors === -1 || newerErrors >= ERRORS_THAT_COUNT;
  return newestFirst[isFailing ? 0 : newerErrors];
}
