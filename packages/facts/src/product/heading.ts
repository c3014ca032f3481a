import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { textOf, UNREAD } from "../structured/text-of.ts";
import { similarity, wordsOf } from "./similarity.ts";

const H1 = tagId("h1");
const LINK = tagId("a");
const HOME = /^(?:https?:\/\/[^/?#]+\/?|\/)(?:[?#].*)?$/i;
const OTHERS = tagSet("h2 h3 h4 h5 div span p b strong td a");
const MAX_LENGTH = 300;
const SAME_NAME = 0.8;
const LIKE_A_TITLE = 0.3;
/** Shorter names in titles are often those of the site, which stand in its head. */
const HEADLINE_WORDS = 5;
const MAX_TRIED = 3000;

export interface Heading {
  /** The element; -1 if the page shows none. */
  readonly node: number;
  readonly text: string;
}

/**
 * The main heading: the `h1` most similar to the titles that is not the site's name, else the first element that says
 * the same as a title.
 */
export function findHeading(tree: HtmlTree, titles: readonly string[]): Heading {
  const headings = headingsOf(tree).sort((a, b) => likeness(b.text, titles) - likeness(a.text, titles));
  const own = headings.find((one) => likeness(one.text, titles) > LIKE_A_TITLE && !leadsHome(tree, one.node));
  if (own) return own;
  const named = namedElement(tree, titles);
  const isHeadline = named !== undefined && wordsOf(named.text).size >= HEADLINE_WORDS;
  return (isHeadline ? named : undefined) ?? headings[0] ?? named ?? { node: -1, text: "" };
}

/** Whether a heading is a link to the start of its site, as names of sites are. */
function leadsHome(tree: HtmlTree, heading: number): boolean {
  const end = tree.end[heading] ?? 0;
  const above = tree.parent[heading] ?? 0;
  const link = tree.tag[above] === LINK ? above : tree.tag.subarray(0, end).indexOf(LINK, heading);
  return link >= 0 && HOME.test(tree.attribute(link, "href")?.trim() ?? "");
}

function headingsOf(tree: HtmlTree): Heading[] {
  const headings: Heading[] = [];
  for (let node = tree.tag.indexOf(H1); node >= 0; node = tree.tag.indexOf(H1, node + 1)) {
    const text = textOf(tree, node, MAX_LENGTH);
    if (text.length > 2) headings.push({ node, text });
  }
  return headings;
}

function likeness(text: string, titles: readonly string[]): number {
  return Math.max(0, ...titles.map((title) => similarity(text, title)));
}

function namedElement(tree: HtmlTree, titles: readonly string[]): Heading | undefined {
  const [title = ""] = titles;
  const least = Math.min(3, wordsOf(title).size);
  if (title.length < 5) return undefined;
  let left = MAX_TRIED;
  for (let node = 1; node < tree.size && left > 0; node++) {
    const tag = tree.tag[node] ?? 0;
    if (UNREAD[tag] === 1) node = (tree.end[node] ?? tree.size) - 1;
    if (tag !== TEXT || tree.isBlank(node)) continue;
    left--;
    const parent = tree.parent[node] ?? 0;
    if (OTHERS[tree.tag[parent] ?? 0] === 0) continue;
    const text = textOf(tree, parent, MAX_LENGTH);
    const isName = text.length > 5 && wordsOf(text).size >= least && similarity(text, title) > SAME_NAME;
    if (isName) return { node: parent, text };
  }
  return undefined;
}
