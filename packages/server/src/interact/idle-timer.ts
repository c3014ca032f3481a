import type { Clock } from "../storage/clock/clock.ts";

interface IdleTimerOptions {
  readonly idleMs: number;
  readonly clock: Clock;
  /** When it was last used, by that clock. */
  readonly usedMs: () => number;
  readonly onIdle: () => void;
}

/** Fires once something has been unused for so long. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #cancel: () => void = () => undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Begins to wait, or continues waiting. */
  start(): void {
    this.stop();
    this.#cancel = this.#options.clock.after(Math.max(1, this.#leftMs()), () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    if (this.#leftMs() <= 0) this.#options.onIdle();
    else this.start();
  }

  #leftMs(): number {
    const { idleMs, usedMs, clock } = this.#options;
    return usedMs() + idleMs - clock.now();
  }
}
