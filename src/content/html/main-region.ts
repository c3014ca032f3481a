import type { Selection } from "./selection.ts";
import { HEADING, tagSet } from "./tag-traits.ts";
import { proseBelow, type TextWeights } from "./text-weights.ts";
import { TEXT, tagId } from "./tree.ts";

const MAIN = tagId("main");
const H1 = tagId("h1");

/** Elements that are kept whole. */
const WHOLE = tagSet("table ul ol dl pre blockquote figure p", HEADING);

/** A child with this share of its parent's prose is where the content is. */
const DOMINANT = 0.85;

/** The least share of its parent's whole text, links included, that such a child has: lists of links are content too. */
const DOMINANT_WITH_LINKS = 0.7;

/** A `main` with less of the page's text than this holds something else. */
const MIN_MAIN_SHARE = 0.25;

/** The nodes that hold the page's own content, the page's title first; none when no region stands out. */
export function findRegion(selection: Selection, weights: TextWeights): readonly number[] {
  const main = largestMain(selection, weights);
  const isUsable = main >= 0 && (weights.text[main] ?? 0) >= MIN_MAIN_SHARE * (weights.text[0] ?? 0);
  const region = descend(selection, weights, isUsable ? main : 0);
  const title = titleBefore(selection, region);
  return title < 0 ? [region] : [title, region];
}

function largestMain(selection: Selection, weights: TextWeights): number {
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
  return best;
}

/** Goes down while one child holds nearly all of the prose. */
function descend(selection: Selection, weights: TextWeights, from: number): number {
  const { tree } = selection;
  let region = from;
  for (;;) {
    const next = dominantChild(selection, weights, region);
    const tag = tree.tag[next] ?? TEXT;
    if (next < 0 || tag === TEXT || WHOLE[tag] === 1) return region;
    region = next;
  }
}

function dominantChild(selection: Selection, weights: TextWeights, node: number): number {
  const { tree, skipped } = selection;
  const end = tree.end[node] ?? 0;
  const prose = DOMINANT * proseBelow(weights, node);
  const text = DOMINANT_WITH_LINKS * (weights.text[node] ?? 0);
  if (text === 0) return -1;
  for (let child = node + 1; child < end; child = tree.end[child] ?? end) {
    if (skipped[child] === 1 || proseBelow(weights, child) < prose) continue;
    if ((weights.text[child] ?? 0) >= text) return child;
  }
  return -1;
}

/** The last `h1` before the region, -1 when the region has one itself or there is none. */
function titleBefore(selection: Selection, region: number): number {
  const { tree, skipped } = selection;
  const end = tree.end[region] ?? 0;
  let title = -1;
  for (let node = 0; node < end; node++) {
    if (skipped[node] === 1) node = (tree.end[node] ?? end) - 1;
    else if (tree.tag[node] === H1) {
      if (node >= region) return -1;
      title = node;
    }
  }
  return title;
}
