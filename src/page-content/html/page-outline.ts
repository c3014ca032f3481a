import { sha256Hex } from "../../kit/hash.ts";
import { routeOf, withoutAnchor } from "../../kit/url.ts";
import { TEXT, tagId } from "./parser/tree.ts";
import type { HtmlTree } from "./parser/tree.ts";
import { selectReadable } from "./scriptless.ts";
import { type Selection, visitKept } from "./selection.ts";
import { UrlBase } from "./url-base.ts";

/** Where a page leads, and whether it says the same as another one. */
export interface PageOutline {
  /** Absolute web addresses without fragments that are no routes, in document order, each once. */
  readonly links: readonly string[];
  /** Of its text without numbers and white space: the same for months of a calendar without entries. */
  readonly textHash: string;
}

const A = tagId("a");
const AREA = tagId("area");
/** A page with more links has no reader. */
const MAX_LINKS = 100_000;

/** The outline of the whole page, for any selected part. Links count even if they must not be followed. */
export function outlinePage(tree: HtmlTree, baseUrl: string): PageOutline {
  const page = selectReadable(tree);
  return { links: collectPageLinks(page, baseUrl), textHash: hashText(page) };
}

function collectPageLinks(page: Selection, baseUrl: string): readonly string[] {
  const { tree } = page;
  const base = new UrlBase(baseUrl);
  const links = new Set<string>();
  visitKept(page, (node) => {
    const tag = tree.tag[node];
    if ((tag !== A && tag !== AREA) || links.size >= MAX_LINKS) return;
    const href = tree.attribute(node, "href")?.trim();
    if (href === undefined || href === "" || (href.startsWith("#") && routeOf(href) === "")) return;
    const url = base.resolve(href);
    if (url !== undefined && /^https?:/u.test(url)) links.add(withoutAnchor(url));
  });
  return [...links];
}

function hashText(page: Selection): string {
  const { tree } = page;
  const parts: string[] = [];
  visitKept(page, (node) => {
    if (tree.tag[node] === TEXT) parts.push(tree.text(node));
  });
  return sha256Hex(parts.join("").replace(/[\d\s]+/g, ""));
}
