import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import { contextBit } from "./tables/context.ts";
import { type Elements, IS_MAIN, LISTED } from "./tables/elements.ts";
import type { PageTables } from "./tables/page-tables.ts";
import { below } from "./tables/sums.ts";

const TAGS = tagSet("header footer nav aside");
const HEAD_TAGS = tagSet("header hgroup");
/** Elements that are never boilerplate as a whole, under any name. */
const FRAME_TAGS = tagSet("#document html body main h1 pre code tbody thead tr td th math svg");
const ASIDE = tagId("aside");
const CONTENT = contextBit("article") | contextBit("main");

/** Class names of asides that explain the text next to them. */
const NOTE = /note|tip|warning|admonition|callout|info|important|caution|danger/i;

/** A listed element with a greater share of the likely content counts as content. */
const MAX_SHARE = { byTag: 0.6, byName: 0.3 };

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
  if (FRAME_TAGS[tag] === 1) return false;
  if (TAGS[tag] !== 1) return ((elements.named[node] ?? 0) & LISTED) !== 0;
  const isInContent = ((elements.context[tree.parent[node] ?? 0] ?? 0) & CONTENT) !== 0;
  return !(HEAD_TAGS[tag] === 1 && isInContent) && !isNote(tree, elements, node);
}

/** Whether a listed element counts as content because of what it holds. */
function isContent(tree: HtmlTree, node: number, { words, likely }: LikelyWords): boolean {
  const held = below(tree, likely, node);
  const all = below(tree, words, node);
  if (all > FEW_WORDS && held > MAX_DENSITY * all) return true;
  const share = TAGS[tree.tag[node] ?? 0] === 1 ? MAX_SHARE.byTag : MAX_SHARE.byName;
  return held > share * (likely.at(-1) ?? 0);
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
