import { HEADING, tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { isAllBold } from "../structured/all-bold.ts";
import { textOf, UNREAD } from "../structured/text-of.ts";

/** Nodes before the first block in which its title may stand. */
const FAR = 4000;
const MAX_TITLE_LENGTH = 90;
/** Titles that markup does not tell are a few words. */
const MAX_PLAIN_LENGTH = 40;
const TITLES = tagSet("caption legend summary", HEADING);
const CELL = tagSet("td th");
const ROW = tagId("tr");
const PARAGRAPH = tagSet("p div center");
const MARKS = tagSet("b strong u font em i span");
const PRICE = /[$€£¥₹]|\d[.,]\d\d/u;

/** What the parts of a list are called that its blocks stand in. */
export class SectionTitles {
  readonly #tree: HtmlTree;
  readonly #blocks: readonly number[];

  constructor(tree: HtmlTree, blocks: readonly number[]) {
    this.#tree = tree;
    this.#blocks = blocks;
  }

  /** By block: the last title before it that belongs to no block; empty where there is none. */
  ofBlocks(): readonly string[] {
    let last = Math.max(1, (this.#blocks[0] ?? 0) - FAR);
    let title = "";
    return this.#blocks.map((block) => {
      title = this.between(last, block) ?? title;
      last = this.#tree.end[block] ?? 0;
      return title;
    });
  }

  /** The last title between two places that belongs to no item; undefined when there is none. */
  between(from: number, to: number): string | undefined {
    const tree = this.#tree;
    let title: string | undefined;
    for (let node = Math.max(1, from); node < to; node++) {
      const tag = tree.tag[node] ?? 0;
      if (UNREAD[tag] === 1) node = (tree.end[node] ?? to) - 1;
      else if (TITLES[tag] === 1) title = textOf(tree, node, MAX_TITLE_LENGTH) || title;
      else if (tag !== TEXT && (tree.end[node] ?? 0) <= to) title = this.#plainTitle(node, to) ?? title;
    }
    return title;
  }

  /** A title that only its place or its looks tell: a row of one cell, a line in bold, the first words of a group. */
  #plainTitle(node: number, to: number): string | undefined {
    const tree = this.#tree;
    const tag = tree.tag[node] ?? 0;
    const isLike = tag === ROW ? isRowOfOne(tree, node) : PARAGRAPH[tag] === 1 && this.#standsAlone(node, to);
    if (!isLike) return undefined;
    const text = textOf(tree, node, MAX_PLAIN_LENGTH + 1);
    return text.length <= MAX_PLAIN_LENGTH && /\p{L}{2}/u.test(text) && !PRICE.test(text) ? text : undefined;
  }

  #standsAlone(node: number, to: number): boolean {
    return isAllBold(this.#tree, node) || (holdsTextOnly(this.#tree, node) && this.#beginsGroup(node, to));
  }

  /** Whether an element is the first of one that holds the item at `to` and another one. */
  #beginsGroup(node: number, to: number): boolean {
    const tree = this.#tree;
    const group = tree.parent[node] ?? 0;
    const end = tree.end[group] ?? 0;
    const first = tree.isBlank(group + 1) ? group + 2 : group + 1;
    if (first !== node || to >= end) return false;
    return this.#blocks.filter((block) => block > group && block < end).length > 1;
  }
}

/** Whether an element is a row of a table that is one cell: a title of the rows below. */
export function isRowOfOne(tree: HtmlTree, row: number): boolean {
  if (tree.tag[row] !== ROW) return false;
  let cells = 0;
  const end = tree.end[row] ?? 0;
  for (let child = row + 1; child < end; child = tree.end[child] ?? end)
    cells += CELL[tree.tag[child] ?? 0] ?? 0;
  return cells === 1;
}

function holdsTextOnly(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++)
    if (tree.tag[inner] !== TEXT && MARKS[tree.tag[inner] ?? 0] !== 1) return false;
  return true;
}
