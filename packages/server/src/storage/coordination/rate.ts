/** So many at once, and then as many again in each window. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * One limit as one time (the generic cell rate algorithm, GCRA): when everything that has passed is worked off, at one
 * each `windowMs / limit`. Within a window that begins anywhere at most twice the limit passes.
 */
export function roomAt(nowMs: number, dueMs: number, { limit, windowMs }: Rate): number {
  const freeMs = windowMs - (startOf(nowMs, dueMs, windowMs) - nowMs);
  // A billionth for what a division loses.
  return Math.max(0, Math.floor((freeMs / windowMs) * limit + 1e-9));
}

/** The time once so many more have passed; less than none gives back what has not passed after all. */
export function dueAfter(amount: number, nowMs: number, dueMs: number, { limit, windowMs }: Rate): number {
  const startMs = startOf(nowMs, dueMs, windowMs);
  return amount === 0 ? startMs : startMs + (amount * windowMs) / limit;
}

/** What a refused caller is told: which one of the window it is, and when it would pass. */
export function refusalAt(nowMs: number, dueMs: number, { limit, windowMs }: Rate) {
  const spacingMs = windowMs / limit;
  return {
    consumed: Math.ceil((dueMs - nowMs) / spacingMs - 1e-9) + 1,
    freeAtMs: Math.ceil(dueMs + spacingMs - windowMs),
  };
}

/** A time further ahead than two windows is of a clock that was set back. */
function startOf(nowMs: number, dueMs: number, windowMs: number): number {
  return dueMs > nowMs + 2 * windowMs ? nowMs : Math.max(dueMs, nowMs);
}
