import type { StoredCapture } from "./capture-rows.ts";

/** A page that fails this often in a row counts as failing: its last error is the answer. */
const ERRORS_THAT_COUNT = 3;

/** The newest success, unless at least three newer ones are errors or there is none: then the newest. */
export function chooseCapture(newestFirst: readonly StoredCapture[]): StoredCapture | undefined {
  const newerErrors = newestFirst.findIndex(({ statusCode }) => statusCode >= 200 && statusCode < 300);
  const isFailing = newerErrors === -1 || newerErrors >= ERRORS_THAT_COUNT;
  return newestFirst[isFailing ? 0 : newerErrors];
}
