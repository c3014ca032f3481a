/** The upper of the two middle values when there are two; 0 of none. */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? 0;
}

/** Counts what weighs how much. */
export class Tally<Key> {
  readonly #weights = new Map<Key, number>();

  add(key: Key, weight = 1): void {
    this.#weights.set(key, this.get(key) + weight);
  }

  get(key: Key): number {
    return this.#weights.get(key) ?? 0;
  }

  /** The heaviest key; of several the first. */
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

/** Means of values that lie no further apart than `tolerance`, ascending. */
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

/** The place of the nearest of ascending values; 0 when there are none. */
export function nearest(values: readonly number[], value: number): number {
  let best = 0;
  let distance = Infinity;
  values.forEach((candidate, at) => {
    const away = Math.abs(candidate - value);
    if (away < distance) [best, distance] = [at, away];
  });
  return best;
}
