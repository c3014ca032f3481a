import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import type { Heading } from "../../product/heading.ts";
import { plainAddress } from "../../product/own-facts.ts";
import type { PageLayout } from "../../product/page-layout.ts";
import { similarity } from "../../product/similarity.ts";
import { textOf } from "../../structured/text-of.ts";
import { isPersonName } from "../../structured/person-name.ts";
import { Series } from "./series.ts";

const TEASED = 1;
const TEASER_LABEL = 2;

const ANCHOR = tagId("a");
const HEADER = tagId("header");
const ENTRY = tagId("li");
const HEADINGS = tagSet("h2 h3 h4 h5 h6");
/** Elements that each show one thing of several. */
const ENTRIES = tagSet("li article");

/** Characters of text that a teaser has at most. */
const MAX_LENGTH = 500;
/** Nodes that a teaser has at most. */
const MAX_NODES = 200;
/** Elements between a heading and a link in it, or between an entry and the link that it begins with. */
const MAX_LEVELS = 4;
const MAX_TITLE_LENGTH = 200;
const SAME_NAME = 0.7;
/** Of profiles of people, who may have written the page. */
const PROFILE = /\bauthor\b|\/(?:authors?|members?|people|profiles?|users?)\//i;
const LEADS_TO_PAGE = /^(?!#|javascript:|mailto:|tel:)./iu;

/** What tells a page from others. */
export interface OwnParts {
  readonly tree: HtmlTree;
  readonly url: string;
  readonly baseUrl: string;
  /** Titles in the head, without those that are empty. */
  readonly titles: readonly string[];
  readonly heading: Heading;
  readonly layout: PageLayout;
}

/**
 * By node: TEASED inside of a part that shows another page, 0 elsewhere. Such a part is next to the heading of the page, is
 * short, and its own heading leads to the other page, or it is an entry that begins with the title of one. The
 * words that such an entry begins with are TEASER_LABEL: they may be the label of a value.
 */
export function findTeasers(parts: OwnParts): Uint8Array {
  const { tree, heading } = parts;
  const teased = new Uint8Array(tree.size);
  if (heading.node < 0) return teased;
  const headerEnd = endOfHeader(tree, heading.node);
  const series = new Series(tree);
  for (let link = 1; link < tree.size; link++) {
    if (tree.tag[link] !== ANCHOR || teased[link] === TEASED) continue;
    const start = titleAround(tree, link, series);
    const isInHeader = link > heading.node && link < headerEnd;
    if (start < 0 || isInHeader || !namesOtherPage(parts, link, series.holds(link))) continue;
    const part = widest(parts, start, series);
    if (part < 0) continue;
    const isLabelled = start !== link && isEntry(tree, start, series) && !saysSomething(tree, link);
    teased.fill(TEASED, part, tree.end[part]);
    if (isLabelled) teased.fill(TEASER_LABEL, part + 1, tree.end[link]);
  }
  return teased;
}

/** Where the header around the heading ends. */
function endOfHeader(tree: HtmlTree, heading: number): number {
  for (let at = heading; at > 0; at = tree.parent[at] ?? 0)
    if (tree.tag[at] === HEADER) return tree.end[at] ?? heading;
  return heading;
}

/** The heading that a link is in, the link that contains one, or the entry that it begins; -1 for none. */
function titleAround(tree: HtmlTree, link: number, series: Series): number {
  for (let inner = link; inner < Math.min(tree.end[link] ?? 0, link + MAX_NODES); inner++)
    if (HEADINGS[tree.tag[inner] ?? 0] === 1) return link;
  let at = link;
  for (let level = 0; level < MAX_LEVELS && at > 0; level++, at = tree.parent[at] ?? 0) {
    if (HEADINGS[tree.tag[at] ?? 0] === 1) return at;
    if (isEntry(tree, at, series)) return saysSomething(tree, at) && isOneOfSeveral(tree, at) ? at : -1;
    if (!beginsParent(tree, at)) return -1;
  }
  return -1;
}

function isEntry(tree: HtmlTree, node: number, series: Series): boolean {
  if (ENTRIES[tree.tag[node] ?? 0] === 1 || series.has(node)) return true;
  return tree.attribute(node, "itemscope") !== undefined && tree.attribute(node, "itemprop") === undefined;
}

/** Whether an element has more than one text: an entry with one, such as a menu's, says nothing of what it leads to. */
function saysSomething(tree: HtmlTree, node: number): boolean {
  let texts = 0;
  for (let inner = node; inner < Math.min(tree.end[node] ?? 0, node + MAX_NODES) && texts < 2; inner++)
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner)) texts++;
  return texts > 1;
}

/** Whether a list has another entry that says something, next to this one; other elements may stand alone. */
function isOneOfSeveral(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] !== ENTRY) return true;
  const parent = tree.parent[node] ?? 0;
  const next = tree.end[node] ?? 0;
  for (const from of [next, parent + 1]) {
    const end = from === next ? (tree.end[parent] ?? 0) : node;
    for (let at = from; at < end; at = tree.end[at] ?? end)
      if (tree.tag[at] === ENTRY) return saysSomething(tree, at);
  }
  return false;
}

/** Whether no words stand before an element in the one around. */
function beginsParent(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node] ?? 0;
  if (node - parent > MAX_NODES) return false;
  for (let before = parent + 1; before < node; before++)
    if (tree.tag[before] === TEXT && !tree.isBlank(before)) return false;
  return true;
}

/** Whether a link is called like a page, in a series by one word, and neither leads to this one nor is called like it or like a person. */
function namesOtherPage(
  { tree, url, baseUrl, titles, heading }: OwnParts,
  link: number,
  isInSeries: boolean,
): boolean {
  const href = tree.attribute(link, "href") ?? "";
  if (!LEADS_TO_PAGE.test(href) || PROFILE.test(`${tree.attribute(link, "rel") ?? ""} ${href}`)) return false;
  const title = textOf(tree, link, MAX_TITLE_LENGTH);
  const isTitle = isInSeries ? /\p{L}{2}/u.test(title) : /\S\s+\S/u.test(title);
  if (!isTitle || (isPersonName(title) && !saysSomething(tree, link))) return false;
  if ([heading.text, ...titles].some((name) => similarity(title, name) >= SAME_NAME)) return false;
  const address = resolveUrl(href, baseUrl);
  return address !== undefined && plainAddress(address) !== plainAddress(url);
}

/** The widest element around that is still a teaser: up to an entry, without the heading of the page; -1 for none. */
function widest({ tree, heading, layout: { offset } }: OwnParts, start: number, series: Series): number {
  let part = -1;
  for (let at = start; at > 0; at = tree.parent[at] ?? 0) {
    const end = tree.end[at] ?? at;
    const length = (offset[Math.min(end, tree.size - 1)] ?? 0) - (offset[at] ?? 0);
    const isAround = at <= heading.node && heading.node < end;
    if (isAround || end - at > MAX_NODES || length > MAX_LENGTH) break;
    part = at;
    if (isEntry(tree, at, series)) break;
  }
  return part;
}
