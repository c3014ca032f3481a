import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { UNREAD } from "../structured/text-of.ts";

/** Bits for the regions that a node lies in. */
export const UNSEEN = 1;
export const STRUCK = 2;
export const OTHER_PRODUCTS = 4;
export const FURNITURE = 8;
export const LINK = 16;

const STRIKES = tagSet("del s strike");
const FRAME = tagSet("footer nav");
const ANCHOR = tagSet("a");
const PAGE = tagSet("html body main form");
const TELLING = new AttributeNames("class id style hidden");

const WORD_START = String.raw`(?<![a-z])`;
const WORD_END = String.raw`(?![a-z])`;
const OTHERS_WORDS = new RegExp(
  `${WORD_START}(?:related|recommend\\w*|similar|upsells?|cross-?sells?|carousel|also|sponsor\\w*|recent|recently|viewed|bundles?|accessor\\w*|suggest\\w*|frequently|bought|bestsellers?|slider|addons?|warranty|compare|complementary|alternatives?|looks?|inspiration)${WORD_END}|recommend|recentlyviewed|crosssell|upsell|carousel-?item|alsobought|alsoviewed`,
  "i",
);
const FURNITURE_WORDS = new RegExp(
  `${WORD_START}(?:footer|nav|navbar|navigation|menu|breadcrumbs?|widget|minicart|mini-cart|cart-?drawer|reviews?|questions?|filters?|facets?|cookie|newsletter|megamenu|header-?cart|protection)${WORD_END}|minicart|megamenu|cartdrawer`,
  "i",
);
const STRUCK_WORDS = /strike|streich|line-?through|(?<![a-z])del(?![a-z])|crossed/i;
const UNSEEN_STYLE = /display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden/i;

/** Layout of the page, as far as its source shows it. */
export interface PageLayout {
  readonly tree: HtmlTree;
  /** By node: bits of the regions around it. */
  readonly inside: Uint8Array;
  /** By node: number of text characters before it. */
  readonly offset: Int32Array;
}

/** @param heading - the product's own heading; its ancestors are not areas of other products. -1 for none */
export function layOut(tree: HtmlTree, heading: number): PageLayout {
  const around = ancestorsOf(tree, heading);
  const inside = new Uint8Array(tree.size);
  const offset = new Int32Array(tree.size);
  const classes = tree.classes();
  const ofClass = classes.names.map(bitsOfName);
  const before = { characters: 0 };
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node] ?? 0;
    const outer = inside[tree.parent[node] ?? 0] ?? 0;
    offset[node] = before.characters;
    if (tag === TEXT) {
      inside[node] = outer;
      if ((outer & UNSEEN) === 0 && !tree.isBlank(node)) tree.visitText(node, countCharacters, before);
    } else
      inside[node] = outer | (around.has(node) ? 0 : bitsOf(tree, node, ofClass[classes.of[node] ?? 0] ?? 0));
  }
  return { tree, inside, offset };
}

function countCharacters(_source: string, from: number, to: number, sum: { characters: number }): void {
  sum.characters += to - from;
}

/** Ancestors of a node, including the node. */
function ancestorsOf(tree: HtmlTree, node: number): ReadonlySet<number> {
  const ancestors = new Set<number>();
  for (let at = node; at > 0; at = tree.parent[at] ?? 0) ancestors.add(at);
  return ancestors;
}

/** @param ofClass - the bits of its class attribute */
function bitsOf(tree: HtmlTree, node: number, ofClass: number): number {
  const tag = tree.tag[node] ?? 0;
  if (UNREAD[tag] === 1) return UNSEEN;
  let bits = STRIKES[tag] === 1 ? STRUCK : FRAME[tag] === 1 ? FURNITURE : ANCHOR[tag] === 1 ? LINK : 0;
  if (PAGE[tag] === 1 || !tree.mayHave(node, TELLING)) return bits;
  bits |= ofClass | bitsOfName(tree.attribute(node, "id") ?? "");
  const style = tree.attribute(node, "style");
  if (style !== undefined && /line-through/i.test(style)) bits |= STRUCK;
  if ((style !== undefined && UNSEEN_STYLE.test(style)) || tree.attribute(node, "hidden") !== undefined)
    bits |= UNSEEN;
  return bits;
}

function bitsOfName(name: string): number {
  if (name.length < 3) return 0;
  const short = name.slice(0, 400);
  return (
    (OTHERS_WORDS.test(short) ? OTHER_PRODUCTS : 0) |
    (FURNITURE_WORDS.test(short) ? FURNITURE : 0) |
    (STRUCK_WORDS.test(short) ? STRUCK : 0)
  );
}
