/** `limit` requests pass at once, and then as many again in each window. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Expresses one limit as one time (the generic cell rate algorithm, GCRA): the time when everything that has
 * passed is worked off, at one each `windowMs / limit`. At most twice the limit passes within any one window.
 */
export function roomAt(nowMs: number, dueMs: number, { limit, windowMs }: Rate): number {
  const freeMs = windowMs - (startOf(nowMs, dueMs, windowMs) - nowMs);
  // The billionth makes up for rounding in the division.
  return Math.max(0, Math.floor((freeMs / windowMs) * limit + 1e-9));
}

/** Returns the new due time after `amount` more have passed. A negative amount gives back unused ones. */
export function dueAfter(amount: number, nowMs: number, dueMs: number, { limit, windowMs }: Rate): number {
  const startMs = startOf(nowMs, dueMs, windowMs);
  return amount === 0 ? startMs : startMs + (amount * windowMs) / limit;
}

/** Details for a refused caller: its position in the window, and the time when the next one would pass. */
export function refusalAt(nowMs: number, dueMs: number, { limit, windowMs }: Rate) {
  const spacingMs = windowMs / limit;
  return {
    consumed: Math.ceil((dueMs - nowMs) / spacingMs - 1e-9) + 1,
    freeAtMs: Math.ceil(dueMs + spacingMs - windowMs),
  };
}

/** A time more than two windows ahead was written by a clock that has since been set back. */
function startOf(nowMs: number, dueMs: number, windowMs: number): number {
  return dueMs > nowMs + 2 * windowMs ? nowMs : Math.max(dueMs, nowMs);
}
