export interface IdleTimerOptions {
  readonly idleMs: number;
  /** When it was last used, in milliseconds of `performance.now()`. */
  readonly usedMs: () => number;
  readonly onIdle: () => void;
}

/** Fires once something has been unused for so long. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Begins to wait, or continues waiting. */
  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#look(), Math.max(1, this.#leftMs())).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#leftMs() <= 0) this.#options.onIdle();
    else this.start();
  }

  #leftMs(): number {
    const { idleMs, usedMs } = this.#options;
    return usedMs() + idleMs - performance.now();
  }
}
