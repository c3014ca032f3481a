import type { Price } from "./price.ts";

/** Sources of product facts, most reliable first. */
export type FactSource = "json-ld" | "microdata" | "rdfa" | "state" | "meta" | "page";

/** An identifier of a product: the shop's, the manufacturer's or a global one. */
export interface Identifier {
  readonly kind: "sku" | "productId" | "mpn" | "gtin" | "offer" | "state" | "meta";
  readonly value: string;
}

/** The product or a variant of it. Undefined fields are missing in the source. */
export interface OfferFacts {
  readonly id: string | undefined;
  readonly sku: string | undefined;
  readonly title: string | undefined;
  /** Option name → the variant's value. */
  readonly values: Readonly<Record<string, string>>;
  readonly price: Price | undefined;
  /** Price before a discount. */
  readonly originalPrice: Price | undefined;
  readonly inStock: boolean | undefined;
  readonly images: readonly string[];
}

/** Facts of one source about one product. */
export interface ProductFacts {
  readonly source: FactSource;
  readonly title: string | undefined;
  readonly brand: string | undefined;
  /** Identifiers by kind. Variants have their own. */
  readonly identifiers: readonly Identifier[];
  readonly category: string | undefined;
  readonly description: string | undefined;
  /** As the source writes it; may be relative. */
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
