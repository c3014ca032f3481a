/** Counts what happens within a time. */
export class RateWindow {
  readonly #most: number;
  readonly #windowMs: number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Counts one more. @returns whether it is too many. */
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
