import { HEADING } from "../../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../../parser/tree.ts";
import type { Blocks } from "./blocks.ts";
import type { Elements } from "./elements.ts";
import type { Texts } from "./texts.ts";

const IMG = tagId("img");
const INPUT = tagId("input");
const TEXTAREA = tagId("textarea");
const SELECT = tagId("select");
const BUTTON = tagId("button");

/** From this many visible characters on, a mostly unlinked block counts as prose. */
const PROSE_CHARS = 80;
const PROSE_LINK_SHARE = 0.4;

/**
 * Running totals up to each node. The total below a node is the difference between its end and itself. All
 * use one array type, because V8 reads mixed types far slower.
 */
export interface Sums {
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly proseChars: Float64Array;
  readonly blocks: Float64Array;
  readonly images: Float64Array;
  readonly inputs: Float64Array;
  readonly headings: Float64Array;
  readonly odds: Float64Array;
}

/** Computes the totals in one pass over the blocks and one over the nodes. */
export function sumUp(tree: HtmlTree, elements: Elements, blocks: Blocks, texts: Texts): Sums {
  const { size } = tree;
  const sums: Sums = {
    chars: new Float64Array(size + 1),
    linkChars: new Float64Array(size + 1),
    proseChars: new Float64Array(size + 1),
    blocks: new Float64Array(size + 1),
    images: new Float64Array(size + 1),
    inputs: new Float64Array(size + 1),
    headings: new Float64Array(size + 1),
    odds: new Float64Array(size + 1),
  };
  for (let block = 0; block < blocks.size; block++) {
    const after = (blocks.first[block] ?? 0) + 1;
    sums.chars[after] = texts.chars[block] ?? 0;
    sums.linkChars[after] = texts.linkChars[block] ?? 0;
    sums.proseChars[after] = isProse(texts, block) ? (texts.chars[block] ?? 0) : 0;
    sums.blocks[after] = 1;
    sums.odds[after] = (texts.odds[block] ?? 0) / Math.max(3, texts.known[block] ?? 0);
  }
  for (let node = 0; node < size; node++) {
    if (elements.out[node] === 0 && elements.hidden[node] === 0)
      countElement(sums, node + 1, tree.tag[node] ?? 0);
  }
  for (const column of Object.values(sums) as readonly Float64Array[]) accumulate(column);
  return sums;
}

/** The gain of a running total between a node and the end of its subtree. */
export function below(tree: HtmlTree, column: Float64Array, node: number): number {
  return (column[tree.end[node] ?? 0] ?? 0) - (column[node] ?? 0);
}

function isProse(texts: Texts, block: number): boolean {
  const chars = texts.chars[block] ?? 0;
  return chars > PROSE_CHARS && (texts.linkChars[block] ?? 0) < chars * PROSE_LINK_SHARE;
}

function countElement(sums: Sums, after: number, tag: number): void {
  if (tag === IMG) sums.images[after] = 1;
  else if (HEADING[tag] === 1) sums.headings[after] = 1;
  else if (tag === INPUT || tag === TEXTAREA || tag === SELECT || tag === BUTTON) sums.inputs[after] = 1;
}

function accumulate(column: Float64Array): void {
  let total = 0;
  for (let at = 0; at < column.length; at++) {
    total += column[at] ?? 0;
    column[at] = total;
  }
}
