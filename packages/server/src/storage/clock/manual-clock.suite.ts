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

/** Tells whether something is under way that turns of the event loop do not end, such as statements at a server. */
type Elsewhere = () => Promise<void> | undefined;

const elsewhere = new Set<Elsewhere>();

/**
 * @param progress over when something that is under way has changed; undefined when nothing is under way.
 * @returns what ends it.
 */
export function waitForOthers(progress: Elsewhere): () => void {
  elsewhere.add(progress);
  return () => elsewhere.delete(progress);
}

/** Enough turns of the event loop for chains of statements, which take none of their own where there is no server. */
export async function othersHadTheirTurn(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const underWay = [...elsewhere].flatMap((progress) => progress() ?? []);
      if (underWay.length === 0) break;
      // To look again and again takes the processor from the server that is waited for.
      await Promise.race(underWay);
      await new Promise((resolve) => setImmediate(resolve));
      turn = 0;
    }
  }
}
