import { isJsonObject } from "@pergamon-dev/kit/json";
import type { ProductAnswer } from "../api/product.ts";
import type { ScrapeTarget } from "./targets.ts";

type Values = Readonly<Record<string, unknown>>;

/** The compared values of a product: of one variant, or the lowest price, and of each of several. */
export function productValues(product: ProductAnswer | undefined): Values | null {
  if (!product || product.variants.length === 0) return null;
  const all = product.variants.map(({ price, availability: { inStock } }) => ({
    price: price?.amount ?? null,
    inStock,
  }));
  const prices = all.flatMap(({ price }) => price ?? []);
  const currency = product.variants.find(({ price }) => price?.currency)?.price?.currency ?? null;
  const lowest = prices.length === 0 ? null : Math.min(...prices);
  const values = { price: lowest, currency, inStock: all.some(({ inStock }) => inStock) };
  if (all.length === 1) return values;
  const named = product.variants.map(({ sku, id, title, values: chosen }, index) => {
    const options = Object.values(chosen ?? {}).join(" / ");
    return [sku ?? id ?? title ?? (options || String(index + 1)), all[index]] as const;
  });
  return { ...values, variants: Object.fromEntries(named) };
}

/** Whether a page shows anything of what is watched. Without it, the page is not the one that was meant. */
export function hasValues(values: unknown): boolean {
  if (Array.isArray(values)) return values.some(hasValues);
  return isJsonObject(values)
    ? Object.values(values).some(hasValues)
    : values !== null && values !== undefined;
}

/** The values, with prices of before where they differ by less than the threshold: small steps add up until they count. */
export function withinThreshold(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  threshold: ScrapeTarget["threshold"],
): unknown {
  if (threshold === undefined || !isJsonObject(before) || !isJsonObject(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([name, now]) => {
      const old = new Map(Object.entries(before)).get(name);
      if (name !== "price") return [name, withinThreshold({ before: old, after: now }, threshold)];
      return [name, isSmall(old, now, threshold) ? old : now];
    }),
  );
}

function isSmall(before: unknown, after: unknown, threshold: number | string): boolean {
  if (typeof before !== "number" || typeof after !== "number") return false;
  const least = typeof threshold === "number" ? threshold : (before * Number.parseFloat(threshold)) / 100;
  return Math.abs(after - before) < least;
}
