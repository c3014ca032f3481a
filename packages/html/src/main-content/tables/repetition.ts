import type { HtmlTree } from "../../parser/tree.ts";
import type { Blocks } from "./blocks.ts";
import { Counter, mixed } from "./counter.ts";
import { BLOCK, type Elements } from "./elements.ts";
import type { Texts } from "./texts.ts";

/** From this many equal siblings on, an element is an item of a series: a card, a reply, a row. */
const MIN_SERIES = 3;
/** Levels of elements that a block's signature covers. */
const SIGNATURE_LEVELS = 3;

/** $ € £ ¥ ₹ */
const CURRENCIES: ReadonlySet<number> = new Set([0x24, 0x20ac, 0xa3, 0xa5, 0x20b9]);

export interface Repetition {
  /** By block-level node: number of siblings of the same kind, itself included. */
  readonly siblings: Int32Array;
  /** By block-level node: innermost item of a series at or around it, -1 for none. */
  readonly item: Int32Array;
  /** By block-level node: outermost item of a series at or around it, -1 for none. */
  readonly outerItem: Int32Array;
  /** By block: equal for blocks of the same elements and classes, up to three levels. */
  readonly signature: Int32Array;
  /** By block: number of blocks with the same signature, and their characters. */
  readonly alike: Int32Array;
  readonly alikeChars: Float64Array;
  /** By block: equal for blocks with the same text, the number of these, and the number before this one. */
  readonly text: Int32Array;
  readonly copies: Int32Array;
  readonly duplicates: Int32Array;
  /** Greatest number of blocks with one signature. */
  readonly most: number;
  /** Greatest number of characters in blocks with one signature. */
  readonly maxChars: number;
  /** Number of blocks that begin with a currency sign. */
  readonly prices: number;
}

export function findRepetition(tree: HtmlTree, elements: Elements, blocks: Blocks, texts: Texts): Repetition {
  const siblings = countSiblings(tree, elements);
  const item = new Int32Array(tree.size).fill(-1);
  const outerItem = new Int32Array(tree.size).fill(-1);
  for (let node = 1; node < tree.size; node++) {
    const parent = tree.parent[node] ?? 0;
    const isItem = (siblings[node] ?? 0) >= MIN_SERIES;
    item[node] = isItem ? node : (item[parent] ?? -1);
    outerItem[node] = isItem && outerItem[parent] === -1 ? node : (outerItem[parent] ?? -1);
  }
  return { siblings, item, outerItem, ...countAlike(tree, elements, blocks, texts) };
}

function countSiblings(tree: HtmlTree, elements: Elements): Int32Array {
  let boxes = 0;
  for (let node = 1; node < tree.size; node++) boxes += BLOCK[tree.tag[node] ?? 0] ?? 0;
  const counts = new Counter(boxes);
  const slots = new Int32Array(tree.size).fill(-1);
  for (let node = 1; node < tree.size; node++) {
    if (elements.out[node] === 1 || BLOCK[tree.tag[node] ?? 0] !== 1) continue;
    slots[node] = counts.add(mixed(elements.kind[node] ?? 0, tree.parent[node] ?? 0), 1);
  }
  return counts.ofSlots(slots);
}

function countAlike(
  tree: HtmlTree,
  elements: Elements,
  blocks: Blocks,
  texts: Texts,
): Pick<
  Repetition,
  "signature" | "alike" | "alikeChars" | "text" | "copies" | "duplicates" | "most" | "maxChars" | "prices"
> {
  const signatures = new Counter(blocks.size);
  const characters = new Float64Array(signatures.capacity);
  const sameTexts = new Counter(blocks.size);
  const slots = new Int32Array(blocks.size);
  const textSlots = new Int32Array(blocks.size);
  const duplicates = new Int32Array(blocks.size);
  let most = 0;
  let prices = 0;
  for (let block = 0; block < blocks.size; block++) {
    const slot = signatures.add(signatureOf(tree, elements, blocks.owner[block] ?? 0), 1);
    slots[block] = slot;
    characters[slot] = (characters[slot] ?? 0) + (texts.chars[block] ?? 0);
    most = Math.max(most, signatures.at(slot));
    if (CURRENCIES.has(texts.firstCode[block] ?? 0)) prices++;
    textSlots[block] = sameTexts.add(mixed(texts.hash[block] ?? 0, texts.chars[block] ?? 0), 1);
    duplicates[block] = sameTexts.at(textSlots[block] ?? 0) - 1;
  }
  const alikeChars = new Float64Array(blocks.size);
  let maxChars = 0;
  for (let block = 0; block < blocks.size; block++) {
    alikeChars[block] = characters[slots[block] ?? 0] ?? 0;
    maxChars = Math.max(maxChars, alikeChars[block] ?? 0);
  }
  return {
    signature: slots,
    alike: signatures.ofSlots(slots),
    alikeChars,
    text: textSlots,
    copies: sameTexts.ofSlots(textSlots),
    duplicates,
    most,
    maxChars,
    prices,
  };
}

function signatureOf(tree: HtmlTree, elements: Elements, owner: number): number {
  let signature = 0;
  let node = owner;
  for (let level = 0; level < SIGNATURE_LEVELS && node > 0; level++) {
    signature = mixed(signature, elements.kind[node] ?? 0);
    node = tree.parent[node] ?? 0;
  }
  return signature;
}
