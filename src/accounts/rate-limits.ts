import { RateLimitError } from "../contract/errors.ts";

const WINDOW_MS = 60_000;

/** Counts requests in fixed windows of a minute, each window for all subjects at once. */
export class RateLimits {
  readonly #clock: () => number;
  readonly #counts = new Map<string, number>();
  #windowStartMs = Number.NEGATIVE_INFINITY;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /**
   * Counts one request of the subject; `limit` requests a minute pass.
   * @throws RateLimitError when it is one too many.
   */
  take(subject: string, limit: number): void {
    const nowMs = this.#clock();
    // A clock that was set back starts a new window, too.
    if (nowMs - this.#windowStartMs >= WINDOW_MS || nowMs < this.#windowStartMs) {
      this.#windowStartMs = nowMs - (nowMs % WINDOW_MS);
      this.#counts.clear();
    }
    const consumed = (this.#counts.get(subject) ?? 0) + 1;
    this.#counts.set(subject, consumed);
    if (consumed > limit) throw tooMany(consumed, this.#windowStartMs + WINDOW_MS, nowMs);
  }
}

function tooMany(consumed: number, resetsAtMs: number, nowMs: number): RateLimitError {
  const seconds = Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000));
  return new RateLimitError(
    `Rate limit exceeded. Consumed (req/min): ${consumed}, Remaining (req/min): 0. Slow down or ask the operator for a higher limit; please retry after ${seconds}s, resets at ${new Date(resetsAtMs).toISOString()}`,
    seconds,
  );
}
