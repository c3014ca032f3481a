import { RAW_TEXT } from "./tag-traits.ts";
import type { Selection } from "./selection.ts";
import { TEXT, tagId } from "./tree.ts";

const ANCHOR = tagId("a");

/** Sums over the kept text below each node. */
export interface TextWeights {
  /** Characters without white space at the ends. */
  readonly text: Int32Array;
  /** Characters inside links. */
  readonly links: Int32Array;
  /** Sentence punctuation outside of links. */
  readonly punctuation: Int32Array;
}

const SENTENCE = /[,.;:!?،。，、！？；：](?=\s|$|[^\x00-\x7f])/g;

/** Weighs the kept part of the whole tree in two passes. */
export function weighText(selection: Selection): TextWeights {
  const { tree, skipped } = selection;
  const text = new Int32Array(tree.size);
  const links = new Int32Array(tree.size);
  const punctuation = new Int32Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if (skipped[node] === 1) {
      node = (tree.end[node] ?? tree.size) - 1;
    } else if (tree.tag[node] === TEXT && RAW_TEXT[tree.tag[tree.parent[node] ?? 0] ?? 0] !== 1) {
      const own = tree.text(node).trim();
      text[node] = own.length;
      punctuation[node] = own.length > 20 ? (own.match(SENTENCE)?.length ?? 0) : 0;
    }
  }
  for (let node = tree.size - 1; node > 0; node--) {
    if (skipped[node] === 1) continue;
    const isLink = tree.tag[node] === ANCHOR && tree.attribute(node, "href") !== undefined;
    if (isLink) {
      links[node] = text[node] ?? 0;
      punctuation[node] = 0;
    }
    const parent = tree.parent[node] ?? 0;
    text[parent] = (text[parent] ?? 0) + (text[node] ?? 0);
    links[parent] = (links[parent] ?? 0) + (links[node] ?? 0);
    punctuation[parent] = (punctuation[parent] ?? 0) + (punctuation[node] ?? 0);
  }
  return { text, links, punctuation };
}
