import { lazy } from "@pergamon-dev/kit/lazy";
import { HEADING, tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, tagId, TEXT } from "@pergamon-dev/html/parser/tree";
import { scopeOfBlock } from "./block-scope.ts";
import { headingAbove } from "./heading-above.ts";
import { childElements } from "./list-texts.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import type { ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";
import { isAllBold } from "../structured/all-bold.ts";
import { textOf, UNREAD } from "../structured/text-of.ts";

const NO_BLOCK = tagSet(
  "br hr script style option source td th thead tbody col svg path span b strong em i sup noscript template",
);
const FEWEST = 2;
const MAX_SETS = 40;
const MAX_JOINED_SETS = 20;
const MAX_PARENTS = 20_000;
const MAX_BLOCKS = 500;
/** Minimum share of an element's children that must look alike. */
const ALIKE = 0.5;

interface Group {
  /** Signature of the element and its blocks. */
  readonly sign: string;
  readonly isJoined: boolean;
  readonly parent: number;
  readonly blocks: readonly number[];
  readonly text: number;
}

/**
 * Sets of similar elements, such as cards, list entries and comments, both joined over all parts of a list
 * and per group of neighbours. Those with the most text come first.
 */
export function blockSets(parts: PageParts): readonly ScopeSet[] {
  const groups = groupsOf(parts);
  const whole = byText(joined(groups)).slice(0, MAX_JOINED_SETS);
  const single = byText(groups.filter(({ blocks }) => blocks.length >= FEWEST)).slice(0, MAX_SETS);
  return [...whole, ...single].map((group) => setOf(parts, group));
}

function setOf(parts: PageParts, { parent, blocks, isJoined }: Group): ScopeSet {
  const block = blocks[0] ?? parent;
  const titles = lazy(() => new SectionTitles(parts.tree, blocks).ofBlocks());
  const above = isJoined ? [] : [headingAbove(parts, block)];
  return {
    labels: [...namesOf(parts, parent, block), ...above].filter((name) => name !== "").map(labelWords),
    weight: 0.8 * Math.max(0.5, weightOfPlace(parts, block)),
    scopes: blocks.map((one, at) => scopeOfBlock(parts, one, () => titles()[at] ?? "")),
  };
}

function byText(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((one, other) => other.text - one.text);
}

/** Joins groups that look alike: one list in several parts, each below its own title. */
function joined(groups: readonly Group[]): readonly Group[] {
  const bySign = new Map<string, Group[]>();
  for (const group of groups) {
    const known = bySign.get(group.sign);
    if (known) known.push(group);
    else bySign.set(group.sign, [group]);
  }
  return [...bySign.values()].flatMap((alikes) => {
    const [first] = alikes;
    if (!first || alikes.length === 1) return [];
    const blocks = alikes.flatMap((group) => group.blocks).slice(0, MAX_BLOCKS);
    return [{ ...first, blocks, text: alikes.reduce((sum, { text }) => sum + text, 0), isJoined: true }];
  });
}

function groupsOf(parts: PageParts): readonly Group[] {
  const { tree } = parts;
  const groups: Group[] = [];
  for (let parent = 1, left = MAX_PARENTS; parent < tree.size && left > 0; parent++) {
    if (tree.tag[parent] === TEXT || (tree.end[parent] ?? 0) - parent < 3) continue;
    left--;
    const children = childElements(tree, parent);
    if (children.length === 0) continue;
    const blocks = alike(parts, children).slice(0, MAX_BLOCKS);
    const [first] = blocks;
    if (first === undefined || weightOfPlace(parts, first) === 0) continue;
    groups.push({
      isJoined: false,
      sign: kindOf(parts, parent, first),
      parent,
      blocks,
      text: textLength(parts, blocks),
    });
  }
  return groups;
}

/** The largest group of children with the same tag and first class; empty if it is too small. */
function alike({ tree }: PageParts, children: readonly number[]): readonly number[] {
  const bySign = new Map<string, number[]>();
  for (const child of children) {
    if (NO_BLOCK[tree.tag[child] ?? 0] === 1 || isRowOfOne(tree, child)) continue;
    const sign = signOf(tree, child);
    const group = bySign.get(sign);
    if (group) group.push(child);
    else bySign.set(sign, [child]);
  }
  const largest = [...bySign.values()].reduce<number[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
  return largest.length >= children.length * ALIKE ? largest : [];
}

/**
 * Identifies the kind of a group: the class of its blocks, or also that of the parent if they have none,
 * and the weight of their position.
 */
function kindOf(parts: PageParts, parent: number, block: number): string {
  const own = signOf(parts.tree, block);
  const around = own.endsWith(".") ? signOf(parts.tree, parent) : "";
  return `${around} ${own} ${weightOfPlace(parts, block)}`;
}

function signOf(tree: HtmlTree, node: number): string {
  const [name = ""] = (tree.attribute(node, "class") ?? "").trim().split(/\s+/);
  return `${tree.nameOf(node)}.${name}`;
}

function textLength({ layout }: PageParts, blocks: readonly number[]): number {
  const first = layout.offset[blocks[0] ?? 0] ?? 0;
  const last = layout.offset[blocks.at(-1) ?? 0] ?? 0;
  return last - first;
}

/** Possible names of the blocks, from their classes and those of the parent. */
function namesOf({ tree }: PageParts, parent: number, block: number): readonly string[] {
  return [block, parent].flatMap((node) => [
    ...(tree.attribute(node, "class") ?? "").split(/\s+/).slice(0, 3),
    tree.attribute(node, "id") ?? "",
    tree.attribute(node, "aria-label") ?? "",
  ]);
}

/** A title stands at most this many nodes before the first block. */
const FAR = 4000;
const MAX_TITLE_LENGTH = 90;
/** Maximum characters of a title without heading markup. */
const MAX_PLAIN_LENGTH = 40;
const TITLES = tagSet("caption legend summary", HEADING);
const CELL = tagSet("td th");
const ROW = tagId("tr");
const PARAGRAPH = tagSet("p div center");
const MARKS = tagSet("b strong u font em i span");
const PRICE = /[$€£¥₹]|\d[.,]\d\d/u;

/** Titles of the list parts that contain the blocks. */
class SectionTitles {
  readonly #tree: HtmlTree;
  readonly #blocks: readonly number[];

  constructor(tree: HtmlTree, blocks: readonly number[]) {
    this.#tree = tree;
    this.#blocks = blocks;
  }

  /** For each block, the last title before it that is outside all blocks; "" if there is none. */
  ofBlocks(): readonly string[] {
    let last = Math.max(1, (this.#blocks[0] ?? 0) - FAR);
    let title = "";
    return this.#blocks.map((block) => {
      title = this.between(last, block) ?? title;
      last = this.#tree.end[block] ?? 0;
      return title;
    });
  }

  /** The last title between two nodes that is outside all items; undefined if there is none. */
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

  /** A title known only by position or style: a one-cell row, a bold line, or the first words of a group. */
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

  /** True if the element is the first in a parent that holds the item at `to` and another item. */
  #beginsGroup(node: number, to: number): boolean {
    const tree = this.#tree;
    const group = tree.parent[node] ?? 0;
    const end = tree.end[group] ?? 0;
    const first = tree.isBlank(group + 1) ? group + 2 : group + 1;
    if (first !== node || to >= end) return false;
    return this.#blocks.filter((block) => block > group && block < end).length > 1;
  }
}

/** True for a table row with a single cell, which is a title of the rows below. */
function isRowOfOne(tree: HtmlTree, row: number): boolean {
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
