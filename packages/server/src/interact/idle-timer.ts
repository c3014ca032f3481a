import type { Clock } from "../storage/clock/clock.ts";

interface IdleTimerOptions {
  readonly idleMs: number;
  readonly clock: Clock;
  /** Time of the last use, by the same clock. */
  readonly usedMs: () => number;
  readonly onIdle: () => void;
}

/** Fires when something has been unused for the given time. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #cancel: () => void = () => undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Starts or restarts the wait. */
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
