/** Values by total weight, heaviest first; ties keep the order of first occurrence. */
export function tally<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item) => Value | undefined,
  weightOf: (item: Item) => number,
): readonly Value[] {
  return [...weigh(items, valueOf, weightOf)].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** Values with their total weight, in order of first occurrence. */
export function weigh<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item) => Value | undefined,
  weightOf: (item: Item) => number,
): ReadonlyMap<Value, number> {
  const weights = new Map<Value, number>();
  for (const item of items) {
    const value = valueOf(item);
    if (value !== undefined) weights.set(value, (weights.get(value) ?? 0) + weightOf(item));
  }
  return weights;
}
