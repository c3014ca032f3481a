import { sellsOneProduct } from "./other-products.ts";
import { HEADING } from "../parser/tag-traits.ts";
import type { PageTables } from "./tables/page-tables.ts";

/**
 * Cards are completed when at least this share of their words is kept, and they hold at least this share of
 * all kept words.
 */
const KEPT_SHARE = 0.25;
const PAGE_SHARE = 0.3;
/**
 * Cards with a smaller share of linked text do not lead to something else, unless half of them have a linked title: they
 * are replies of a thread, or sections.
 */
const LINK_SHARE = 0.3;
const TITLED_SHARE = 0.5;
/** Shorter linked headings name authors. */
const MIN_TITLE_WORDS = 3;
/** Lowest chance at which a part of such a card stays. */
const PART_CHANCE = 0.05;

/** Cards are goods when there are this many, half of them show a price, and they are not unlikely all together. */
const MIN_GOODS = 4;
const PRICED_SHARE = 0.5;
const MIN_CHANCE = 0.1;
const MIN_GOODS_LINKS = 0.1;
/** Longer texts mention a price. */
const MAX_PRICE_WORDS = 11;
const CURRENCY = /^\p{Sc}$/u;

/** Running sums over the blocks of each family. */
interface FamilySums {
  readonly words: Float64Array;
  readonly kept: Float64Array;
  /** Words, each weighted by its chance of being content. */
  readonly likely: Float64Array;
  readonly titles: Float64Array;
  readonly prices: Float64Array;
}

/**
 * Completes the cards that make up a page, so that list items keep details such as price, author and date, and the goods
 * of a page that does not sell one product, however long the texts beside them are.
 */
export function completeCards(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { blocks, texts, facts } = page;
  // Cards on a product's page show other products.
  if (facts.isProduct) return;
  const { familyAt, chars, linkChars, counts } = page.cards();
  if (chars.length === 0) return;
  const sums = sumUp(page, chances, kept);
  let total = 0;
  for (let block = 0; block < blocks.size; block++) if (kept[block] === 1) total += texts.words[block] ?? 0;
  const isMost = (family: number, words: number): boolean =>
    words > 0 &&
    words >= Math.max(KEPT_SHARE * (sums.words[family] ?? 0), PAGE_SHARE * total) &&
    ((linkChars[family] ?? 0) >= LINK_SHARE * (chars[family] ?? 0) ||
      (sums.titles[family] ?? 0) >= TITLED_SHARE * (counts[family] ?? 0));
  const isGoods = (family: number): boolean =>
    (counts[family] ?? 0) >= MIN_GOODS &&
    (sums.prices[family] ?? 0) >= PRICED_SHARE * (counts[family] ?? 0) &&
    (sums.likely[family] ?? 0) >= MIN_CHANCE * (sums.words[family] ?? 0) &&
    (linkChars[family] ?? 0) > MIN_GOODS_LINKS * (chars[family] ?? 0);
  const main = sums.kept.findIndex((words, family) => isMost(family, words));
  const goods = chars.map((_, family) => isGoods(family));
  const hasGoods = goods.includes(true) && !sellsOneProduct(page);
  for (let block = 0; block < blocks.size; block++) {
    const family = familyAt[blocks.owner[block] ?? 0] ?? -1;
    const isPart = family >= 0 && (family === main || (hasGoods && goods[family] === true));
    if (isPart && (chances[block] ?? 0) >= PART_CHANCE) kept[block] = 1;
  }
}

function sumUp(page: PageTables, chances: Float32Array, kept: Uint8Array): FamilySums {
  const { tree, blocks, texts } = page;
  const { familyAt, counts } = page.cards();
  const zeros = (): Float64Array => new Float64Array(counts.length);
  const sums = { words: zeros(), kept: zeros(), likely: zeros(), titles: zeros(), prices: zeros() };
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    const family = familyAt[owner] ?? -1;
    if (family < 0) continue;
    const words = texts.words[block] ?? 0;
    add(sums.words, family, words);
    add(sums.likely, family, words * (chances[block] ?? 0));
    if (kept[block] === 1) add(sums.kept, family, words);
    if (isPrice(page, block)) add(sums.prices, family, 1);
    const isLinked = (texts.linkChars[block] ?? 0) > 0.5 * (texts.chars[block] ?? 0);
    if (isLinked && words >= MIN_TITLE_WORDS && HEADING[tree.tag[owner] ?? 0] === 1)
      add(sums.titles, family, 1);
  }
  return sums;
}

function add(sums: Float64Array, family: number, amount: number): void {
  sums[family] = (sums[family] ?? 0) + amount;
}

/** A short text with digits that begins or ends with the sign of a currency. */
function isPrice({ texts }: PageTables, block: number): boolean {
  if (texts.digits[block] === 0 || (texts.words[block] ?? 0) > MAX_PRICE_WORDS) return false;
  for (const code of [texts.firstCode[block] ?? 0, texts.lastCode[block] ?? 0])
    if (CURRENCY.test(String.fromCharCode(code))) return true;
  return false;
}
