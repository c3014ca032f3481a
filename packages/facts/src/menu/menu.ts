import type { Price } from "../product/price.ts";

/** Choices for an item, such as its sizes. */
export interface OptionGroup {
  readonly name: string;
  readonly options: readonly { readonly name: string; readonly price: Price | undefined }[];
}

/** A dish or drink. */
export interface MenuItem {
  readonly name: string;
  readonly description: string | undefined;
  readonly price: Price | undefined;
  readonly inStock: boolean;
  /** Diets such as `vegan`. */
  readonly dietary: readonly string[];
  readonly calories: number | undefined;
  readonly optionGroups: readonly OptionGroup[];
  /** Id in the restaurant's system. */
  readonly merchantItemId: string | undefined;
  /** URLs as the page writes them; may be relative. */
  readonly images: readonly { readonly url: string; readonly alt: string | undefined }[];
}

export interface MenuSection {
  readonly name: string;
  readonly description: string | undefined;
  readonly items: readonly MenuItem[];
}

export interface Menu {
  /** Confidence that the page has a menu, 0 to 1. */
  readonly confidence: number;
  readonly merchant: {
    readonly name: string;
    readonly type: string | undefined;
    readonly location: string | undefined;
  };
  /** ISO 4217; undefined if the page does not say. */
  readonly currency: string | undefined;
  readonly sections: readonly MenuSection[];
}

/** The menu from one source. */
export interface FoundMenu {
  readonly confidence: number;
  readonly sections: readonly MenuSection[];
}
