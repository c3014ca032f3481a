const RUN = 4;
const MIN_WORDS = 6;
const MIN_SHARE = 0.5;

/** A long block and where in the reference it was found. */
export interface Anchor {
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Labels the long blocks (1 or 0; -1 for the short ones, 0 for those without words) and finds the longest chain of
 * content blocks that follows the order of the reference.
 */
export function findAnchors(
  blocks: readonly (readonly string[])[],
  reference: readonly string[],
): { readonly labels: Int8Array; readonly anchors: readonly Anchor[] } {
  const places = indexRuns(reference);
  const seen = new Map<string, number>();
  const labels = new Int8Array(blocks.length).fill(-1);
  const found: Anchor[] = [];
  blocks.forEach((words, block) => {
    if (words.length === 0) labels[block] = 0;
    if (words.length < MIN_WORDS) return;
    const hits: number[] = [];
    for (let at = 0; at + RUN <= words.length; at++) {
      const place = places.get(words.slice(at, at + RUN).join(" "));
      if (place !== undefined) hits.push(place.first - at);
    }
    labels[block] = hits.length / (words.length - RUN + 1) >= MIN_SHARE ? 1 : 0;
    if (labels[block] !== 1) return;
    // A text that the page has more often than the reference is content only as often as there.
    const text = words.join(" ");
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    const known = places.get(words.slice(0, RUN).join(" "));
    if (known !== undefined && times > known.times) {
      labels[block] = 0;
      return;
    }
    const from = Math.max(0, hits.sort((a, b) => a - b)[hits.length >> 1] ?? 0);
    found.push({ block, from, to: Math.min(reference.length, from + words.length) });
  });
  return { labels, anchors: longestChain(found, blocks) };
}

interface Place {
  readonly first: number;
  readonly times: number;
}

function indexRuns(reference: readonly string[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (let at = 0; at + RUN <= reference.length; at++) {
    const run = reference.slice(at, at + RUN).join(" ");
    const known = places.get(run);
    places.set(run, { first: known?.first ?? at, times: (known?.times ?? 0) + 1 });
  }
  return places;
}

/** The chain of blocks with most words whose places follow each other. */
function longestChain(anchors: readonly Anchor[], blocks: readonly (readonly string[])[]): readonly Anchor[] {
  const best: number[] = [];
  const previous: number[] = [];
  let last = -1;
  anchors.forEach((anchor, at) => {
    best[at] = 0;
    previous[at] = -1;
    for (let before = Math.max(0, at - 400); before < at; before++) {
      const isBefore = (anchors[before]?.to ?? 0) <= anchor.from + 2;
      if (!isBefore || (best[before] ?? 0) <= (best[at] ?? 0)) continue;
      best[at] = best[before] ?? 0;
      previous[at] = before;
    }
    best[at] = (best[at] ?? 0) + (blocks[anchor.block]?.length ?? 0);
    if (last < 0 || (best[at] ?? 0) > (best[last] ?? 0)) last = at;
  });
  const chain: Anchor[] = [];
  for (let at = last; at >= 0; at = previous[at] ?? -1) {
    const anchor = anchors[at];
    if (anchor) chain.unshift(anchor);
  }
  return chain;
}
