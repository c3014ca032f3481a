import { HEADING, tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import { contextBit } from "./tables/context.ts";
import { keepFileLinks } from "./file-links.ts";
import type { PageTables } from "./tables/page-tables.ts";
import { below } from "./tables/sums.ts";

const H1 = tagId("h1");
const [CODE, PRE] = ["code", "pre"].map(tagId);
const [BLOCKQUOTE, FOOTER] = ["blockquote", "footer"].map(tagId) as [number, number];
/** Elements whose missing text a reader of the region would notice most. */
const SOLID = tagSet("table tbody thead tfoot tr td th caption", HEADING);
/** Elements whose missing text a reader of the region would notice, too. */
const LOOSE = tagSet("pre figure figcaption dl dt dd blockquote ul ol li");
const HEADER = tagSet("header hgroup");
export const FURNITURE =
  contextBit("nav") | contextBit("footer") | contextBit("aside") | contextBit("dialog") | contextBit("form");

const DEFINITIONS = contextBit("dl");
const QUOTE = contextBit("blockquote");
/** What says a quote, and whose it is. */
const QUOTED = tagSet("p footer cite");
const MARKED = contextBit("main") | contextBit("article");

/** Lowest chance at which a heading before kept text stays. */
const HEADING_CHANCE = 0.15;
/** Lowest chance at which a gap between kept blocks of one container closes. */
const GAP_CHANCE = 0.22;
/**
 * Lowest chance at which parts of the kept region stay: first tables and headings, then lists, code,
 * captions, quotes.
 */
const SOLID_CHANCE = 0.17;
const LOOSE_CHANCE = 0.28;
/** The same for a part right after a kept block, with another kept block soon after. */
const AMONG_CHANCE = 0.05;
const AMONG_DISTANCE = 4;
const BYLINE_CHANCE = 0.05;
const MAX_BYLINE_WORDS = 30;
const CODE_CHANCE = 0.05;
const MAX_LINK_SHARE = 0.5;

/**
 * Adds to the kept blocks what belongs to them: title, byline, headings, solid parts of the region, short
 * gaps, files.
 */
export function keepWhatBelongs(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  if (!kept.includes(1)) return;
  keepTitle(page, chances, kept);
  keepSolidParts(page, chances, kept);
  keepCode(page, chances, kept);
  keepBelowHeadings(page, chances, kept);
  fillDenseParts(page, chances, kept);
  closeGaps(page, chances, kept);
  keepFileLinks(page, chances, kept);
}

/**
 * Keeps the last `h1` before the content, unless a title is kept already, and the author and date in its
 * `header`.
 */
function keepTitle(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { tree, blocks } = page;
  const title = findTitle(page, chances, kept);
  if (title < 0) return;
  kept[title] = 1;
  let header = blocks.owner[title] ?? 0;
  while (header > 0 && HEADER[tree.tag[header] ?? 0] !== 1) header = tree.parent[header] ?? 0;
  if (header === 0) return;
  const end = tree.end[header] ?? 0;
  for (let block = title + 1; block < blocks.size && (blocks.first[block] ?? 0) < end; block++) {
    const isShort = (page.texts.words[block] ?? 0) <= MAX_BYLINE_WORDS;
    if (isShort && !isLinked(page, block) && (chances[block] ?? 0) > BYLINE_CHANCE) kept[block] = 1;
  }
}

function findTitle({ tree, blocks, elements }: PageTables, chances: Float32Array, kept: Uint8Array): number {
  const first = kept.indexOf(1);
  let title = -1;
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    if (tree.tag[owner] !== H1 || elements.hidden[owner] === 1) continue;
    if (kept[block] === 1) return block;
    if (block > first && title >= 0) break;
    const isFurniture = ((elements.context[owner] ?? 0) & FURNITURE) !== 0;
    if (!isFurniture && (chances[block] ?? 0) > 0) title = block;
  }
  return title;
}

/** Keeps the parts between the first and the last kept block that a reader would miss. */
function keepSolidParts(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { tree, blocks } = page;
  const region = regionOf(page, kept);
  const end = tree.end[region] ?? 0;
  const ofUnit = meanByUnit(page, chances);
  const isWanted = new Uint8Array(blocks.size);
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    if (kept[block] === 1 || owner < region || owner >= end) continue;
    const unit = page.units[block] ?? 0;
    const chance = ofUnit[unit] ?? 0;
    const tag = tree.tag[owner] ?? 0;
    const isOfQuote = QUOTED[tag] === 1 && ((page.elements.context[owner] ?? 0) & QUOTE) !== 0;
    const isSaid = isOfQuote && tag === FOOTER && kept[block - 1] === 1;
    const wanted = isSaid ? 0 : wantedChance(isOfQuote ? BLOCKQUOTE : tag, isAmong(kept, block));
    const isLikely = chance > wanted;
    if (isLikely && !isLinked(page, block)) isWanted[unit] = 1;
    kept[block] = isWanted[unit] ?? 0;
  }
  for (let block = 0; block < blocks.size; block++)
    if (isWanted[page.units[block] ?? 0] === 1) kept[block] = 1;
}

/** Lowest mean chance at which what stands below a kept heading stays, where nothing of it was kept. */
const BELOW_CHANCE = 0.4;

/** No heading is left without what stood under it: a list of links between the sections of a text. */
function keepBelowHeadings(
  { headings, blocks, elements }: PageTables,
  chances: Float32Array,
  kept: Uint8Array,
): void {
  for (let heading = 0; heading < blocks.size; heading++) {
    const next = headings.next[heading] ?? blocks.size;
    const isHeading = headings.last[heading] === heading && kept[heading] === 1;
    if (!isHeading || kept[next] !== 1 || next === heading + 1) continue;
    let sum = 0;
    for (let block = heading + 1; block < next; block++) sum += chances[block] ?? 0;
    const mean = sum / (next - heading - 1);
    const context = elements.context[blocks.owner[heading + 1] ?? 0] ?? 0;
    const isText = (context & FURNITURE) === 0 && (context & MARKED) !== 0;
    if (isText && mean > BELOW_CHANCE && !kept.subarray(heading + 1, next).includes(1))
      kept.fill(1, heading + 1, next);
  }
}

/** Keeps code wherever it is shown outside of the furniture: code is no boilerplate. */
function keepCode(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { blocks, elements } = page;
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    if (kept[block] === 1 || ((elements.context[owner] ?? 0) & FURNITURE) !== 0) continue;
    if ((chances[block] ?? 0) > CODE_CHANCE && isCode(page, block)) kept[block] = 1;
  }
}

/** Levels of boxes between code and the text of one of its lines. */
const CODE_LEVELS = 6;

/** Whether a block is a line or all of a `pre`, or of `code` that stands alone. */
function isCode({ tree, blocks }: PageTables, block: number): boolean {
  let node = tree.parent[blocks.first[block] ?? 0] ?? 0;
  for (let level = 0; level < CODE_LEVELS && node > 0; level++) {
    const isWhole = tree.tag[node] === CODE && (blocks.last[block] ?? 0) < (tree.end[node] ?? 0);
    if (isWhole || tree.tag[node] === PRE) return true;
    node = tree.parent[node] ?? 0;
  }
  return false;
}

/** Words around a block by which its surroundings are judged. */
const DENSE_WORDS = 300;
/** Share of kept words around a block from which the rest of a table, list or definition stays, too. */
const DENSE_SHARE = 0.9;

/**
 * Keeps what is left of tables, lists and definitions where nearly all around them stays: the short ones of a long
 * manual. By cross-validation: structure kept 0.0016 higher, macro the same within 0.0002.
 */
function fillDenseParts(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { tree, blocks, texts } = page;
  const missing: number[] = [];
  for (let block = 0; block < blocks.size; block++)
    if (kept[block] === 0 && (chances[block] ?? 0) > 0 && isSharedPart(page, block)) missing.push(block);
  if (missing.length === 0) return;
  const words = runningWords(page);
  const stays = runningWords(page, kept);
  for (const block of missing) {
    const own = texts.words[block] ?? 0;
    let around = blocks.owner[block] ?? 0;
    while (around > 0 && below(tree, words, around) - own < DENSE_WORDS) around = tree.parent[around] ?? 0;
    const others = below(tree, words, around) - own;
    if (others >= DENSE_WORDS && below(tree, stays, around) >= DENSE_SHARE * others) kept[block] = 1;
  }
}

/** Whether a block is one of several of a table, list or definition outside of the furniture, and not merely a link. */
function isSharedPart(page: PageTables, block: number): boolean {
  const { blocks, elements, units } = page;
  const context = elements.context[blocks.owner[block] ?? 0] ?? 0;
  const isShared = units[block] !== block || units[block + 1] === block || (context & DEFINITIONS) !== 0;
  return isShared && (context & FURNITURE) === 0 && !isLinked(page, block);
}

/** Running totals of words up to each node, of all blocks or of the kept ones. */
function runningWords({ tree, blocks, texts }: PageTables, kept?: Uint8Array): Float64Array {
  const words = new Float64Array(tree.size + 1);
  for (let block = 0; block < blocks.size; block++)
    if (kept?.[block] !== 0) words[(blocks.first[block] ?? 0) + 1] = texts.words[block] ?? 0;
  for (let node = 1; node <= tree.size; node++) words[node] = (words[node] ?? 0) + (words[node - 1] ?? 0);
  return words;
}

/**
 * Lowest chance at which text in this element stays in the kept region. Texts in other elements never stay
 * for that.
 */
function wantedChance(tag: number, isAmongKept: boolean): number {
  if (SOLID[tag] === 0 && LOOSE[tag] === 0) return 1;
  if (isAmongKept) return AMONG_CHANCE;
  return SOLID[tag] === 1 ? SOLID_CHANCE : LOOSE_CHANCE;
}

/** Mean chance per word, by unit. A table counts only as a whole. */
function meanByUnit({ texts, units }: PageTables, chances: Float32Array): Float64Array {
  const words = new Float64Array(units.length);
  const means = new Float64Array(units.length);
  for (let block = 0; block < units.length; block++) {
    const unit = units[block] ?? 0;
    const before = words[unit] ?? 0;
    const all = before + Math.max(1, texts.words[block] ?? 0);
    means[unit] = ((means[unit] ?? 0) * before + (chances[block] ?? 0) * (all - before)) / all;
    words[unit] = all;
  }
  return means;
}

function isAmong(kept: Uint8Array, block: number): boolean {
  return kept[block - 1] === 1 && kept.subarray(block + 1, block + 1 + AMONG_DISTANCE).includes(1);
}

/** Returns the smallest element that holds nearly all of the kept words. */
function regionOf(page: PageTables, kept: Uint8Array): number {
  const { tree } = page;
  const words = runningWords(page, kept);
  const wanted = REGION_SHARE * (words[tree.size] ?? 0);
  let region = 0;
  for (let node = 1; node < tree.size; node++) {
    const held = (words[tree.end[node] ?? 0] ?? 0) - (words[node] ?? 0);
    if (held < wanted) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.end[node] !== node + 1) region = node;
  }
  return region;
}

const REGION_SHARE = 0.9;

function closeGaps({ tree, blocks }: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const parentOf = (block: number): number => tree.parent[blocks.owner[block] ?? 0] ?? -1;
  for (let block = blocks.size - 1; block >= 0; block--) {
    if (kept[block] === 1 || kept[block + 1] !== 1) continue;
    const chance = chances[block] ?? 0;
    const isHeading = headingAround(tree, blocks.owner[block] ?? 0) > 0;
    if (isHeading && chance > HEADING_CHANCE) kept[block] = 1;
    const isGap = kept[block - 1] === 1 && parentOf(block) === parentOf(block - 1);
    if (isGap && parentOf(block) === parentOf(block + 1) && chance > GAP_CHANCE) kept[block] = 1;
  }
}

/** Levels of boxes inside a heading. */
const HEADING_LEVELS = 3;

/** The heading that a block is or stands in, -1 for none. */
export function headingAround(tree: HtmlTree, owner: number): number {
  let node = owner;
  for (let level = 0; level < HEADING_LEVELS && node > 0; level++) {
    if (HEADING[tree.tag[node] ?? 0] === 1) return node;
    node = tree.parent[node] ?? 0;
  }
  return -1;
}

function isLinked({ texts }: PageTables, block: number): boolean {
  return (texts.linkChars[block] ?? 0) > MAX_LINK_SHARE * (texts.chars[block] ?? 0);
}
