/** Numbers at random, the same ones for the same seed: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) >>> 0;
  }

  /** From 0 to below 1. */
  share(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.share() * end);
  }

  isOneOf(count: number): boolean {
    return this.below(count) === 0;
  }

  /** One of these, of which there has to be one. */
  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }
}
