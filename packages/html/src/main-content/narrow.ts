import type { Selection } from "../selection/selection.ts";
import { only, withSkipped } from "../selection/selection.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { TEXT } from "../parser/tree.ts";
import type { PageTables } from "./tables/page-tables.ts";

/** Elements that are not a region of a page: what stands around them is. */
const PART = tagSet(
  `a abbr b blockquote caption code dd details dl dt em figcaption figure h1 h2 h3 h4 h5 h6 i label li ol p pre span
   strong summary table tbody td tfoot th thead tr ul`,
);

/** The selection without the blocks that are not kept, narrowed to the element around those that are. */
export function narrowTo(selection: Selection, page: PageTables, kept: Uint8Array): Selection {
  const { tree, blocks } = page;
  const counts = countBlocks(page, kept);
  const skipped = selection.skipped.slice();
  for (let node = 0; node < tree.size; node++) {
    const end = tree.end[node] ?? tree.size;
    const hasDropped = (counts.all[end] ?? 0) > (counts.all[node] ?? 0);
    const hasKept = (counts.kept[end] ?? 0) > (counts.kept[node] ?? 0);
    if (!hasDropped || hasKept) continue;
    skipped[node] = 1;
    node = end - 1;
  }
  const narrowed = withSkipped(selection, skipped);
  const region = regionOf(page, kept);
  return region > 0 && selection.roots.length === 1 && blocks.size > 0 ? only(narrowed, [region]) : narrowed;
}

interface Counts {
  readonly all: Int32Array;
  readonly kept: Int32Array;
}

/** Running totals of text nodes in blocks, all and kept ones. */
function countBlocks({ tree, blocks }: PageTables, kept: Uint8Array): Counts {
  const counts = { all: new Int32Array(tree.size + 1), kept: new Int32Array(tree.size + 1) };
  for (let block = 0; block < blocks.size; block++) {
    const last = blocks.last[block] ?? 0;
    for (let node = blocks.first[block] ?? 0; node <= last; node++) {
      if (tree.tag[node] !== TEXT) continue;
      counts.all[node + 1] = 1;
      counts.kept[node + 1] = kept[block] ?? 0;
    }
  }
  for (let at = 1; at <= tree.size; at++) {
    counts.all[at] = (counts.all[at] ?? 0) + (counts.all[at - 1] ?? 0);
    counts.kept[at] = (counts.kept[at] ?? 0) + (counts.kept[at - 1] ?? 0);
  }
  return counts;
}

/** The innermost element around everything kept that is more than a part of a text, -1 when nothing is kept. */
function regionOf({ tree, blocks }: PageTables, kept: Uint8Array): number {
  const first = kept.indexOf(1);
  if (first < 0) return -1;
  const last = blocks.last[kept.lastIndexOf(1)] ?? 0;
  let region = blocks.owner[first] ?? 0;
  while (region > 0 && (last >= (tree.end[region] ?? 0) || PART[tree.tag[region] ?? 0] === 1)) {
    region = tree.parent[region] ?? 0;
  }
  return region;
}
