import type { Selection } from "./selection.ts";
import type { TextWeights } from "./text-weights.ts";
import { TEXT, tagId } from "./tree.ts";

const MAIN = tagId("main");

/** The nodes that hold the page's own content; none when no region stands out. */
export function findRegion(selection: Selection, weights: TextWeights): readonly number[] {
  const { tree, skipped } = selection;
  let best = -1;
  for (let node = 0; node < tree.size; node++) {
    if (skipped[node] === 1) {
      node = (tree.end[node] ?? tree.size) - 1;
      continue;
    }
    if (tree.tag[node] === TEXT) continue;
    const isMain = tree.tag[node] === MAIN || tree.attribute(node, "role") === "main";
    if (isMain && (best < 0 || (weights.text[node] ?? 0) > (weights.text[best] ?? 0))) best = node;
  }
  return best < 0 ? [] : [best];
}
