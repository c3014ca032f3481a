import { lazy } from "@pergamon-dev/kit/lazy";
import type { Selection } from "../../selection/selection.ts";
import { HEADING, tagSet } from "../../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../../parser/tree.ts";
import { type Blocks, findBlocks } from "./blocks.ts";
import { findCards } from "./cards.ts";
import { Containers } from "./containers.ts";
import { type Elements, readElements } from "./elements.ts";
import type { Lexica } from "./lexicon.ts";
import { type PageFacts, readPageFacts } from "./page-facts.ts";
import { findRegion, type Region } from "./region.ts";
import { findRepetition, type Repetition } from "./repetition.ts";
import { type Sums, sumUp } from "./sums.ts";
import { readTexts, type Texts } from "./texts.ts";
import type { TokenVisitor } from "./tokens.ts";

const H1 = tagId("h1");
const H2 = tagId("h2");

/** Everything about a page that the features of its blocks are computed from. */
export interface PageTables {
  readonly tree: HtmlTree;
  readonly elements: Elements;
  readonly blocks: Blocks;
  readonly texts: Texts;
  readonly facts: PageFacts;
  readonly sums: Sums;
  readonly repetition: Repetition;
  readonly region: Region;
  readonly headings: Headings;
  readonly containers: Containers;
  /**
   * By block: number of its unit. A table, list or piece of code is one unit, and is kept or dropped as a
   * whole.
   */
  readonly units: Int32Array;
  readonly cards: () => ReturnType<typeof findCards>;
}

/** By block: the last heading at or before it, of any level and of level 1 or 2; -1 for none. */
interface Headings {
  readonly last: Int32Array;
  readonly lastHigh: Int32Array;
  /** The first `h1`, -1 for none. */
  readonly title: number;
  /** By block: the next heading after it; the number of blocks when there is none. */
  readonly next: Int32Array;
}

/** Reads a page in a fixed number of passes over its nodes and text. */
export function readPage(
  selection: Selection,
  pageUrl: string,
  lexica: Lexica,
  visit?: TokenVisitor,
): PageTables {
  const { tree } = selection;
  const elements = readElements(selection, lexica.names);
  const blocks = findBlocks(tree, elements, pageUrl);
  const facts = readPageFacts(tree, pageUrl);
  const texts = readTexts(tree, blocks, {
    words: lexica.words,
    phrases: facts.phrases,
    out: elements.out,
    ...(visit && { visit }),
  });
  const sums = sumUp(tree, elements, blocks, texts);
  const repetition = findRepetition(tree, elements, blocks, texts);
  const region = findRegion(tree, blocks, texts, sums);
  const headings = findHeadings(tree, blocks);
  const containers = new Containers(tree, sums, repetition);
  const units = findUnits(tree, blocks);
  const cards = lazy(() => findCards({ tree, elements, sums }));
  return {
    tree,
    elements,
    blocks,
    texts,
    facts,
    sums,
    repetition,
    region,
    headings,
    containers,
    units,
    cards,
  };
}

function findHeadings(tree: HtmlTree, blocks: Blocks): Headings {
  const last = new Int32Array(blocks.size);
  const lastHigh = new Int32Array(blocks.size);
  const next = new Int32Array(blocks.size);
  let title = -1;
  let heading = -1;
  let high = -1;
  for (let block = 0; block < blocks.size; block++) {
    const tag = tree.tag[blocks.owner[block] ?? 0] ?? 0;
    if (HEADING[tag] === 1) heading = block;
    if (tag === H1 || tag === H2) high = block;
    if (tag === H1 && title < 0) title = block;
    last[block] = heading;
    lastHigh[block] = high;
  }
  let following = blocks.size;
  for (let block = blocks.size - 1; block >= 0; block--) {
    next[block] = following;
    if (HEADING[tree.tag[blocks.owner[block] ?? 0] ?? 0] === 1) following = block;
  }
  return { last, lastHigh, title, next };
}

const TABLE = tagId("table");
const ROW = tagId("tr");
const HEADER_CELL = tagId("th");
const PRE = tagId("pre");
const LIST = tagSet("ul ol dl");
/** Parts that make a table a layout: tables, larger headings, forms, articles. */
const LAYOUT_PARTS = tagSet("table h1 h2 form article");
/** A list is a unit only for blocks at most this many levels inside it. */
const LIST_LEVELS = 3;
const LEVELS = 6;
/** The same below a row that begins with a label: the lists in a box of facts are parts of its table. */
const LABELLED_LEVELS = 10;
/** Larger rows hold the ways of a site, not the facts of a thing. */
const MAX_ROW_NODES = 40;

/**
 * By block: number of its unit. A data table, a piece of code and a simple list are one unit each; any other
 * block is its own.
 */
function findUnits(tree: HtmlTree, blocks: Blocks): Int32Array {
  const isLayout = findLayoutTables(tree);
  const firstOf = new Map<number, number>();
  const units = new Int32Array(blocks.size);
  for (let block = 0; block < blocks.size; block++) {
    const unit = unitElement(tree, isLayout, blocks.owner[block] ?? 0);
    if (unit < 0) {
      units[block] = block;
      continue;
    }
    const first = firstOf.get(unit) ?? block;
    firstOf.set(unit, first);
    units[block] = first;
  }
  return units;
}

/** The table, code or list that a block element belongs to, -1 for none. */
function unitElement(tree: HtmlTree, isLayout: Uint8Array, owner: number): number {
  let list = -1;
  let node = owner;
  let levels = LEVELS;
  for (let level = 0; level < levels && node > 0; level++) {
    const tag = tree.tag[node] ?? 0;
    if (tag === PRE) return node;
    if (tag === ROW && beginsWithLabel(tree, node)) levels = LABELLED_LEVELS;
    if (tag === TABLE) return isLayout[node] === 1 ? list : node;
    if (list < 0 && level <= LIST_LEVELS && LIST[tag] === 1) list = node;
    node = tree.parent[node] ?? 0;
  }
  return list;
}

function beginsWithLabel(tree: HtmlTree, row: number): boolean {
  let first = row + 1;
  while (tree.tag[first] === TEXT) first++;
  return tree.tag[first] === HEADER_CELL && (tree.end[row] ?? 0) - row <= MAX_ROW_NODES;
}

/** 1 for tables that lay out the page, in one pass: each part marks the tables around it once. */
function findLayoutTables(tree: HtmlTree): Uint8Array {
  const isLayout = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if (LAYOUT_PARTS[tree.tag[node] ?? 0] !== 1) continue;
    for (let above = tree.parent[node] ?? -1; above > 0; above = tree.parent[above] ?? -1) {
      if (tree.tag[above] !== TABLE) continue;
      if (isLayout[above] === 1) break;
      isLayout[above] = 1;
    }
  }
  return isLayout;
}
