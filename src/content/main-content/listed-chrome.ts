import { tagSet } from "../html/tag-traits.ts";
import { type HtmlTree, tagId } from "../html/tree.ts";
import { contextBit } from "./context.ts";
import type { Elements } from "./elements.ts";
import type { PageTables } from "./page-tables.ts";
import { below } from "./sums.ts";

/** Contract, section 3.2: what is expected to disappear. Names are compared as written. */
const CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);
const IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);
const TAGS = tagSet("header footer nav aside");
const HEAD_TAGS = tagSet("header hgroup");
/** Never furniture as a whole, whatever the name. */
const FRAME_TAGS = tagSet("#document html body main h1 pre code tbody thead tr td th math svg");
const ASIDE = tagId("aside");
const CONTENT = contextBit("article") | contextBit("main");

/** Asides that explain the text beside them. */
const NOTE = /note|tip|warning|admonition|callout|info|important|caution|danger/i;

/** A listed element with a greater share of the likely content is content by what it holds. */
const MAX_SHARE = { byTag: 0.6, byName: 0.3 };

/**
 * The furniture that the contract lists, outermost elements only, in document order: never what holds the element
 * `#main`, the header of an article, a note of it, or much of what is likely to be content.
 *
 * @param likely running totals of likely content up to each node
 */
export function findListedChrome(page: PageTables, likely: Float64Array): readonly number[] {
  const { tree, elements } = page;
  const holdsMain = elementsAroundMain(tree);
  const found: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    const isFound = elements.out[node] === 0 && isListed(page, node, likely) && !holdsMain.has(node);
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

function isListed(page: PageTables, node: number, likely: Float64Array): boolean {
  const { tree, elements } = page;
  const tag = tree.tag[node] ?? 0;
  if (FRAME_TAGS[tag] === 1) return false;
  const isInContent = ((elements.context[tree.parent[node] ?? 0] ?? 0) & CONTENT) !== 0;
  if (TAGS[tag] === 1) {
    if (HEAD_TAGS[tag] === 1 && isInContent) return false;
    if (isNote(tree, elements, node)) return false;
    return below(tree, likely, node) <= MAX_SHARE.byTag * (likely.at(-1) ?? 0);
  }
  if (!hasListedName(tree, node)) return false;
  return below(tree, likely, node) <= MAX_SHARE.byName * (likely.at(-1) ?? 0);
}

function hasListedName(tree: HtmlTree, node: number): boolean {
  if (IDS.has(tree.attribute(node, "id") ?? "")) return true;
  const className = tree.attribute(node, "class");
  return className !== undefined && className.split(/\s+/).some((name) => CLASSES.has(name));
}

function elementsAroundMain(tree: HtmlTree): ReadonlySet<number> {
  const around = new Set<number>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.attribute(node, "id") !== "main") continue;
    for (let above = node; above > 0 && !around.has(above); above = tree.parent[above] ?? 0)
      around.add(above);
  }
  return around;
}
