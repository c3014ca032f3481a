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

/**
 * Completes the cards that make up a page, so that list items keep details such as price, author and date.
 */
export function completeCards(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { tree, blocks, texts, facts } = page;
  // Cards on a product's page show other products.
  if (facts.isProduct) return;
  const { familyAt, chars, linkChars, counts } = page.cards();
  if (chars.length === 0) return;
  const all = new Float64Array(chars.length);
  const keptOf = new Float64Array(chars.length);
  const titles = new Float64Array(chars.length);
  let total = 0;
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    const family = familyAt[owner] ?? -1;
    const words = texts.words[block] ?? 0;
    const isLinked = (texts.linkChars[block] ?? 0) > 0.5 * (texts.chars[block] ?? 0);
    const isTitle = isLinked && words >= MIN_TITLE_WORDS && HEADING[tree.tag[owner] ?? 0] === 1;
    if (family >= 0 && isTitle) titles[family] = (titles[family] ?? 0) + 1;
    if (family >= 0) all[family] = (all[family] ?? 0) + words;
    if (kept[block] !== 1) continue;
    total += words;
    if (family >= 0) keptOf[family] = (keptOf[family] ?? 0) + words;
  }
  const main = keptOf.findIndex(
    (words, family) =>
      words > 0 &&
      words >= Math.max(KEPT_SHARE * (all[family] ?? 0), PAGE_SHARE * total) &&
      ((linkChars[family] ?? 0) >= LINK_SHARE * (chars[family] ?? 0) ||
        (titles[family] ?? 0) >= TITLED_SHARE * (counts[family] ?? 0)),
  );
  if (main < 0) return;
  for (let block = 0; block < blocks.size; block++) {
    const isPart = familyAt[blocks.owner[block] ?? 0] === main && (chances[block] ?? 0) >= PART_CHANCE;
    if (isPart) kept[block] = 1;
  }
}
