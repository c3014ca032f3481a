/** A window is kept in this many steps: one that has passed counts up to a hundredth of the window longer than it has to. */
const STEPS = 100;

export function stepMsOf(windowMs: number): number {
  return windowMs / STEPS;
}

/** Step of the clock and how many passed in it. */
type Step = [index: number, amount: number];

/** How many passed within the last `windowMs`, never fewer than there were. */
export class SlidingWindow {
  readonly #windowMs: number;
  readonly #stepMs: number;
  readonly #steps: Step[];
  #total: number;

  constructor(windowMs: number, steps: readonly Readonly<Step>[] = []) {
    this.#windowMs = windowMs;
    this.#stepMs = stepMsOf(windowMs);
    this.#steps = steps.map(([index, amount]) => [index, amount]);
    this.#total = this.#steps.reduce((sum, [, amount]) => sum + amount, 0);
  }

  /** @param text as `encode` made it. */
  static decode(windowMs: number, text: string): SlidingWindow {
    return new SlidingWindow(windowMs, JSON.parse(text) as Step[]);
  }

  encode(): string {
    return JSON.stringify(this.#steps);
  }

  total(nowMs: number): number {
    this.#forget(nowMs);
    return this.#total;
  }

  add(nowMs: number, amount: number): void {
    const index = this.#stepOf(nowMs);
    const newest = this.#steps.at(-1);
    // A clock that was set back a little goes on counting where it was.
    if (newest && newest[0] >= index) newest[1] += amount;
    else this.#steps.push([index, amount]);
    this.#total += amount;
  }

  /** Takes back what was added in this step and not used. */
  giveBack(index: number, amount: number): void {
    const step = this.#steps.find(([known]) => known === index);
    if (!step) return;
    const given = Math.min(step[1], amount);
    step[1] -= given;
    this.#total -= given;
  }

  /**
   * Has at least what the other window of the same key has. Each is what one process knew of it at some time, so what both
   * have is the same and not twice as much.
   */
  include(other: SlidingWindow, nowMs: number): void {
    const steps = new Map(this.#steps);
    for (const [index, amount] of other.#steps) steps.set(index, Math.max(amount, steps.get(index) ?? 0));
    const merged = [...steps].toSorted(([one], [another]) => one - another);
    this.#steps.splice(0, this.#steps.length, ...merged);
    this.#total = merged.reduce((sum, [, amount]) => sum + amount, 0);
    this.#forget(nowMs);
  }

  /** When fewer than `limit` are in the window. */
  freeAtMs(nowMs: number, limit: number): number {
    let total = this.total(nowMs);
    for (const step of this.#steps) {
      if (total < limit) break;
      total -= step[1];
      if (total < limit) return this.#endOf(step);
    }
    return nowMs;
  }

  /** When nothing is left in the window. */
  emptyAtMs(nowMs: number): number {
    const newest = this.#steps.at(-1);
    return newest ? this.#endOf(newest) : nowMs;
  }

  #stepOf(timeMs: number): number {
    return Math.floor(timeMs / this.#stepMs);
  }

  #endOf([index]: Readonly<Step>): number {
    return Math.ceil((index + 1) * this.#stepMs + this.#windowMs);
  }

  #forget(nowMs: number): void {
    // What lies further ahead than a window can is of a clock that was set back.
    if ((this.#steps.at(-1)?.[0] ?? 0) > this.#stepOf(nowMs) + STEPS) this.#drop(this.#steps.length);
    const kept = this.#steps.findIndex((step) => this.#endOf(step) > nowMs);
    this.#drop(kept < 0 ? this.#steps.length : kept);
  }

  #drop(count: number): void {
    for (const [, amount] of this.#steps.splice(0, count)) this.#total -= amount;
  }
}
