import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import type { PriceCandidate } from "./price-candidates.ts";

/** So many elements of one kind next to each other, each with a link and a price, are cards of other products. */
const MIN_CARDS = 3;
/** How many elements around a price may be the card. */
const LEVELS = 6;
const ANCHOR = tagSet("a");
const MAX_NODES = 400;

/**
 * The prices inside of cards that lead elsewhere: other products, under any name.
 * @param heading - what is around the product's own heading is not a card of others; -1 for none
 */
export function findCardPrices(
  tree: HtmlTree,
  candidates: readonly PriceCandidate[],
  heading: number,
): ReadonlySet<PriceCandidate> {
  const series = new Map<string, Map<number, PriceCandidate[]>>();
  for (const candidate of candidates) {
    let node = candidate.node;
    for (let level = 0; level < LEVELS && node > 0; level++, node = tree.parent[node] ?? 0) {
      const end = tree.end[node] ?? 0;
      if (end - node > MAX_NODES || (heading >= node && heading < end)) break;
      if (!hasLink(tree, node, end)) continue;
      const kind = `${tree.parent[node] ?? 0} ${tree.tag[node] ?? 0} ${tree.attribute(node, "class") ?? ""}`;
      const cards = series.get(kind) ?? new Map<number, PriceCandidate[]>();
      series.set(kind, cards.set(node, [...(cards.get(node) ?? []), candidate]));
    }
  }
  return new Set(
    [...series.values()]
      .filter(({ size }) => size >= MIN_CARDS)
      .flatMap((cards) => [...cards.values()].flat()),
  );
}

function hasLink(tree: HtmlTree, from: number, end: number): boolean {
  for (let node = from; node < end; node++) {
    if (ANCHOR[tree.tag[node] ?? 0] === 1 && /^(?!#|javascript:)./i.test(tree.attribute(node, "href") ?? ""))
      return true;
  }
  return false;
}
