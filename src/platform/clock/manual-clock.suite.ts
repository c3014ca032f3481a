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

  /** As somebody who sets the time of day: timers are not touched. */
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

/** Enough turns of the event loop for chains of statements, which take none of their own. */
export async function othersHadTheirTurn(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
