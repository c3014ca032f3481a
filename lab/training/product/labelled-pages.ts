import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { extractMetadata } from "../../../packages/html/src/selection/metadata.ts";
import { parseHtml } from "../../../packages/html/src/parser/parse.ts";
import { type Evidence, gatherEvidence } from "../../../packages/facts/src/structured/evidence.ts";

/** Parts that the sites are divided into for cross-validation. */
const FOLDS = 5;

/** A page with or without a product, as the index of the labelled pages has it. */
export interface LabelledPage {
  readonly id: string;
  readonly url: string;
  readonly site: string;
  readonly fold: number;
  readonly isProduct: boolean;
  /** False for pages of which only the type is known. */
  readonly isLabelled: boolean;
  /** False for pages whose licence allows measuring only. */
  readonly isTrained: boolean;
  /** Every price that is right; empty when the page states none; undefined when it is not labelled. */
  readonly prices: readonly number[] | undefined;
  /** Every identifier that is right. */
  readonly skus: readonly string[] | undefined;
  readonly truth: ProductTruth;
  html(): string;
}

/** What is labelled of a product; lists hold every value that is right, and are empty when the page states none. */
export interface ProductTruth {
  readonly title?: readonly string[];
  readonly brand?: readonly string[];
  readonly price?: readonly number[];
  readonly sku?: readonly string[];
  readonly currency?: string;
  readonly inStock?: boolean;
}

interface Row {
  readonly id: string;
  readonly url?: string;
  readonly product: boolean;
  readonly truth?: ProductTruth;
}

/** Pages whose licence allows measuring only: `lab/training/README.md`. */
const MEASURED_ONLY = /^ann-gne-/;
const TRUSTED_TYPES = new Set(["article", "documentation", "forum", "product", "collection", "listing"]);

/**
 * Reads the index of product pages in `folder`; some of its pages lie in `others`, the folder of labelled texts, whose
 * other pages follow: their type tells whether they sell a product.
 */
export function readLabelledPages(folder: string, others: string): readonly LabelledPage[] {
  const rows = readJson(join(folder, "index.json")) as readonly Row[];
  const known = new Set(rows.map(({ id }) => id));
  const index = readJson(join(others, "index.json")) as readonly { readonly id: string }[];
  const more = index
    .filter(({ id }) => !known.has(id) && !MEASURED_ONLY.test(id))
    .map(({ id }) => ({ id, type: (readJson(join(others, "truth", `${id}.json`)) as { type: string }).type }))
    .filter(({ type }) => TRUSTED_TYPES.has(type))
    .map(({ id, type }) => ({ id, product: type === "product" }));
  return [...rows, ...more].map((row: Row) => {
    const own = join(folder, "html", `${row.id}.html.gz`);
    const file = existsSync(own) ? own : join(others, "html", `${row.id}.html.gz`);
    const url = row.url ?? (readJson(join(others, "truth", `${row.id}.json`)) as { url: string }).url;
    const site = siteOf(url);
    return {
      id: row.id,
      url,
      site,
      fold: Number.parseInt(createHash("sha1").update(site).digest("hex").slice(0, 6), 16) % FOLDS,
      isProduct: row.product,
      isLabelled: known.has(row.id),
      isTrained: !MEASURED_ONLY.test(row.id),
      prices: row.truth?.price,
      skus: row.truth?.sku,
      truth: row.truth ?? {},
      html: () => gunzipSync(readFileSync(file)).toString("utf8"),
    };
  });
}

/** The name of the host without its ending and what stands before: shops of one company in several countries are one site. */
function siteOf(url: string): string {
  const labels = new URL(url).hostname.split(".").filter((label) => label.length > 3);
  return labels.at(-1) ?? url;
}

/** What the service sees of a labelled page. */
export function evidenceOf(page: Pick<LabelledPage, "url" | "html">): Evidence {
  return openPage(page)();
}

/** The same, parsed once and looked at anew by each call: evidence keeps what it has found. */
export function openPage({ url, html }: Pick<LabelledPage, "url" | "html">): () => Evidence {
  const source = html();
  const tree = parseHtml(source);
  return () => gatherEvidence({ tree, source: () => source, metadata: () => extractMetadata(tree, url) });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
