import { RateLimitError } from "../api/errors.ts";
import type { Coordinator } from "../storage/coordination/coordinator.ts";

const WINDOW_MS = 60_000;

/** Counts requests over the last minute, together with every other process of this service. */
export class RateLimits {
  readonly #coordinator: Pick<Coordinator, "count">;
  readonly #clock: () => number;

  constructor(coordinator: Pick<Coordinator, "count">, clock: () => number = Date.now) {
    this.#coordinator = coordinator;
    this.#clock = clock;
  }

  /**
   * Counts one request of the subject; `limit` pass in any minute.
   * @throws RateLimitError when it is one too many.
   */
  async take(subject: string, limit: number): Promise<void> {
    const refusal = await this.#coordinator.count(subject, limit, WINDOW_MS);
    if (refusal) throw tooMany(refusal.consumed, refusal.freeAtMs, this.#clock());
  }
}

function tooMany(consumed: number, resetsAtMs: number, nowMs: number): RateLimitError {
  const seconds = Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000));
  return new RateLimitError(
    `Rate limit exceeded. Consumed (req/min): ${consumed}, Remaining (req/min): 0. Slow down or ask the operator for a higher limit; please retry after ${seconds}s, resets at ${new Date(resetsAtMs).toISOString()}`,
    seconds,
  );
}
