import type { Price } from "../product/price.ts";

/** Further choices of an item, such as its sizes. */
export interface OptionGroup {
  readonly name: string;
  readonly options: readonly { readonly name: string; readonly price: Price | undefined }[];
}

/** One dish or drink. */
export interface MenuItem {
  readonly name: string;
  readonly description: string | undefined;
  readonly price: Price | undefined;
  readonly inStock: boolean;
  /** Such as `vegan`. */
  readonly dietary: readonly string[];
  readonly calories: number | undefined;
  readonly optionGroups: readonly OptionGroup[];
  /** What the restaurant's system calls it. */
  readonly merchantItemId: string | undefined;
  /** As the page writes them. */
  readonly images: readonly { readonly url: string; readonly alt: string | undefined }[];
}

export interface MenuSection {
  readonly name: string;
  readonly description: string | undefined;
  readonly items: readonly MenuItem[];
}

/** The menu of a page. */
export interface Menu {
  /** How sure it is that the page has a menu, from 0 to 1. */
  readonly confidence: number;
  readonly merchant: {
    readonly name: string;
    readonly type: string | undefined;
    readonly location: string | undefined;
  };
  /** ISO 4217; undefined when the page does not say. */
  readonly currency: string | undefined;
  readonly sections: readonly MenuSection[];
}

/** A menu as one source has it. */
export interface FoundMenu {
  readonly confidence: number;
  readonly sections: readonly MenuSection[];
}
