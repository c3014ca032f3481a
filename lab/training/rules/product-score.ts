import type { LabelledPage } from "../product/labelled-pages.ts";

/** A product as the service answers it, as far as it is labelled. */
export interface FoundProduct {
  readonly title?: string | undefined;
  readonly brand?: string | undefined;
  readonly variants: readonly {
    readonly id?: string | undefined;
    readonly sku?: string | undefined;
    readonly inStock: boolean;
    readonly price?: { readonly amount: number; readonly currency?: string | undefined } | undefined;
  }[];
}

const SAME_WORDS = 0.75;

/** The share of the labelled fields that are right; of a page without a product, whether none is found. */
export function shareRight({ isProduct, truth }: LabelledPage, found: FoundProduct | undefined): number {
  if (!isProduct) return found ? 0 : 1;
  const variants = found?.variants ?? [];
  const priced = variants.find(({ price }) => price) ?? variants[0];
  const skus = variants.flatMap(({ sku, id }) => sku ?? id ?? []);
  const results = [
    judged(truth.title, found?.title, hasSameWords),
    judged(truth.price, priced?.price?.amount, (want, got) => Math.abs(want - got) < 0.005),
    judged(truth.currency && [truth.currency], priced?.price?.currency, (want, got) => want === got),
    judged(truth.brand, found?.brand, isSameText),
    judged(
      truth.sku,
      skus.find((sku) => truth.sku?.some((want) => isSameText(want, sku))) ?? skus[0],
      isSameText,
    ),
    judged(
      truth.inStock === undefined ? undefined : [truth.inStock],
      found && variants.some(({ inStock }) => inStock),
      (want, got) => want === got,
    ),
  ].filter((result) => result !== undefined);
  return results.filter(Boolean).length / Math.max(1, results.length);
}

/** Undefined for what is not labelled. An empty list says that the page states none. */
function judged<Value>(
  wanted: readonly Value[] | undefined | "",
  got: Value | undefined,
  isSame: (want: Value, got: Value) => boolean,
): boolean | undefined {
  if (wanted === undefined || wanted === "") return undefined;
  if (got === undefined) return wanted.length === 0;
  return wanted.some((want) => isSame(want, got));
}

function isSameText(want: string, got: string): boolean {
  return folded(want) === folded(got);
}

function hasSameWords(want: string, got: string): boolean {
  const wanted = new Set(folded(want).split(" "));
  const found = new Set(folded(got).split(" "));
  const shared = [...wanted].filter((word) => found.has(word)).length;
  return shared / Math.max(wanted.size, found.size) >= SAME_WORDS || folded(got).startsWith(folded(want));
}

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("&amp;", "&")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
