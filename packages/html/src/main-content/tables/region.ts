import type { HtmlTree } from "../../parser/tree.ts";
import type { Blocks } from "./blocks.ts";
import { below, type Sums } from "./sums.ts";
import type { Texts } from "./texts.ts";

const MIN_CHARS = 25;
const LEVELS = 3;
/** Cost of a block of average boilerplate in the densest stretch of blocks. */
const LINK_COST = 1.8;
const BLOCK_COST = 25;

/** The part of the page with the densest text, by two measures. */
export interface Region {
  /** Container whose paragraphs score highest, -1 for none. */
  readonly container: number;
  /** First and last block of the stretch with the most text and the fewest links. */
  readonly from: number;
  readonly to: number;
}

export function findRegion(tree: HtmlTree, blocks: Blocks, texts: Texts, sums: Sums): Region {
  return { container: findContainer(tree, blocks, texts, sums), ...findStretch(blocks, texts) };
}

function findContainer(tree: HtmlTree, blocks: Blocks, texts: Texts, sums: Sums): number {
  const scores = new Float64Array(tree.size);
  for (let block = 0; block < blocks.size; block++) {
    const chars = texts.chars[block] ?? 0;
    if (chars < MIN_CHARS) continue;
    let score = 2 + Math.min(3, chars / 100) + (texts.commas[block] ?? 0);
    let node = tree.parent[blocks.owner[block] ?? 0] ?? -1;
    for (let level = 0; level < LEVELS && node >= 0; level++) {
      scores[node] = (scores[node] ?? 0) + score;
      score /= 2;
      node = tree.parent[node] ?? -1;
    }
  }
  let best = -1;
  let bestScore = 0;
  for (let node = 0; node < tree.size; node++) {
    const score = scores[node] ?? 0;
    if (score <= bestScore) continue;
    const share = below(tree, sums.linkChars, node) / Math.max(1, below(tree, sums.chars, node));
    if (score * (1 - share) <= bestScore) continue;
    best = node;
    bestScore = score * (1 - share);
  }
  return best;
}

function findStretch(blocks: Blocks, texts: Texts): Omit<Region, "container"> {
  let stretch = { from: 0, to: -1 };
  let best = -1;
  let sum = 0;
  let from = 0;
  for (let block = 0; block < blocks.size; block++) {
    const gain = (texts.chars[block] ?? 0) - LINK_COST * (texts.linkChars[block] ?? 0) - BLOCK_COST;
    if (sum <= 0) from = block;
    sum = Math.max(0, sum) + gain;
    if (sum <= best) continue;
    best = sum;
    stretch = { from, to: block };
  }
  return stretch;
}
