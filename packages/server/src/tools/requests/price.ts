import type { CatalogueTool } from "../catalogue/tool-index.ts";

/** Maximum price of these calls together. */
export function highestPrice(calls: readonly CatalogueTool[]): number {
  const prices = calls.map(({ capability: { creditsCost, perRecord, maxRecords } }) =>
    perRecord ? creditsCost * maxRecords : creditsCost,
  );
  return total(prices);
}

/** Actual price of these calls together. */
export function priceOf(results: readonly { readonly creditsCost: number }[]): number {
  return total(results.map(({ creditsCost }) => creditsCost));
}

/**
 * Rounds the total up to whole credits, once per request. Millionths are ignored, because they are
 * floating-point errors.
 */
function total(prices: readonly number[]): number {
  const sum = prices.reduce((all, price) => all + price, 0);
  return Math.ceil(Math.round(sum * 1e6) / 1e6);
}
