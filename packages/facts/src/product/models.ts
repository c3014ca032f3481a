import { lazy } from "@pergamon-dev/kit/lazy";
import { BATCH, Rows } from "@pergamon-dev/html/main-content/model/rows";
import { type PackedTrees, Trees } from "@pergamon-dev/html/main-content/model/trees";
import data from "./model-data.json" with { type: "json" };

/** Feature rows, all of the same length. */
type Table = readonly (readonly number[])[];

/** Tests and training substitute their own models. */
export interface ProductModels {
  /** For each price candidate, the likelihood that it is the price of the page's product. */
  scorePrices(rows: Table): readonly number[];
  /** For each identifier, the likelihood that it is the shop's SKU. */
  scoreSkus(rows: Table): readonly number[];
  /** Likelihood that a page with these features sells one product. */
  scorePage(signs: readonly number[]): number;
}

/** The models that the service ships with, unpacked on first use. */
export const shippedModels = lazy((): ProductModels => {
  const [prices, skus, pages] = [data.prices, data.skus, data.pages].map(scorer);
  return {
    scorePrices: (rows) => prices?.(rows) ?? [],
    scoreSkus: (rows) => skus?.(rows) ?? [],
    scorePage: (signs) => pages?.([signs])[0] ?? 0,
  };
});

function scorer({ columns, trees: packed }: { readonly columns: number; readonly trees: PackedTrees }) {
  const trees = new Trees(packed);
  return (table: Table): readonly number[] => {
    const batch = new Rows(columns, new Float32Array());
    const scores: number[] = [];
    for (let from = 0; from < table.length; from += BATCH) {
      batch.clear();
      for (const row of table.slice(from, from + BATCH)) {
        batch.begin();
        for (const value of row) batch.put(value);
      }
      scores.push(...trees.score(batch));
    }
    return scores;
  };
}
