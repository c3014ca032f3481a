import { tagSet } from "./tag-traits.ts";
import type { Selection } from "./selection.ts";
import { TEXT, tagId } from "./tree.ts";

const ANCHOR = tagId("a");

/** Elements whose text is not read as part of the page. */
const UNREAD = tagSet(
  "select datalist textarea iframe svg canvas object title xmp noembed noframes plaintext",
);

/** Sums over the kept text below each node. */
export interface TextWeights {
  /** Characters without white space at the ends. */
  readonly text: Int32Array;
  /** Characters inside links. */
  readonly links: Int32Array;
}

/** Weighs the kept part of the whole tree in two passes. */
export function weighText(selection: Selection): TextWeights {
  const { tree, skipped } = selection;
  const text = new Int32Array(tree.size);
  const links = new Int32Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    const tag = tree.tag[node] ?? 0;
    if (skipped[node] === 1 || UNREAD[tag] === 1) {
      node = (tree.end[node] ?? tree.size) - 1;
    } else if (tag === TEXT) {
      text[node] = tree.text(node).trim().length;
    }
  }
  for (let node = tree.size - 1; node > 0; node--) {
    if (skipped[node] === 1) continue;
    const isLink = tree.tag[node] === ANCHOR && tree.attribute(node, "href") !== undefined;
    if (isLink) links[node] = text[node] ?? 0;
    const parent = tree.parent[node] ?? 0;
    text[parent] = (text[parent] ?? 0) + (text[node] ?? 0);
    links[parent] = (links[parent] ?? 0) + (links[node] ?? 0);
  }
  return { text, links };
}

/** Characters of text outside of links. */
export function proseBelow(weights: TextWeights, node: number): number {
  return (weights.text[node] ?? 0) - (weights.links[node] ?? 0);
}
