import type { CatalogueTool } from "../catalogue/tool-index.ts";

/** The most that these calls can cost together. */
export function highestPrice(calls: readonly CatalogueTool[]): number {
  const prices = calls.map(({ capability: { creditsCost, perRecord, maxRecords } }) =>
    perRecord ? creditsCost * maxRecords : creditsCost,
  );
  return total(prices);
}

/** What they did cost. */
export function priceOf(results: readonly { readonly creditsCost: number }[]): number {
  return total(results.map(({ creditsCost }) => creditsCost));
}

/** Parts of a credit count as one, once for the whole request. Millionths are what floating point adds. */
function total(prices: readonly number[]): number {
  const sum = prices.reduce((all, price) => all + price, 0);
  return Math.ceil(Math.round(sum * 1e6) / 1e6);
}
