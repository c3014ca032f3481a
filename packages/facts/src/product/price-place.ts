import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagId } from "@pergamon-dev/html/parser/tree";
import type { Evidence } from "../structured/evidence.ts";
import { placesOfPrice } from "./best-price.ts";
import { isSold, weigh } from "./find-product.ts";
import { shippedModels } from "./models.ts";
import { findPriceCandidates } from "./price-candidates.ts";

const SCRIPT = tagId("script");
const ITEM_NAMES = ["itemtype", "typeof", "itemprop"];
const ITEM_TYPE = new AttributeNames(ITEM_NAMES.join(" "));
const PRODUCT_TYPE = /(?:^|\/|:)Product(?:Group|Model)?$/;
const PRODUCT_DATA = /"(?:https?:\/\/schema\.org\/)?Product(?:Group|Model)?"/;
const PRODUCT_PATH = /\/(?:products?|p|pd|pdp|dp|ip|itm?|item|prod|product-detail|artikel|listing)[/-]/i;
/** Names of add-to-cart elements in code. */
const BUYS = /add[-_ ]?to[-_ ]?(?:cart|basket|bag)|buy[-_ ](?:now|button)/i;
const PRICE_META = ["product:price:amount", "og:price:amount", "product:price"];

/**
 * Elements that show the price of the page's single product, and the price that it replaces.
 * @param isShown true if the selection contains all of an element anyway. If it contains every price, the
 * search is skipped, as its result would make no difference
 */
export function findPricePlaces(
  evidence: Evidence,
  url: string,
  isShown: (node: number) => boolean,
): readonly number[] {
  if (!maySell(evidence, url)) return [];
  const candidates = findPriceCandidates(evidence.tree);
  if (candidates.every(({ node }) => isShown(node))) return [];
  // Script state is slow to parse and says little about what is visible.
  const stateless = { ...evidence, states: () => [] };
  const findings = weigh(stateless, url, shippedModels(), candidates);
  const places = placesOfPrice(findings).map(({ node }) => node);
  // `isSold` is slower than the search for places, so it comes last.
  return !places.every(isShown) && isSold(findings) ? places : [];
}

/** Quick check whether the search is worth its cost, which would double the time for every page. */
function maySell({ tree, source, meta }: Evidence, url: string): boolean {
  if (PRODUCT_PATH.test(url) || meta(...PRICE_META) !== undefined) return true;
  if (meta("og:type")?.toLowerCase().includes("product")) return true;
  return hasProductData(tree) || hasProductMarkup(tree) || BUYS.test(source());
}

function hasProductData(tree: Evidence["tree"]): boolean {
  for (let node = tree.tag.indexOf(SCRIPT); node >= 0; node = tree.tag.indexOf(SCRIPT, node + 1))
    if (isProductData(tree.attribute(node, "type"), () => tree.textContent(node))) return true;
  return false;
}

/** Most pages have no such markup, which the parser has recorded. */
function hasProductMarkup(tree: Evidence["tree"]): boolean {
  if (!ITEM_NAMES.some((name) => tree.mayHaveAnywhere(name))) return false;
  for (let node = 0; node < tree.size; node++)
    if (tree.mayHave(node, ITEM_TYPE) && isProductMarkup(tree, node)) return true;
  return false;
}

function isProductData(type: string | undefined, text: () => string): boolean {
  return type?.toLowerCase() === "application/ld+json" && PRODUCT_DATA.test(text());
}

function isProductMarkup(tree: Evidence["tree"], node: number): boolean {
  const type = tree.attribute(node, "itemtype") ?? tree.attribute(node, "typeof") ?? "";
  return PRODUCT_TYPE.test(type.trim()) || tree.attribute(node, "itemprop") === "price";
}
