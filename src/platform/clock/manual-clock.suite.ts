import type { Clock } from "./clock.ts";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(nowMs = Date.UTC(2026, 10, 15, 12)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Sets the time of day, without touching timers. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /** Moves the time; what is due on the way is done when it is due. Between two timers others have their turn. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.action();
      await othersHadTheirTurn();
    }
    this.#nowMs = endMs;
    await othersHadTheirTurn();
  }
}

/** Tell whether something is under way that turns of the event loop do not end, such as statements at a server. */
const elsewhere = new Set<() => boolean>();

/** @returns what ends it. */
export function waitForOthers(isBusy: () => boolean): () => void {
  elsewhere.add(isBusy);
  return () => elsewhere.delete(isBusy);
}

/** Enough turns of the event loop for chains of statements, which take none of their own where there is no server. */
export async function othersHadTheirTurn(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    while ([...elsewhere].some((isBusy) => isBusy())) {
      await new Promise((resolve) => setImmediate(resolve));
      turn = 0;
    }
  }
}
