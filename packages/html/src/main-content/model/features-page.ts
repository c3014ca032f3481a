import { HEADING } from "../../parser/tag-traits.ts";
import { tagId } from "../../parser/tree.ts";
import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";
import { below } from "../tables/sums.ts";

const H1 = tagId("h1");

/** Writes where a block stands in the page: order, headings, the densest region. */
export function writePositionFeatures(page: PageTables, block: number, row: Rows): void {
  const { blocks, sums, headings } = page;
  const first = blocks.first[block] ?? 0;
  const total = sums.chars.at(-1) ?? 0;
  row.share(block, blocks.size);
  row.share(sums.chars[first] ?? 0, total);
  row.put(Math.min(500, block));
  row.put(Math.min(500, blocks.size - block));
  row.put(headings.title < 0 ? -100 : Math.max(-60, Math.min(200, block - headings.title)));
  const titleNode = headings.title < 0 ? 0 : (blocks.owner[headings.title] ?? 0);
  row.put(
    titleNode === 0 ? 99 : stepsUp(page.tree, page.elements.depth, titleNode, blocks.owner[block] ?? 0),
  );
  writeRegion(page, block, row);
  writeHeading(page, headings.last[block] ?? -1, block, row);
  writeHeading(page, headings.lastHigh[block] ?? -1, block, row);
  writeSection(page, block, row);
}

/** Returns the numbers that all blocks of a page share. */
export function pageNumbers({
  blocks,
  sums,
  facts,
  repetition,
  headings,
  tree,
  region,
}: PageTables): Float32Array {
  const chars = sums.chars.at(-1) ?? 0;
  const share = (part: number): number => (chars > 0 ? part / chars : 0);
  return Float32Array.from([
    chars,
    share(sums.linkChars.at(-1) ?? 0),
    share(sums.proseChars.at(-1) ?? 0),
    blocks.size,
    repetition.most,
    headings.title < 0 ? -1 : headings.title / Math.max(1, blocks.size),
    sums.headings.at(-1) ?? 0,
    sums.inputs.at(-1) ?? 0,
    region.container < 0 ? 0 : share(below(tree, sums.chars, region.container)),
    region.container < 0 ? 0 : below(tree, sums.proseChars, region.container),
    repetition.maxChars / Math.max(1, chars),
    repetition.prices,
    ...facts.numbers,
  ]);
}

function writeRegion({ tree, blocks, region, elements }: PageTables, block: number, row: Rows): void {
  row.put(block < region.from ? block - region.from : Math.max(0, block - region.to));
  row.flag(block >= region.from && block <= region.to);
  const owner = blocks.owner[block] ?? 0;
  const { container } = region;
  const isInside = container >= 0 && owner >= container && owner < (tree.end[container] ?? 0);
  row.put(container < 0 || isInside ? 0 : owner < container ? -1 : 1);
  row.flag(isInside);
  row.put(container < 0 ? 99 : stepsUp(tree, elements.depth, container, owner));
}

/** Counts the steps up from `from` to the first element that also contains `other`. */
function stepsUp(tree: PageTables["tree"], depth: Int16Array, from: number, other: number): number {
  let node = from;
  while (node > 0 && !(other >= node && other < (tree.end[node] ?? 0))) node = tree.parent[node] ?? 0;
  return (depth[from] ?? 0) - (depth[node] ?? 0);
}

function writeHeading(page: PageTables, heading: number, block: number, row: Rows): void {
  const { tree, blocks, texts, elements } = page;
  if (heading < 0) {
    for (let column = 0; column < 7; column++) row.put(-9);
    return;
  }
  const owner = blocks.owner[heading] ?? 0;
  row.put(texts.odds[heading] ?? 0);
  row.put(texts.leastOdds[heading] ?? 0);
  row.put(texts.wholeOdds[heading] ?? 0);
  row.put(Math.min(100, block - heading));
  row.put(Math.min(9, stepsUp(tree, elements.depth, owner, blocks.owner[block] ?? 0)));
  row.put(elements.pathOdds[owner] ?? 0);
  row.put((tree.tag[owner] ?? 0) - H1);
}

/** Writes numbers about the blocks between the heading above a block and the next heading. */
function writeSection(page: PageTables, block: number, row: Rows): void {
  const { tree, blocks, sums, headings } = page;
  const from = Math.max(0, headings.last[block] ?? 0);
  const to = headings.next[block] ?? blocks.size;
  const start = blocks.first[from] ?? 0;
  const stop = to < blocks.size ? (blocks.first[to] ?? 0) : tree.size;
  const chars = (sums.chars[stop] ?? 0) - (sums.chars[start] ?? 0);
  row.flag(HEADING[tree.tag[blocks.owner[block] ?? 0] ?? 0] === 1);
  row.put(to - from);
  row.put(chars);
  row.share((sums.linkChars[stop] ?? 0) - (sums.linkChars[start] ?? 0), chars);
  row.share((sums.proseChars[stop] ?? 0) - (sums.proseChars[start] ?? 0), chars);
  row.share((sums.odds[stop] ?? 0) - (sums.odds[start] ?? 0), to - from);
}
