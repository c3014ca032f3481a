import { type HtmlTree, tagId } from "../../page-content/html/parser/tree.ts";
import type { PriceCandidate } from "../product/price-candidates.ts";

/** The part of a page that speaks of one item, with its prices in order. */
export interface ItemBlock {
  readonly node: number;
  readonly prices: readonly PriceCandidate[];
}

const DD = tagId("dd");
const MAX_LEVELS = 12;
/** Prices of one item, such as those of its sizes. */
const MAX_PRICES = 5;

/**
 * The parts around prices that come again and again: of the elements that hold one price alone, the outermost one that
 * is called as often as any of them. A price that stands alone in its part, without a word, is joined with those next to it.
 */
export function findItemBlocks(tree: HtmlTree, candidates: readonly PriceCandidate[]): readonly ItemBlock[] {
  const chains = candidates.map((_, at) => chainOf(tree, candidates, at));
  const counts = new Map<string, number>();
  for (const chain of chains)
    for (const name of new Set(chain.map((node) => nameOf(tree, node))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const blocks = new Map<number, PriceCandidate[]>();
  candidates.forEach((candidate, at) => {
    const chain = chains[at] ?? [];
    const most = Math.max(...chain.map((node) => counts.get(nameOf(tree, node)) ?? 0));
    const outermost = chain.findLast((node) => counts.get(nameOf(tree, node)) === most) ?? candidate.node;
    const node = withWords(tree, outermost, candidates);
    blocks.set(node, [...(blocks.get(node) ?? []), candidate]);
  });
  return [...blocks].map(([node, prices]) => ({ node, prices: prices.slice(0, MAX_PRICES) }));
}

/** A candidate's element and those around it that hold no other candidate. */
function chainOf(tree: HtmlTree, candidates: readonly PriceCandidate[], at: number): readonly number[] {
  const chain: number[] = [];
  const [before, after] = [candidates[at - 1]?.node ?? -1, candidates[at + 1]?.node ?? Infinity];
  let node = candidates[at]?.node ?? 0;
  while (node > 0 && chain.length < MAX_LEVELS && before < node && after >= (tree.end[node] ?? 0)) {
    chain.push(node);
    node = tree.parent[node] ?? 0;
  }
  return chain.length > 0 ? chain : [candidates[at]?.node ?? 0];
}

/** The element, or the one around it where it has no words and that has few prices. The words of a `dd` are in its `dt`. */
function withWords(tree: HtmlTree, node: number, candidates: readonly PriceCandidate[]): number {
  if (tree.tag[node] === DD || /\p{L}{2}/u.test(wordsOf(tree, node, candidates))) return node;
  const parent = tree.parent[node] ?? 0;
  const inside = candidates.filter((one) => one.node >= parent && one.node < (tree.end[parent] ?? 0));
  return inside.length <= MAX_PRICES && /\p{L}{2}/u.test(wordsOf(tree, parent, candidates)) ? parent : node;
}

/** The text of an element without its prices. */
function wordsOf(tree: HtmlTree, node: number, candidates: readonly PriceCandidate[]): string {
  const end = tree.end[node] ?? 0;
  return candidates
    .filter((one) => one.node >= node && one.node < end)
    .reduce(
      (text, one) => text.replace(one.price.formatted ?? one.text, ""),
      tree.textContent(node).slice(0, 2000),
    );
}

function nameOf(tree: HtmlTree, node: number): string {
  return `${tree.nameOf(node)} ${tree.attribute(node, "class") ?? ""}`;
}
