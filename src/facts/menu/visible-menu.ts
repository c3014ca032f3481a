import { type HtmlTree, TEXT, tagId } from "../../page-content/html/parser/tree.ts";
import type { PriceCandidate } from "../product/price-candidates.ts";
import { textOf } from "../structured/text-of.ts";
import { caloriesIn, dietsIn } from "./food-words.ts";
import { findItemBlocks, type ItemBlock } from "./item-blocks.ts";
import { findBarePrices, findMenuPrices } from "./menu-prices.ts";
import { SectionTitles } from "./section-titles.ts";
import type { FoundMenu, MenuItem, MenuSection } from "./menu.ts";

const PROBABLE = 0.7;
const MAX_ITEM_LENGTH = 600;
const MAX_NAME_LENGTH = 90;
const BUTTON = tagId("button");
const IMG = tagId("img");
const DT = tagId("dt");
const DD = tagId("dd");

/** The menu that a page shows: parts with one price each, under titles. */
export function visibleMenu(tree: HtmlTree): FoundMenu | undefined {
  return menuOf(tree, findMenuPrices(tree));
}

/** The same of a page whose prices say no currency. */
export function bareMenu(tree: HtmlTree): FoundMenu | undefined {
  return menuOf(tree, findBarePrices(tree));
}

function menuOf(tree: HtmlTree, prices: readonly PriceCandidate[]): FoundMenu | undefined {
  const sections = groupBySection(tree, findItemBlocks(tree, prices));
  return sections.length > 0 ? { confidence: PROBABLE, sections } : undefined;
}

/** Items under the last title before them that belongs to no item. */
function groupBySection(tree: HtmlTree, blocks: readonly ItemBlock[]): readonly MenuSection[] {
  const sections: { readonly name: string; readonly items: MenuItem[] }[] = [];
  const titles = new SectionTitles(tree, blocks);
  let last = -1;
  let title = "";
  for (const block of blocks) {
    title = titles.between(last, block.node) ?? title;
    last = tree.end[block.node] ?? 0;
    const item = itemOf(tree, block);
    if (!item) continue;
    const section = sections.at(-1);
    if (section?.name === (title || "Menu")) section.items.push(item);
    else sections.push({ name: title || "Menu", items: [item] });
  }
  return sections.map((section) => ({ ...section, description: undefined }));
}

function itemOf(tree: HtmlTree, { node, prices }: ItemBlock): MenuItem | undefined {
  const [first, ...others] = prices;
  const all = `${termBefore(tree, node)} ${textOf(tree, node, MAX_ITEM_LENGTH + 1)}`.trim();
  if (!first || all.length > MAX_ITEM_LENGTH) return undefined;
  const { name, description } = nameAndDescription(tree, { node, prices }, all);
  if (name === undefined) return undefined;
  return {
    name,
    description,
    price: first.price,
    inStock: true,
    dietary: dietsIn(all),
    calories: caloriesIn(all),
    optionGroups:
      others.length === 0
        ? []
        : [{ name: "Size", options: prices.map(({ price }, at) => ({ name: `${at + 1}`, price })) }],
    merchantItemId: undefined,
    images: imagesIn(tree, node),
  };
}

/** The term that a definition belongs to. */
function termBefore(tree: HtmlTree, node: number): string {
  if (tree.tag[node] !== DD) return "";
  const start = tree.parent[node] ?? 0;
  let term = "";
  for (let at = start + 1; at < node; at = tree.end[at] ?? node)
    if (tree.tag[at] === DT) term = textOf(tree, at, MAX_NAME_LENGTH);
  return term;
}

/** The name of an item is what stands out in it, else what stands first; the rest describes it. */
function nameAndDescription(
  tree: HtmlTree,
  { node, prices }: ItemBlock,
  all: string,
): { readonly name: string | undefined; readonly description: string | undefined } {
  const term = termBefore(tree, node);
  const written = term || firstText(tree, node);
  const [name, aside] = splitName(written);
  const plain = prices.reduce((text, { price, text: own }) => text.replace(price.formatted ?? own, " "), all);
  const rest = withoutButtons(tree, node, plain.replace(written, " "))
    .replace(/[.·…_]{3,}/gu, " ")
    .replace(/\s+/g, " ");
  const description = `${aside} ${rest}`.replace(/^[\s:–—,;|-]+|[\s:–—,;|-]+$/gu, "");
  const isName = name.length <= MAX_NAME_LENGTH && /\p{L}{2}/u.test(name);
  return {
    name: isName ? name : undefined,
    description: /\p{L}|\d/u.test(description) ? description : undefined,
  };
}

function firstText(tree: HtmlTree, node: number): string {
  for (let inner = node; inner < (tree.end[node] ?? 0); inner++) {
    if (tree.tag[inner] !== TEXT) continue;
    const text = tree.text(inner).replace(/\s+/g, " ").trim();
    if (/\p{L}{2}/u.test(text)) return text;
  }
  return "";
}

/** A name, and what follows it after dots, a colon, a dash, in brackets or as a price. */
function splitName(text: string): readonly [name: string, aside: string] {
  const end = text.search(/[.·…_]{3,}|[:：]\s|\s[–—-]\s|\(|[$€£¥₹]\s?\d|(?<!\d)\d+[.,]\d\d(?!\d)/u);
  const name = end < 0 ? text : text.slice(0, end);
  const aside = end < 0 ? "" : text.slice(end).replace(/^[\s.·…_:：–—-]+/u, "");
  const isAside = /\p{L}/u.test(aside);
  return [
    name.trim(),
    isAside
      ? aside
          .replace(/(?<![\s.·…_])[\s.·…_]*[$€£¥₹]?\s?(?<!\d)\d+[.,]\d\d.*$/u, "")
          .replace(/^\(([^()]*)\)$/u, "$1")
          .trim()
      : "",
  ];
}

function withoutButtons(tree: HtmlTree, node: number, text: string): string {
  let rest = text;
  for (let inner = node; inner < (tree.end[node] ?? 0); inner++) {
    if (tree.tag[inner] !== BUTTON) continue;
    const words =
      textOf(tree, inner, 80)
        .match(/\p{L}[\p{L}\s]*/u)?.[0]
        .trim() ?? "";
    rest = words === "" ? rest : rest.replace(words, " ");
  }
  return rest;
}

function imagesIn(tree: HtmlTree, node: number): MenuItem["images"] {
  for (let inner = node; inner < (tree.end[node] ?? 0); inner++) {
    if (tree.tag[inner] !== IMG) continue;
    const url = tree.attribute(inner, "src") ?? tree.attribute(inner, "data-src");
    if (url !== undefined && url !== "") return [{ url, alt: tree.attribute(inner, "alt") || undefined }];
  }
  return [];
}
