import type { Price } from "./price.ts";

/** Where facts about a product come from, the most reliable first. */
export type FactSource = "json-ld" | "microdata" | "rdfa" | "state" | "meta" | "page";

/** What a product is called by machines: by the shop, by the maker, by everybody. */
export interface Identifier {
  readonly kind: "sku" | "productId" | "mpn" | "gtin" | "offer" | "state" | "meta";
  readonly value: string;
}

/** One thing that can be bought: the product, or a variant of it. Undefined is what the source does not say. */
export interface OfferFacts {
  readonly id: string | undefined;
  readonly sku: string | undefined;
  readonly title: string | undefined;
  /** What tells the variant from others: name of the option → its value. */
  readonly values: Readonly<Record<string, string>>;
  readonly price: Price | undefined;
  /** What it cost before a discount. */
  readonly originalPrice: Price | undefined;
  readonly inStock: boolean | undefined;
  readonly images: readonly string[];
}

/** What one source says about one product. */
export interface ProductFacts {
  readonly source: FactSource;
  readonly title: string | undefined;
  readonly brand: string | undefined;
  /** What the source calls the product, by the kind of name; variants have their own. */
  readonly identifiers: readonly Identifier[];
  readonly category: string | undefined;
  readonly description: string | undefined;
  /** As the source writes it. */
  readonly url: string | undefined;
  readonly images: readonly string[];
  readonly offers: readonly OfferFacts[];
}

export const NO_OFFER: OfferFacts = {
  id: undefined,
  sku: undefined,
  title: undefined,
  values: {},
  price: undefined,
  originalPrice: undefined,
  inStock: undefined,
  images: [],
};
