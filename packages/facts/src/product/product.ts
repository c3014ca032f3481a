import type { Price } from "./price.ts";

export interface Variant {
  readonly id: string | undefined;
  readonly sku: string | undefined;
  readonly title: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly price: Price | undefined;
  readonly originalPrice: Price | undefined;
  readonly inStock: boolean;
  /** The stock phrase as the page shows it. */
  readonly stockText: string | undefined;
  readonly images: readonly { readonly url: string; readonly alt: string | undefined }[];
}

export interface Product {
  readonly title: string;
  readonly brand: string | undefined;
  /** May be a path, from general to specific. */
  readonly category: string | undefined;
  /** Absolute. */
  readonly url: string;
  readonly description: string | undefined;
  /** At least one. */
  readonly variants: readonly Variant[];
}
