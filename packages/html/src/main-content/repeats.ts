import { HEADING } from "../parser/tag-traits.ts";
import type { PageTables } from "./tables/page-tables.ts";

/** Shorter texts may well be meant to be in several places: prices, labels, cells of tables. */
const MIN_WORDS = 8;
/** A page with so great a share of texts that come two or three times carries them for windows of several widths. */
const MIN_SHARE = 0.2;
const MAX_VARIANTS = 3;

/**
 * Leaves out what is kept already, word for word: the title above every reply of a thread, and every repeat in a page
 * that is written twice. Elsewhere a text may come again on purpose, as in the plans of a price list.
 */
export function dropRepeats(page: PageTables, kept: Uint8Array): void {
  const { tree, blocks, texts } = page;
  const groups = findRepeated(page, kept);
  const parentOf = (block = 0): number => tree.parent[blocks.owner[block] ?? 0] ?? 0;
  // Next to each other they are the refrain of a song.
  const spare = groups
    .filter(({ length }) => length <= MAX_VARIANTS)
    .flatMap(([first, ...others]) => others.filter((other) => parentOf(other) !== parentOf(first)));
  const wordsOf = (block: number): number => texts.words[block] ?? 0;
  let words = 0;
  for (let block = 0; block < blocks.size; block++) if (kept[block] === 1) words += wordsOf(block);
  const isTwice = spare.reduce((sum, block) => sum + wordsOf(block), 0) >= MIN_SHARE * words;
  if (isTwice) for (const block of spare) kept[block] = 0;
  for (const [first = 0, ...others] of groups) {
    if (HEADING[tree.tag[blocks.owner[first] ?? 0] ?? 0] !== 1) continue;
    for (const block of others) kept[block] = 0;
  }
}

/** Kept blocks of some words that say the same, in groups of two and more. */
function findRepeated({ blocks, texts, repetition }: PageTables, kept: Uint8Array): readonly number[][] {
  const groups = new Map<number, number[]>();
  for (let block = 0; block < blocks.size; block++) {
    const mayRepeat = (repetition.copies[block] ?? 0) > 1 && (texts.words[block] ?? 0) >= MIN_WORDS;
    if (kept[block] !== 1 || !mayRepeat) continue;
    const text = repetition.text[block] ?? 0;
    const group = groups.get(text);
    if (group) group.push(block);
    else groups.set(text, [block]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
