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
/** What programmers call the way into a cart. */
const BUYS = /add[-_ ]?to[-_ ]?(?:cart|basket|bag)|buy[-_ ](?:now|button)/i;
const PRICE_META = ["product:price:amount", "og:price:amount", "product:price"];

/**
 * The elements that show the price of the one product that a page sells, and the price that it replaces.
 * @param isShown whether the selection shows all of an element anyway: where it shows every price, which of them is the
 * product's makes no difference, and nothing is looked for
 */
export function findPricePlaces(
  evidence: Evidence,
  url: string,
  isShown: (node: number) => boolean,
): readonly number[] {
  if (!maySell(evidence, url)) return [];
  const candidates = findPriceCandidates(evidence.tree);
  if (candidates.every(({ node }) => isShown(node))) return [];
  // The state of scripts takes longer to read than all the rest, and says little about what is shown.
  const stateless = { ...evidence, states: () => [] };
  const findings = weigh(stateless, url, shippedModels(), candidates);
  const places = placesOfPrice(findings).map(({ node }) => node);
  // Whether the page sells one product takes longer to tell than where it would show the price.
  return !places.every(isShown) && isSold(findings) ? places : [];
}

/** Whether it is worth looking for a product: a look at every page would cost as much as all the rest. */
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

/** Most pages have no such markup, which the parser has noted. */
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
