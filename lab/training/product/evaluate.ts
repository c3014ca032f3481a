import { readFileSync } from "node:fs";
import { join } from "node:path";

import { extractMetadata } from "../../../packages/html/src/selection/metadata.ts";
import { parseHtml } from "../../../packages/html/src/parser/parse.ts";
import { findProduct } from "../../../packages/facts/src/product/find-product.ts";
import { gatherEvidence } from "../../../packages/facts/src/structured/evidence.ts";
import { readLabelledPages } from "./labelled-pages.ts";

const folder = process.env["LABELLED_PAGES"] ?? "";
const others = process.env["LABELLED_TEXTS"] ?? "";
const out = process.env["MODEL_FOLDER"] ?? "";

const idOf = new Map(readLabelledPages(folder, others).map(({ id, url }) => [url, id]));
const prices = readScores<number[]>("out-of-fold.json");
const skus = readScores<number[]>("sku-scores.json");
const pages = readScores<number>("page-scores.json");

/** The product that the service would find had it not learned from the page's site. */
export function product(html: string, url: string): unknown {
  const id = idOf.get(url) ?? "";
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => extractMetadata(tree, url) });
  const found = findProduct(evidence, url, {
    scorePrices: () => prices[id] ?? [],
    scoreSkus: () => skus[id] ?? [],
    scorePage: () => pages[id] ?? 0,
  });
  return (
    found && {
      ...found,
      variants: found.variants.map(({ inStock, ...variant }) => ({ ...variant, availability: { inStock } })),
    }
  );
}

function readScores<Value>(name: string): Readonly<Record<string, Value>> {
  return JSON.parse(readFileSync(join(out, name), "utf8")) as Record<string, Value>;
}
