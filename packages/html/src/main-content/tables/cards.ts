import { type HtmlTree, TEXT } from "../../parser/tree.ts";
import { Counter, mixed } from "./counter.ts";
import type { Elements } from "./elements.ts";
import type { PageTables } from "./page-tables.ts";
import { below, type Sums } from "./sums.ts";

/** From this many siblings of one shape on, an element is a card of a list. */
const MIN_CARDS = 3;
/**
 * A card has at least this many blocks, or one and a picture. Less is a menu line or a word of a paragraph.
 */
const MIN_BLOCKS = 2;
/** Cards of one family have ancestors of the same shapes, up to this many levels. */
const FAMILY_LEVELS = 3;
const DIGITS = /\d+/g;

/** Cards of a page: list items that have several texts or a picture each. */
interface Cards {
  /** By node: the family of the innermost card at or around it, -1 for none. */
  readonly familyAt: Int32Array;
  /** By family (cards built alike, in any container): number of characters, in all and inside links. */
  readonly chars: readonly number[];
  readonly linkChars: readonly number[];
  /** By family: number of cards. */
  readonly counts: readonly number[];
}

/**
 * Finds the cards of a page. Siblings share a shape when they have the same name and their class begins with
 * the same word, digits ignored: `post-17 sticky` and `post-18` share one.
 */
export function findCards({ tree, elements, sums }: Pick<PageTables, "tree" | "elements" | "sums">): Cards {
  const shapes = readShapes(tree, elements, sums);
  const siblings = countSiblings(tree, shapes);
  const familyAt = new Int32Array(tree.size).fill(-1);
  const families = new Map<number, number>();
  const chars: number[] = [];
  const linkChars: number[] = [];
  const counts: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    familyAt[node] = familyAt[tree.parent[node] ?? 0] ?? -1;
    if ((siblings[node] ?? 0) < MIN_CARDS || !isRich(tree, sums, node)) continue;
    const key = keyOfFamily(tree, shapes, node);
    const family = families.get(key) ?? families.size;
    families.set(key, family);
    familyAt[node] = family;
    counts[family] = (counts[family] ?? 0) + 1;
    chars[family] = (chars[family] ?? 0) + below(tree, sums.chars, node);
    linkChars[family] = (linkChars[family] ?? 0) + below(tree, sums.linkChars, node);
  }
  return { familyAt, chars, linkChars, counts };
}

function isRich(tree: HtmlTree, sums: Sums, node: number): boolean {
  const count = below(tree, sums.blocks, node);
  return count >= MIN_BLOCKS || (count === 1 && below(tree, sums.images, node) > 0);
}

/** By node: equal for elements of one shape; 0 for elements without text. */
function readShapes(tree: HtmlTree, { out, kind }: Elements, sums: Sums): Int32Array {
  const shapes = new Int32Array(tree.size);
  const names = new Map<string, number>();
  const ofClass: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (out[node] === 1 || tree.tag[node] === TEXT || below(tree, sums.blocks, node) === 0) continue;
    const classes = (kind[node] ?? 0) >> 8;
    let name = ofClass[classes];
    if (name === undefined) {
      const key = firstWord(tree.attribute(node, "class") ?? "").replace(DIGITS, "");
      name = names.get(key) ?? names.size + 1;
      names.set(key, name);
      ofClass[classes] = name;
    }
    shapes[node] = name * 256 + (tree.tag[node] ?? 0);
  }
  return shapes;
}

function firstWord(classes: string): string {
  const names = classes.trimStart();
  const end = names.search(/\s/);
  return end < 0 ? names : names.slice(0, end);
}

function countSiblings(tree: HtmlTree, shapes: Int32Array): Int32Array {
  let shaped = 0;
  for (const shape of shapes) if (shape !== 0) shaped++;
  const counts = new Counter(shaped);
  const slots = new Int32Array(tree.size).fill(-1);
  for (let node = 1; node < tree.size; node++) {
    const shape = shapes[node] ?? 0;
    if (shape !== 0) slots[node] = counts.add(mixed(shape, tree.parent[node] ?? 0), 1);
  }
  return counts.ofSlots(slots);
}

function keyOfFamily(tree: HtmlTree, shapes: Int32Array, card: number): number {
  let key = 0;
  let node = card;
  for (let level = 0; level < FAMILY_LEVELS && node > 0; level++) {
    key = mixed(key, shapes[node] ?? 0);
    node = tree.parent[node] ?? 0;
  }
  return key;
}
