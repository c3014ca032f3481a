const WORDS = 2048;

/** A cheap filter: most hashes that were not added are recognized at once. */
export class HashFilter {
  readonly #bits = new Int32Array(WORDS);

  add(hash: number): void {
    const word = (hash >>> 5) & (WORDS - 1);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << hash);
  }

  /** False only for a hash that was not added. */
  mayHave(hash: number): boolean {
    return (((this.#bits[(hash >>> 5) & (WORDS - 1)] ?? 0) >>> hash) & 1) === 1;
  }
}

/** A set of hashes, fast for hashes that it does not hold. */
export class HashSet {
  readonly #filter = new HashFilter();
  readonly #hashes = new Set<number>();

  add(hash: number): void {
    this.#filter.add(hash);
    this.#hashes.add(hash);
  }

  has(hash: number): boolean {
    return this.#filter.mayHave(hash) && this.#hashes.has(hash);
  }
}
