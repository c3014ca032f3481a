import { HEADING, tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import { contextBit } from "./tables/context.ts";
import { type Elements, IS_MAIN, LISTED } from "./tables/elements.ts";
import { foldText } from "../markdown/fold.ts";
import type { PageTables } from "./tables/page-tables.ts";
import { below } from "./tables/sums.ts";

const TAGS = tagSet("header footer nav aside");
const HEAD_TAGS = tagSet("header hgroup");
/** Boxes that a listed name makes unlikely, and what is as likely as before in them. */
const BOXES = tagSet("address center div dl fieldset form li menu ol p section ul #unknown");
const WHOLE = tagSet("pre td th caption", HEADING);
const ASIDE = tagId("aside");
const [H1, ANCHOR, TITLE] = [tagId("h1"), tagId("a"), tagId("title")];
const WAYS = tagSet("nav form");
const CONTENT = contextBit("article") | contextBit("main");
/** Heads and feet of quotes say whose they are. */
const QUOTE = contextBit("blockquote");

/** Class names of asides that explain the text next to them. */
const NOTE = /note|tip|warning|admonition|callout|info|important|caution|danger/i;

/** A listed element with a greater share of the likely content counts as content. */
const MAX_SHARE = 0.6;

/**
 * A listed element with a greater share of likely words also counts as content, when it holds more than a
 * few.
 */
const MAX_DENSITY = 0.6;
const FEW_WORDS = 30;

/** Running totals up to each node. */
interface LikelyWords {
  readonly words: Float64Array;
  /** Sum of the words, each weighted by its chance of being content. */
  readonly likely: Float64Array;
}

/**
 * Finds the boilerplate that the contract lists, outermost elements only, in document order. Excludes
 * headers and notes of articles, and elements that hold `#main` or much of the likely content.
 */
export function findListedChrome(page: PageTables, totals: LikelyWords): readonly number[] {
  const { tree, elements } = page;
  const holdsMain = elementsAroundMain(page);
  const found: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    const isFound =
      elements.out[node] === 0 &&
      isListed(page, node) &&
      !isContent(tree, node, totals) &&
      !holdsMain.has(node);
    if (isFound) found.push(node);
    if (isFound || elements.out[node] === 1) node = (tree.end[node] ?? tree.size) - 1;
  }
  return found;
}

/** Whether an element is an aside that explains the text of an article. */
export function isNote(tree: HtmlTree, elements: Elements, node: number): boolean {
  if (tree.tag[node] !== ASIDE) return false;
  const isInContent = ((elements.context[tree.parent[node] ?? 0] ?? 0) & CONTENT) !== 0;
  return isInContent && NOTE.test(tree.attribute(node, "class") ?? "");
}

function isListed({ tree, elements }: PageTables, node: number): boolean {
  const tag = tree.tag[node] ?? 0;
  if (TAGS[tag] !== 1) return false;
  const around = elements.context[tree.parent[node] ?? 0] ?? 0;
  if ((around & QUOTE) !== 0) return false;
  const isInContent = (around & CONTENT) !== 0;
  if (HEAD_TAGS[tag] === 1 && (isInContent || isTitleBlock(tree, node))) return false;
  return !isNote(tree, elements, node);
}

/**
 * Whether a header holds what the page is called, and little else: the head of a site has another name, or links
 * to its parts.
 */
function isTitleBlock(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  let title = "";
  for (let inner = node + 1; inner < end; inner++) {
    const tag = tree.tag[inner] ?? 0;
    if (WAYS[tag] === 1) return false;
    if (tag === H1) title = foldText(tree.textContent(inner)).trim();
    else if (tag === ANCHOR && !(tree.attribute(inner, "href") ?? "#").startsWith("#")) return false;
  }
  const page = tree.tag.indexOf(TITLE);
  return title !== "" && page >= 0 && foldText(tree.textContent(page)).includes(title);
}

/** Whether a listed element counts as content because of what it holds. */
function isContent(tree: HtmlTree, node: number, { words, likely }: LikelyWords): boolean {
  const held = below(tree, likely, node);
  const all = below(tree, words, node);
  return (all > FEW_WORDS && held > MAX_DENSITY * all) || held > MAX_SHARE * (likely.at(-1) ?? 0);
}

function elementsAroundMain({ tree, elements }: PageTables): ReadonlySet<number> {
  const around = new Set<number>();
  for (let node = 1; node < tree.size; node++) {
    if (((elements.named[node] ?? 0) & IS_MAIN) === 0) continue;
    for (let above = node; above > 0 && !around.has(above); above = tree.parent[above] ?? 0)
      around.add(above);
  }
  return around;
}

/** How much likelier text is that stands in no box whose name is listed. */
const NAMED_FACTOR = 0.5;

/**
 * Halves the chances of what stands in a box of a listed name, outside of what the page marks as its content. Names
 * decide nothing alone: without them, F1 of labelled pages is the same, and 0.004 more of their headings stay.
 */
export function doubtNamedBoxes(page: PageTables, adjusted: Float32Array): void {
  const { tree, blocks, elements } = page;
  const holdsMain = elementsAroundMain(page);
  let block = 0;
  for (let node = 1; node < tree.size; node++) {
    const isNamed = ((elements.named[node] ?? 0) & LISTED) !== 0 && BOXES[tree.tag[node] ?? 0] === 1;
    if (!isNamed || holdsMain.has(node) || ((elements.context[node] ?? 0) & CONTENT) !== 0) continue;
    const end = tree.end[node] ?? 0;
    while (block < blocks.size && (blocks.first[block] ?? 0) < node) block++;
    for (; block < blocks.size && (blocks.first[block] ?? 0) < end; block++) {
      if (WHOLE[tree.tag[blocks.owner[block] ?? 0] ?? 0] !== 1)
        adjusted[block] = NAMED_FACTOR * (adjusted[block] ?? 0);
    }
    node = end - 1;
  }
}
