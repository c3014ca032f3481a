import { readFileSync } from "node:fs";
import { join } from "node:path";

import type * as findProductModule from "../../src/facts/product/find-product.ts";
import type * as labelledPagesModule from "../product/labelled-pages.ts";
import { readLabelledPages } from "../product/labelled-pages.ts";
import type { ProductModels } from "../../src/facts/product/models.ts";
import { shareRight } from "./product-score.ts";
import type { Comparison, Rule } from "./rule.ts";
import { copySources } from "./switched-sources.ts";

/**
 * Rules of the product format, on pages as trees see them that have not learned from their site.
 * @param scores folder of what `training/product/run.sh` wrote
 */
export async function compareProduct(
  rules: readonly Rule[],
  products: string,
  texts: string,
  scores: string,
): Promise<readonly Comparison[]> {
  const sources = copySources("product", rules);
  const { findProduct } = (await sources.load(
    "src/facts/product/find-product.ts",
  )) as typeof findProductModule;
  const { openPage } = (await sources.load(
    "training/product/labelled-pages.ts",
  )) as typeof labelledPagesModule;
  const modelsOf = readModels(scores);
  return readLabelledPages(products, texts)
    .filter(({ isLabelled }) => isLabelled)
    .flatMap((page) => {
      const evidence = openPage(page);
      const models = modelsOf(page.id);
      const answer = (): number => shareRight(page, findProduct(evidence(), page.url, models));
      const withRule = answer();
      return rules.map(({ name }) => {
        const without = sources.without(name, answer);
        return { rule: name, site: page.site, withRule, without };
      });
    });
}

function readModels(folder: string): (id: string) => ProductModels {
  const read = <Value>(name: string) =>
    JSON.parse(readFileSync(join(folder, name), "utf8")) as Readonly<Record<string, Value>>;
  const prices = read<number[]>("out-of-fold.json");
  const skus = read<number[]>("sku-scores.json");
  const pages = read<number>("page-scores.json");
  return (id) => ({
    scorePrices: () => prices[id] ?? [],
    scoreSkus: () => skus[id] ?? [],
    scorePage: () => pages[id] ?? 0,
  });
}
