import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, tagId, TEXT } from "@pergamon-dev/html/parser/tree";
import type { Heading } from "../../product/heading.ts";
import { plainAddress } from "../../product/own-facts.ts";
import type { PageLayout } from "../../product/page-layout.ts";
import { similarity } from "../../product/similarity.ts";
import { textOf } from "../../structured/text-of.ts";
import { isPersonName } from "../../structured/person-name.ts";

const TEASED = 1;
const TEASER_LABEL = 2;

const ANCHOR = tagId("a");
const HEADER = tagId("header");
const ENTRY = tagId("li");
const HEADINGS = tagSet("h2 h3 h4 h5 h6");
/** Elements that each hold one thing of several. */
const ENTRIES = tagSet("li article");

/** Maximum characters of a teaser. */
const MAX_LENGTH = 500;
/** Maximum nodes of a teaser. */
const MAX_NODES = 200;
/** Maximum levels between a heading and its link, or between an entry and its first link. */
const MAX_LEVELS = 4;
const MAX_TITLE_LENGTH = 200;
const SAME_NAME = 0.7;
/** Profile URLs of people, who may be the page's author. */
const PROFILE = /\bauthor\b|\/(?:authors?|members?|people|profiles?|users?)\//i;
const LEADS_TO_PAGE = /^(?!#|javascript:|mailto:|tel:)./iu;

/** Identifies the page among others. */
export interface OwnParts {
  readonly tree: HtmlTree;
  readonly url: string;
  readonly baseUrl: string;
  /** Non-empty titles in the head. */
  readonly titles: readonly string[];
  readonly heading: Heading;
  readonly layout: PageLayout;
}

/**
 * By node: TEASED inside a part that shows another page, else 0. Such a part is short, does not contain the
 * page's heading, and either its own heading links to the other page, or it is an entry that begins with that
 * page's title. The first words of such an entry are TEASER_LABEL, as they may be the label of a value.
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

/** End of the header element around the heading. */
function endOfHeader(tree: HtmlTree, heading: number): number {
  for (let at = heading; at > 0; at = tree.parent[at] ?? 0)
    if (tree.tag[at] === HEADER) return tree.end[at] ?? heading;
  return heading;
}

/**
 * The heading around a link, the link around a heading, or the entry that begins with the link; -1 for none.
 */
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

/**
 * True if the element has more than one text. An entry with a single text, as in menus, says nothing about
 * its target.
 */
function saysSomething(tree: HtmlTree, node: number): boolean {
  let texts = 0;
  for (let inner = node; inner < Math.min(tree.end[node] ?? 0, node + MAX_NODES) && texts < 2; inner++)
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner)) texts++;
  return texts > 1;
}

/** True if the parent list has another entry with text. Elements that are not entries may stand alone. */
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

/** True if no words precede the element in its parent. */
function beginsParent(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node] ?? 0;
  if (node - parent > MAX_NODES) return false;
  for (let before = parent + 1; before < node; before++)
    if (tree.tag[before] === TEXT && !tree.isBlank(before)) return false;
  return true;
}

/**
 * True if the link's text is a page title (one word suffices in a series), and the link neither leads to this
 * page nor is named like it or like a person.
 */
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

/** The widest ancestor that is still a teaser: at most an entry, without the page's heading; -1 for none. */
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

const CARDS = tagSet("div section a figure li article");
/** Fewer similar elements are not a series. */
const FEWEST = 3;
const MAX_LINK_NODES = 200;
const MAX_LINK_LEVELS = 5;

/**
 * Neighbouring elements with the same structure that each link to a different page: cards, whatever their
 * markup.
 */
class Series {
  readonly #tree: HtmlTree;
  readonly #byParent = new Map<number, ReadonlySet<number>>();

  constructor(tree: HtmlTree) {
    this.#tree = tree;
  }

  has(node: number): boolean {
    if (node < 0 || CARDS[this.#tree.tag[node] ?? 0] !== 1) return false;
    const parent = this.#tree.parent[node] ?? 0;
    const known = this.#byParent.get(parent);
    const cards = known ?? this.#cardsIn(parent);
    if (!known) this.#byParent.set(parent, cards);
    return cards.has(node);
  }

  /** True if the node is inside one of them. */
  holds(node: number): boolean {
    for (
      let at = node, level = 0;
      at > 0 && level < MAX_LINK_LEVELS;
      level++, at = this.#tree.parent[at] ?? 0
    )
      if (this.has(at)) return true;
    return false;
  }

  #cardsIn(parent: number): ReadonlySet<number> {
    const tree = this.#tree;
    const byLook = new Map<string, Map<string, number>>();
    const end = tree.end[parent] ?? 0;
    for (let child = parent + 1; child < end; child = tree.end[child] ?? end) {
      const address = CARDS[tree.tag[child] ?? 0] === 1 ? addressIn(tree, child) : undefined;
      if (address === undefined) continue;
      const [name = ""] = (tree.attribute(child, "class") ?? "").trim().split(/\s+/);
      const look = `${tree.nameOf(child)}.${name}`;
      byLook.set(look, (byLook.get(look) ?? new Map<string, number>()).set(address, child));
    }
    return new Set([...byLook.values()].flatMap((alike) => (alike.size < FEWEST ? [] : [...alike.values()])));
  }
}

/** Target of the first link in an element, if no words precede it. */
function addressIn(tree: HtmlTree, node: number): string | undefined {
  for (let inner = node; inner < Math.min(tree.end[node] ?? 0, node + MAX_LINK_NODES); inner++) {
    if (tree.tag[inner] === ANCHOR) return tree.attribute(inner, "href");
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner)) return undefined;
  }
  return undefined;
}
