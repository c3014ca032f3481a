import { assembleProduct } from "../product/assemble-product.ts";
import { shippedModels } from "../product/models.ts";
import { findPriceCandidates } from "../product/price-candidates.ts";
import { gatherProductEvidence } from "../product/product-evidence.ts";
import type { Candidate } from "./candidate.ts";
import type { Concept } from "./concepts.ts";
import type { PageParts } from "./page-parts.ts";

const WEIGHT = 1;

/** What a page says about the product that it sells: requests for a price get the product's. */
export function offerCandidates({ evidence, url, teased }: PageParts): readonly Candidate[] {
  const prices = findPriceCandidates(evidence.tree).filter(({ node }) => teased[node] !== 1);
  const product = gatherProductEvidence(evidence, url, prices);
  if (product.page.names.length === 0) return [];
  const models = shippedModels();
  const scores = models.scorePrices(product.rows);
  const { title, brand, category, variants } = assembleProduct({ evidence, product, scores, models, url });
  const [first] = variants;
  const price = first?.price;
  const inStock = variants.some((variant) => variant.inStock);
  const isSold = price !== undefined || product.stock.saysOut;
  const told: readonly (readonly [Concept, unknown])[] = [
    ["title", title === "" ? undefined : title],
    ["price", price && (price.formatted ?? price.amount)],
    ["originalPrice", first?.originalPrice && (first.originalPrice.formatted ?? first.originalPrice.amount)],
    ["currency", price?.currency],
    ["brand", brand],
    ["category", category],
    ["sku", first?.sku],
    ["inStock", isSold ? inStock : undefined],
    ["soldOut", isSold ? !inStock : undefined],
  ];
  return told.flatMap(([concept, value]) =>
    value === undefined ? [] : [{ label: [concept], concept, values: [value], weight: WEIGHT, node: -1 }],
  );
}
