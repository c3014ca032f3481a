import type { MadeProduct, ShopLanguages } from "./goods.ts";

/** How shops show one thing. */
export type Part = (product: MadeProduct) => string;

/** A way to show who made it; `title` says how its name is written then. */
export interface BrandPlace {
  readonly part: Part;
  readonly title?: Part;
}

/** Parts of a page, as HTML. */
export interface WrittenParts {
  readonly title: string;
  readonly price: string;
  readonly brand: string;
  readonly number: string;
  readonly stock: string;
  readonly others: string;
  readonly text: string;
}

/** What shops are put together of. */
export interface ShopParts {
  /** One per shop. */
  readonly names: readonly string[];
  readonly prices: readonly Part[];
  readonly brandPlaces: readonly BrandPlace[];
  readonly numbers: readonly Part[];
  readonly stocks: readonly Part[];
  readonly frames: readonly ((parts: WrittenParts) => string)[];
  readonly seed: number;
  /** Undefined: those of the shops that rules were written beside. */
  readonly languages?: ShopLanguages;
}
