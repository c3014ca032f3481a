import { findCards } from "./tables/cards.ts";
import type { PageTables } from "./tables/page-tables.ts";

/**
 * Cards are completed when at least this share of their words is kept, and they hold at least this share of
 * all kept words.
 */
const KEPT_SHARE = 0.5;
const PAGE_SHARE = 0.5;
/** Cards with a smaller share of linked text do not lead to something else: replies of a thread, sections. */
const LINK_SHARE = 0.3;
/** Lowest chance at which a part of such a card stays. */
const PART_CHANCE = 0.15;

/**
 * Completes the cards that make up a page, so that list items keep details such as price, author and date.
 */
export function completeCards(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { blocks, texts, facts } = page;
  // Cards on a product's page show other products.
  if (facts.isProduct) return;
  const { familyAt, chars, linkChars } = findCards(page);
  if (chars.length === 0) return;
  const all = new Float64Array(chars.length);
  const keptOf = new Float64Array(chars.length);
  let total = 0;
  for (let block = 0; block < blocks.size; block++) {
    const family = familyAt[blocks.owner[block] ?? 0] ?? -1;
    const words = texts.words[block] ?? 0;
    if (family >= 0) all[family] = (all[family] ?? 0) + words;
    if (kept[block] !== 1) continue;
    total += words;
    if (family >= 0) keptOf[family] = (keptOf[family] ?? 0) + words;
  }
  const main = keptOf.findIndex(
    (words, family) =>
      words > 0 &&
      words >= Math.max(KEPT_SHARE * (all[family] ?? 0), PAGE_SHARE * total) &&
      (linkChars[family] ?? 0) >= LINK_SHARE * (chars[family] ?? 0),
  );
  if (main < 0) return;
  for (let block = 0; block < blocks.size; block++) {
    const isPart = familyAt[blocks.owner[block] ?? 0] === main && (chances[block] ?? 0) >= PART_CHANCE;
    if (isPart) kept[block] = 1;
  }
}
