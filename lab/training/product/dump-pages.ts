import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { describePage } from "../../../packages/facts/src/product/page-signs.ts";
import { gatherProductEvidence } from "../../../packages/facts/src/product/product-evidence.ts";
import { evidenceOf, readLabelledPages } from "./labelled-pages.ts";

/** Writes the signs by which the service judges whether a page sells one product (`signs.json`), with out-of-fold price scores. */
function dumpSigns(): void {
  const { values } = parseArgs({
    options: { pages: { type: "string" }, others: { type: "string" }, out: { type: "string" } },
  });
  const { pages: folder, others, out } = values;
  if (folder === undefined || others === undefined || out === undefined) {
    throw new Error("Usage: dump-pages.ts --pages FOLDER --others FOLDER --out FOLDER");
  }
  const scores = JSON.parse(readFileSync(join(out, "out-of-fold.json"), "utf8")) as Record<string, number[]>;
  const pages = readLabelledPages(folder, others).map((page) => {
    const evidence = evidenceOf(page);
    const product = gatherProductEvidence(evidence, page.url);
    const signs = describePage(evidence, product, scores[page.id] ?? []);
    return {
      id: page.id,
      url: page.url,
      fold: page.fold,
      isProduct: page.isProduct,
      isLabelled: page.isLabelled,
      isTrained: page.isTrained,
      signs: signs.map((value) => Math.round(value * 1e4) / 1e4),
    };
  });
  writeFileSync(join(out, "signs.json"), JSON.stringify(pages));
  console.log(`${pages.length} pages, ${pages[0]?.signs.length} signs`);
}

dumpSigns();
