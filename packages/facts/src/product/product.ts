import type { Price } from "./price.ts";

/** One way in which a product can be bought. */
export interface Variant {
  readonly id: string | undefined;
  readonly sku: string | undefined;
  readonly title: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly price: Price | undefined;
  readonly originalPrice: Price | undefined;
  readonly inStock: boolean;
  /** The phrase about its stock, as the page shows it. */
  readonly stockText: string | undefined;
  readonly images: readonly { readonly url: string; readonly alt: string | undefined }[];
}

/** The product that a page sells. */
export interface Product {
  readonly title: string;
  readonly brand: string | undefined;
  /** May be a path, from wide to narrow. */
  readonly category: string | undefined;
  /** Absolute. */
  readonly url: string;
  readonly description: string | undefined;
  /** At least one. */
  readonly variants: readonly Variant[];
}
