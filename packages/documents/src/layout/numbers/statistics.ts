/** For an even count, the upper of the two middle values; 0 for no values. */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? 0;
}

/** Sums weights per key. */
export class Tally<Key> {
  readonly #weights = new Map<Key, number>();

  add(key: Key, weight = 1): void {
    this.#weights.set(key, this.get(key) + weight);
  }

  get(key: Key): number {
    return this.#weights.get(key) ?? 0;
  }

  /** The heaviest key; on a tie, the first. */
  top(): Key | undefined {
    let best: Key | undefined;
    let most = -Infinity;
    for (const [key, weight] of this.#weights) {
      if (weight <= most) continue;
      best = key;
      most = weight;
    }
    return best;
  }

  get entries(): ReadonlyMap<Key, number> {
    return this.#weights;
  }
}

/** Ascending means of groups of values; neighbours in a group differ by at most `tolerance`. */
export function cluster(values: readonly number[], tolerance: number): number[] {
  const groups: { sum: number; count: number; last: number }[] = [];
  for (const value of [...values].sort((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && value - group.last <= tolerance) {
      group.sum += value;
      group.count++;
      group.last = value;
    } else {
      groups.push({ sum: value, count: 1, last: value });
    }
  }
  return groups.map(({ sum, count }) => sum / count);
}

/** Index of the nearest value; `values` must be ascending. 0 if there are none. */
export function nearest(values: readonly number[], value: number): number {
  let best = 0;
  let distance = Infinity;
  values.forEach((candidate, at) => {
    const away = Math.abs(candidate - value);
    if (away < distance) [best, distance] = [at, away];
  });
  return best;
}
