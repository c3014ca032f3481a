import { findAnchors } from "./anchors.ts";
import { matchInOrder } from "./match-in-order.ts";

/** Scripts without spaces count one token per character, as the scoring tool has it. */
const IDEOGRAPH = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{sc=${script}}`)
  .join("");
const TOKEN = new RegExp(`[${IDEOGRAPH}]|(?:(?![${IDEOGRAPH}])[\\p{L}\\p{M}\\p{N}_])+`, "gu");

/** The words of a text in lower case. */
export function tokenize(text: string): readonly string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}

/** A block counts as content when this share of its words is found in order. */
const MIN_SHARE = 0.6;

/**
 * Whether each block is part of the reviewed text (1) or not (0). Long blocks are found by their runs of four words;
 * short ones must stand, in order, between the places where the long ones around them were found.
 */
export function labelBlocks(blocks: readonly (readonly string[])[], reference: readonly string[]): Int8Array {
  const { labels, anchors } = findAnchors(blocks, reference);
  let block = 0;
  let at = 0;
  for (const anchor of [...anchors, { block: blocks.length, from: reference.length, to: reference.length }]) {
    labelBetween(blocks, reference, labels, { block, at, toBlock: anchor.block, to: anchor.from });
    block = anchor.block + 1;
    at = anchor.to;
  }
  return labels;
}

interface Gap {
  readonly block: number;
  readonly at: number;
  readonly toBlock: number;
  readonly to: number;
}

function labelBetween(
  blocks: readonly (readonly string[])[],
  reference: readonly string[],
  labels: Int8Array,
  gap: Gap,
): void {
  const short: number[] = [];
  for (let block = gap.block; block < gap.toBlock; block++) if (labels[block] === -1) short.push(block);
  if (short.length === 0) return;
  const words = short.flatMap((block) => blocks[block] ?? []);
  const matched = matchInOrder(words, reference.slice(gap.at, Math.max(gap.at, gap.to)));
  let at = 0;
  for (const block of short) {
    const length = blocks[block]?.length ?? 0;
    let hits = 0;
    for (let word = at; word < at + length; word++) hits += matched[word] ?? 0;
    labels[block] = length > 0 && hits / length >= MIN_SHARE ? 1 : 0;
    at += length;
  }
}
