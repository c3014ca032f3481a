import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { gatherProductEvidence } from "../../../packages/facts/src/product/product-evidence.ts";
import { findSkuCandidates } from "../../../packages/facts/src/product/variants.ts";
import { evidenceOf, readLabelledPages } from "./labelled-pages.ts";

/**
 * Writes what the service sees of the price candidates of labelled pages (`prices.json`): rows of numbers, and which of
 * them show the page's price.
 */
function dump(): void {
  const { values } = parseArgs({
    options: { pages: { type: "string" }, others: { type: "string" }, out: { type: "string" } },
  });
  const { pages: folder, others, out } = values;
  if (folder === undefined || others === undefined || out === undefined) {
    throw new Error("Usage: dump.ts --pages FOLDER --others FOLDER --out FOLDER");
  }
  const pages = readLabelledPages(folder, others).flatMap((page) => {
    if (page.isProduct && page.prices === undefined && page.isLabelled) return [];
    const evidence = evidenceOf(page);
    const product = gatherProductEvidence(evidence, page.url);
    const { candidates, rows } = product;
    const skus = findSkuCandidates(evidence, product);
    const prices = page.prices ?? [];
    return [
      {
        id: page.id,
        fold: page.fold,
        isLabelled: page.isLabelled,
        isTrained: page.isTrained,
        isProduct: page.isProduct,
        hasPrice: prices.length > 0,
        rows: rows.map((row) => row.map((value) => Math.round(value * 1e4) / 1e4)),
        labels: candidates.map(({ price }) =>
          prices.some((one) => Math.abs(one - price.amount) < 0.005) ? 1 : 0,
        ),
        skuRows: skus.map(({ row }) => row),
        skus: skus.map(({ value }) => value),
        skuLabels: skus.map(({ value }) => (page.skus?.some((sku) => fold(sku) === fold(value)) ? 1 : 0)),
        hasSku: page.skus !== undefined,
        wantedSkus: page.skus,
        texts: page.isLabelled ? candidates.map(({ text }) => text) : [],
      },
    ];
  });
  writeFileSync(join(out, "prices.json"), JSON.stringify(pages));
  const labelled = pages.filter(({ hasPrice }) => hasPrice);
  const shown = labelled.filter(({ labels }) => labels.includes(1)).length;
  console.log(
    `${pages.length} pages, ${labelled.length} with a price, ${shown} that show it among their candidates`,
  );
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

dump();
