import { readFileSync } from "node:fs";
import { join } from "node:path";

import type * as findProductModule from "../../../packages/facts/src/product/find-product.ts";
import type * as labelledPagesModule from "../product/labelled-pages.ts";
import { type LabelledPage, readLabelledPages } from "../product/labelled-pages.ts";
import { PARTS_ASIDE } from "../made/goods-aside.ts";
import { makeProducts, type MadeProductPage } from "../made/products.ts";
import { type ProductModels, shippedModels } from "../../../packages/facts/src/product/models.ts";
import { shareRight } from "./product-score.ts";
import type { Comparison, Rule } from "./rule.ts";
import { copySources } from "./switched-sources.ts";

/**
 * Rules of the product format, on pages as trees see them that have not learned from their site, and on made pages.
 * @param scores folder of what `npm run lab -- training product` wrote
 */
export async function compareProduct(
  rules: readonly Rule[],
  products: string,
  texts: string,
  scores: string,
): Promise<readonly Comparison[]> {
  const sources = copySources("product", rules);
  const { findProduct } = (await sources.load(
    "packages/facts/src/product/find-product.ts",
  )) as typeof findProductModule;
  const { openPage } = (await sources.load(
    "lab/training/product/labelled-pages.ts",
  )) as typeof labelledPagesModule;
  const modelsOf = readModels(scores);
  const labelled = readLabelledPages(products, texts).filter(({ isLabelled }) => isLabelled);
  const made = [...makeProducts(), ...makeProducts(PARTS_ASIDE)].map(asLabelled);
  return [...labelled, ...made].flatMap((page) => {
    const evidence = openPage(page);
    const models = page.isTrained ? modelsOf(page.id) : shippedModels();
    const answer = (): number => shareRight(page, findProduct(evidence(), page.url, models));
    const { answer: withRule, rules: met } = sources.watched(answer);
    return rules.map(({ name }) => {
      const without = met.has(name) ? sources.without(name, answer) : withRule;
      return { rule: name, site: page.site, withRule, without };
    });
  });
}

/** A made page; pages of one shop are one site. No model has seen it. */
function asLabelled({ row, html }: MadeProductPage): LabelledPage {
  return {
    id: row.id,
    url: row.url,
    site: `made ${row.id.split("-")[0] ?? ""}`,
    fold: 0,
    isProduct: true,
    isLabelled: true,
    isTrained: false,
    prices: row.truth.price,
    skus: row.truth.sku,
    truth: row.truth,
    html: () => html,
  };
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
