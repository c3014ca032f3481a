/** Numbers by a seed: what is made is the same on every machine. */
export class MadeRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0 || 1;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state >>>= 0;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % limit;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.below(1000) < share * 1000;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }

  /** Some of the values in an order of their own. */
  some<Value>(values: readonly Value[], count: number): readonly Value[] {
    const left = [...values];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.below(left.length), 1),
    ).flat();
  }
}

/** Text as it stands in HTML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
