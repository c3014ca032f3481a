import { HEADING, tagSet } from "./tag-traits.ts";
import type { Selection } from "./selection.ts";
import type { TextWeights } from "./text-weights.ts";
import { tagId } from "./tree.ts";

const ANCHOR = tagId("a");
const CONTAINER = tagSet("ul ol div section p");
/** What a reader would miss: blocks that hold any of these stay. */
const CONTENT = tagSet("table pre figure code blockquote dl", HEADING);

/** A region with a greater share of linked text is itself a list of links. */
const MAX_REGION_SHARE = 0.2;
const MIN_BLOCK_SHARE = 0.9;
const MIN_LINKS = 4;

/** Blocks of little but links, in regions that are mostly prose. Outermost first, in document order. */
export function findLinkBlocks(selection: Selection, weights: TextWeights): readonly number[] {
  return selection.roots.flatMap((root) => {
    const share = (weights.links[root] ?? 0) / Math.max(1, weights.text[root] ?? 0);
    return share > MAX_REGION_SHARE ? [] : linkBlocksIn(selection, weights, root);
  });
}

function linkBlocksIn(selection: Selection, weights: TextWeights, root: number): readonly number[] {
  const { tree, skipped } = selection;
  const blocks: number[] = [];
  const end = tree.end[root] ?? 0;
  let node = root + 1;
  while (node < end) {
    const isBlock = skipped[node] !== 1 && isLinkBlock(selection, weights, node);
    if (isBlock) blocks.push(node);
    node = isBlock || skipped[node] === 1 ? (tree.end[node] ?? end) : node + 1;
  }
  return blocks;
}

function isLinkBlock(selection: Selection, weights: TextWeights, node: number): boolean {
  const { tree } = selection;
  if (CONTAINER[tree.tag[node] ?? 0] !== 1) return false;
  const text = weights.text[node] ?? 0;
  if (text === 0 || (weights.links[node] ?? 0) < MIN_BLOCK_SHARE * text) return false;
  return countLinks(selection, node) >= MIN_LINKS;
}

/** Links below the node; 0 when it holds content that stays. */
function countLinks(selection: Selection, node: number): number {
  const { tree } = selection;
  const end = tree.end[node] ?? 0;
  let links = 0;
  for (let inner = node + 1; inner < end; inner++) {
    const tag = tree.tag[inner] ?? 0;
    if (CONTENT[tag] === 1) return 0;
    if (tag === ANCHOR) links++;
  }
  return links;
}
