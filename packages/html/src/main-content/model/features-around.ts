import { HEADING } from "../../parser/tag-traits.ts";
import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";
import { below } from "../tables/sums.ts";

/** Block-level elements up from a block's own at which the content is summed up. */
const LEVELS = [0, 1, 2, 3, 5, 7];
const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const WINDOW = 6;

/** What lies in the containers of a block. */
export function writeContainerFeatures(page: PageTables, block: number, row: Rows): void {
  let node = page.blocks.owner[block] ?? 0;
  let level = 0;
  for (const wanted of LEVELS) {
    for (; level < wanted && node > 0; level++) node = page.elements.block[page.tree.parent[node] ?? 0] ?? 0;
    row.container(page.containers, node);
  }
}

/** The series that a block belongs to: cards, replies, rows. */
export function writeSeriesFeatures(page: PageTables, block: number, row: Rows): void {
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

/** What comes shortly before and after a block. */
export function writeNeighbourFeatures(page: PageTables, block: number, row: Rows): void {
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
