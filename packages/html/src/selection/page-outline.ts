import { type Address, foundAddress, MAX_FOUND_URL_LENGTH } from "@pergamon-dev/kit/address";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { routeOf, withoutAnchor } from "@pergamon-dev/kit/url";
import { TEXT, tagId } from "../parser/tree.ts";
import type { HtmlTree } from "../parser/tree.ts";
import { selectReadable } from "./scriptless.ts";
import { type Selection, visitKept } from "./selection.ts";
import { UrlBase } from "./url-base.ts";

/** Links of a page, and a hash that tells whether two pages say the same. */
export interface PageOutline {
  /**
   * Absolute web URLs in document order, each once, without fragments other than client-side routes. Ends at
   * 10,000 links or 1,000,000 characters.
   */
  readonly links: readonly Address[];
  /** Hash of the text without digits and white space: equal for the months of a calendar without entries. */
  readonly textHash: string;
}

const A = tagId("a");
const AREA = tagId("area");
/** More links serve no reader. */
const MAX_LINKS = 10_000;
/** Characters of all links together, as many as 10,000 ordinary ones have. */
const MAX_CHARACTERS = 1_000_000;
/** Characters of an `href`. The factor leaves room for a fragment after the URL. */
const MAX_HREF_LENGTH = 2 * MAX_FOUND_URL_LENGTH;

/** Outlines the whole page, whatever part is selected. Links count even if they must not be followed. */
export function outlinePage(tree: HtmlTree, baseUrl: string): PageOutline {
  const page = selectReadable(tree);
  return { links: collectPageLinks(page, baseUrl), textHash: hashText(page) };
}

function collectPageLinks(page: Selection, baseUrl: string): readonly Address[] {
  const { tree } = page;
  const base = new UrlBase(baseUrl);
  const links = new Set<Address>();
  let characters = 0;
  visitKept(page, (node) => {
    const tag = tree.tag[node];
    if ((tag !== A && tag !== AREA) || links.size >= MAX_LINKS || characters >= MAX_CHARACTERS) return;
    const href = tree.attribute(node, "href")?.trim();
    if (href === undefined || href === "" || href.length > MAX_HREF_LENGTH) return;
    if (href.startsWith("#") && routeOf(href) === "") return;
    const url = base.resolve(href);
    const address = url !== undefined && /^https?:/u.test(url) && foundAddress(withoutAnchor(url));
    if (!address || links.has(address)) return;
    characters += address.length;
    links.add(address);
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
