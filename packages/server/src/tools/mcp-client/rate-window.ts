/** Counts events in consecutive time windows. */
export class RateWindow {
  readonly #most: number;
  readonly #windowMs: number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Counts one more event. @returns whether the limit is exceeded. */
  exceeds(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs > this.#windowMs) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > this.#most;
  }
}
