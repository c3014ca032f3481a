import { HashFilter } from "./hash-filter.ts";
import { hashOfToken } from "./tokens.ts";

/** A table from token to a number, looked up by the token's hash. */
export class Lexicon {
  readonly #keys: Int32Array;
  readonly #odds: Float32Array;
  readonly #mask: number;
  readonly #filter = new HashFilter();

  /** `odds` has one number per token; 0 stands for "unknown" and is not stored. */
  constructor(tokens: readonly string[], odds: ArrayLike<number>) {
    let slots = 16;
    while (slots < tokens.length * 3) slots *= 2;
    this.#mask = slots - 1;
    this.#keys = new Int32Array(slots);
    this.#odds = new Float32Array(slots);
    tokens.forEach((token, index) => this.#add(hashOfToken(token), odds[index] ?? 0));
  }

  /** The number of a token, 0 for an unknown one. */
  oddsOf(hash: number): number {
    if (!this.#filter.mayHave(hash)) return 0;
    let slot = hash & this.#mask;
    for (;;) {
      const odds = this.#odds[slot] ?? 0;
      if (odds === 0 || this.#keys[slot] === hash) return odds;
      slot = (slot + 1) & this.#mask;
    }
  }

  #add(hash: number, odds: number): void {
    if (odds === 0) return;
    this.#filter.add(hash);
    let slot = hash & this.#mask;
    while ((this.#odds[slot] ?? 0) !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & this.#mask;
    this.#keys[slot] = hash;
    this.#odds[slot] = odds;
  }
}

/** Log-odds of being content, by word. */
export interface Lexica {
  /** Words of class, id, role and label, and element names. */
  readonly names: Lexicon;
  readonly words: Lexicon;
}
