import { hashOf } from "./characters.ts";

const SLOTS = 256;

/** A set of attribute names that can be tested against many elements without reading any name. */
export class AttributeNames {
  /** Indexed by the low bits of the hash. */
  readonly #slots = new Uint8Array(SLOTS);

  /** @param names - lower-case, separated by spaces */
  constructor(names: string) {
    for (const name of names.split(" ")) this.#slots[hashOf(name) & (SLOTS - 1)] = 1;
  }

  /** Returns false only when no name of the set has this hash. */
  mayHold(hash: number): boolean {
    return this.#slots[hash & (SLOTS - 1)] === 1;
  }
}

/** The most frequent names, by hash. They need not be cut out of the source. */
export const usualNames: ReadonlyMap<number, string> = new Map(
  `alt aria-controls aria-current aria-expanded aria-hidden aria-label aria-labelledby aria-selected async
   charset class colspan content crossorigin d data-action data-id data-index data-name data-srcset data-src
   data-target data-test data-testid data-toggle data-type data-url data-value datetime decoding dir disabled
   fill fill-rule height href hreflang id itemprop itemscope itemtype lang loading maxlength media method name
   onclick placeholder property rel role rowspan sizes src srcset stroke stroke-width style tabindex target
   title type value viewbox width xlink:href xmlns`
    .split(/\s+/u)
    .map((name) => [hashOf(name), name]),
);
