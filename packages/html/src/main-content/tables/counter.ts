export function mixed(first: number, second: number): number {
  const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** Counters by 32-bit key. */
export class Counter {
  readonly capacity: number;
  readonly #keys: Int32Array;
  readonly #counts: Int32Array;

  constructor(keys: number) {
    let capacity = 16;
    while (capacity < keys * 2) capacity *= 2;
    this.capacity = capacity;
    this.#keys = new Int32Array(capacity);
    this.#counts = new Int32Array(capacity);
  }

  /** Adds to the count of a key and returns its slot. */
  add(key: number, amount: number): number {
    const mask = this.capacity - 1;
    let slot = key & mask;
    while ((this.#counts[slot] ?? 0) !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    this.#keys[slot] = key;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + amount;
    return slot;
  }

  at(slot: number): number {
    return this.#counts[slot] ?? 0;
  }

  /** Returns the counts of many slots; 0 for slot -1. */
  ofSlots(slots: Int32Array): Int32Array {
    const counts = new Int32Array(slots.length);
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? -1;
      if (slot >= 0) counts[at] = this.#counts[slot] ?? 0;
    }
    return counts;
  }
}
