import { writePositionFeatures } from "./features-page.ts";
import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";
import { tagId } from "../../parser/tree.ts";
import { CONTEXT_COUNT } from "../tables/context.ts";
import { HEADING } from "../../parser/tag-traits.ts";
import { below } from "../tables/sums.ts";

/** Steps up from a block's own element, in block-level elements, at which the content is summed up. */
const LEVELS = [0, 1, 2, 3, 5, 7];
const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const WINDOW = 6;

function writeContainerFeatures(page: PageTables, block: number, row: Rows): void {
  let node = page.blocks.owner[block] ?? 0;
  let level = 0;
  for (const wanted of LEVELS) {
    for (; level < wanted && node > 0; level++) node = page.elements.block[page.tree.parent[node] ?? 0] ?? 0;
    row.container(page.containers, node);
  }
}

/** Writes numbers about the series that a block belongs to: cards, replies, rows. */
function writeSeriesFeatures(page: PageTables, block: number, row: Rows): void {
  const { repetition, blocks, sums } = page;
  const owner = blocks.owner[block] ?? 0;
  const item = repetition.item[owner] ?? -1;
  writeItem(page, item, owner, row);
  const outer = repetition.outerItem[owner] ?? -1;
  writeItem(page, outer === item ? -1 : outer, owner, row);
  row.put(repetition.alike[block] ?? 0);
  row.put(repetition.alikeChars[block] ?? 0);
  row.share(repetition.alikeChars[block] ?? 0, sums.chars.at(-1) ?? 0);
}

/** Writes numbers about the blocks shortly before and after a block. */
function writeNeighbourFeatures(page: PageTables, block: number, row: Rows): void {
  const { texts, blocks, tree } = page;
  for (const distance of NEIGHBOURS) {
    const other = block + distance;
    const isThere = other >= 0 && other < blocks.size;
    const chars = isThere ? (texts.chars[other] ?? 0) : 0;
    row.put(isThere ? chars : -1);
    row.put(isThere ? (texts.linkChars[other] ?? 0) / Math.max(1, chars) : -1);
  }
  for (const distance of [-1, 1]) {
    const other = block + distance;
    const isThere = other >= 0 && other < blocks.size;
    const owner = isThere ? (blocks.owner[other] ?? 0) : 0;
    row.put(isThere ? (texts.odds[other] ?? 0) / Math.max(1, texts.known[other] ?? 0) : 0);
    row.put(isThere ? (page.elements.pathOdds[owner] ?? 0) : 0);
    row.put(isThere ? (HEADING[tree.tag[owner] ?? 0] ?? 0) : -1);
  }
  writeWindow(page, block, row);
}

function writeItem(
  { tree, sums, repetition, elements }: PageTables,
  item: number,
  owner: number,
  row: Rows,
): void {
  if (item < 0) {
    for (let column = 0; column < 8; column++) row.put(-1);
    return;
  }
  const series = tree.parent[item] ?? 0;
  const chars = below(tree, sums.chars, item);
  row.put((elements.depth[owner] ?? 0) - (elements.depth[item] ?? 0));
  row.put(repetition.siblings[item] ?? 0);
  row.put(chars);
  row.share(below(tree, sums.linkChars, item), chars);
  row.put(below(tree, sums.images, item));
  row.put(below(tree, sums.chars, series));
  row.share(below(tree, sums.linkChars, series), below(tree, sums.chars, series));
  row.share(below(tree, sums.chars, series), sums.chars.at(-1) ?? 0);
}

function writeWindow({ texts, blocks }: PageTables, block: number, row: Rows): void {
  let chars = 0;
  let linkChars = 0;
  let odds = 0;
  const to = Math.min(blocks.size - 1, block + WINDOW);
  for (let other = Math.max(0, block - WINDOW); other <= to; other++) {
    chars += texts.chars[other] ?? 0;
    linkChars += texts.linkChars[other] ?? 0;
    odds += texts.odds[other] ?? 0;
  }
  row.put(chars);
  row.share(linkChars, chars);
  row.put(odds);
}

/** Elements whose name says much about the text right inside them. */
const TELLING_TAGS = [
  "p",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "td",
  "th",
  "dt",
  "dd",
  "pre",
  "div",
  "figcaption",
  "section",
];
const ORDER_OF_TAG: Int32Array = orderOfTags();
const NEAR_LEVELS = 4;

/** Writes where a block stands in the tree: its element, its surroundings and their names. */
function writePlaceFeatures({ tree, elements, blocks }: PageTables, block: number, row: Rows): void {
  const owner = blocks.owner[block] ?? 0;
  const order = ORDER_OF_TAG[tree.tag[owner] ?? 0] ?? 0;
  for (let tag = 1; tag <= TELLING_TAGS.length; tag++) row.flag(tag === order);
  const context = elements.context[owner] ?? 0;
  for (let bit = 0; bit < CONTEXT_COUNT; bit++) row.put((context >> bit) & 1);
  row.put(elements.depth[owner] ?? 0);
  row.put(elements.hidden[tree.parent[blocks.first[block] ?? 0] ?? 0] ?? 0);
  writeNameOdds(elements, tree.parent, owner, row);
  const inline = tree.parent[blocks.first[block] ?? 0] ?? 0;
  row.put(inline === owner ? 0 : (elements.pathOdds[inline] ?? 0) - (elements.pathOdds[owner] ?? 0));
}

function writeNameOdds(elements: PageTables["elements"], parent: Int32Array, owner: number, row: Rows): void {
  let node = owner;
  let near = 0;
  let middle = 0;
  let least = 0;
  let greatest = 0;
  for (let level = 0; level <= NEAR_LEVELS + 1 && node > 0; level++) {
    const odds = elements.odds[node] ?? 0;
    if (level === 1 || level === 2) near += odds;
    else if (level > 2) middle += odds;
    if (level < NEAR_LEVELS) {
      least = Math.min(least, elements.leastOdds[node] ?? 0);
      greatest = Math.max(greatest, elements.greatestOdds[node] ?? 0);
    }
    node = parent[node] ?? 0;
  }
  row.put(elements.odds[owner] ?? 0);
  row.put(near);
  row.put(middle);
  row.put(elements.pathOdds[node] ?? 0);
  row.put(elements.pathOdds[owner] ?? 0);
  row.put(least);
  row.put(greatest);
  row.put(elements.leastPathOdds[owner] ?? 0);
  row.put(elements.greatestPathOdds[owner] ?? 0);
}

function orderOfTags(): Int32Array {
  const order = new Int32Array(256);
  TELLING_TAGS.forEach((name, index) => {
    order[tagId(name)] = index + 1;
  });
  return order;
}

const COPYRIGHT = 0xa9;
const PLUS = 43;

function writeTextFeatures({ blocks, texts, repetition }: PageTables, block: number, row: Rows): void {
  const chars = texts.chars[block] ?? 0;
  const words = texts.words[block] ?? 0;
  row.put(chars);
  row.put(words);
  row.share(texts.linkChars[block] ?? 0, chars);
  row.put(blocks.links[block] ?? 0);
  row.put(blocks.linkKind[block] ?? 0);
  row.put(blocks.breaks[block] ?? 0);
  row.put(blocks.images[block] ?? 0);
  row.share(texts.commas[block] ?? 0, words);
  row.share(texts.stops[block] ?? 0, words);
  row.share(chars, words);
  row.share(texts.digits[block] ?? 0, chars);
  row.share(texts.capitals[block] ?? 0, chars);
  row.share(texts.marks[block] ?? 0, chars);
  writeEdges(texts.firstCode[block] ?? 0, texts.lastCode[block] ?? 0, row);
  row.put(texts.odds[block] ?? 0);
  row.share(texts.odds[block] ?? 0, texts.known[block] ?? 0);
  row.put(texts.leastOdds[block] ?? 0);
  row.put(texts.greatestOdds[block] ?? 0);
  row.put(texts.firstOdds[block] ?? 0);
  row.put(texts.wholeOdds[block] ?? 0);
  row.share(texts.titleHits[block] ?? 0, Math.min(words, 32));
  row.put(texts.titleHits[block] ?? 0);
  row.put(texts.descriptionHits[block] ?? 0);
  row.share(texts.dataHits[block] ?? 0, Math.min(words, 32));
  row.put(Math.min(20, repetition.duplicates[block] ?? 0));
}

function writeEdges(first: number, last: number, row: Rows): void {
  row.put(last === 46 || last === 33 || last === 63 || last === 0x3002 ? 2 : last === 58 ? 1 : 0);
  row.flag(first === COPYRIGHT);
  row.put(
    first < 128
      ? first >= 48 && first <= 57
        ? 1
        : first >= 97 && first <= 122
          ? 2
          : first >= 65
            ? 3
            : 0
      : 4,
  );
  row.flag(first === PLUS || first === 36 || first === 0x20ac || first === 0xa3);
}

type FeatureGroup = (page: PageTables, block: number, row: Rows) => void;

/** Feature groups of a block, in the order of the model's columns. The page's own numbers follow. */
const GROUPS: readonly FeatureGroup[] = [
  writeTextFeatures,
  writePlaceFeatures,
  writeContainerFeatures,
  writeSeriesFeatures,
  writeNeighbourFeatures,
  writePositionFeatures,
];

/** Writes one row for each of the blocks, without the page's own numbers. */
export function writeFeatures(page: PageTables, blocks: Int32Array, rows: Rows): void {
  for (const block of blocks) {
    rows.begin();
    for (const write of GROUPS) write(page, block, rows);
  }
}
