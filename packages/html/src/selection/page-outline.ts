import { type Address, foundAddress, MAX_FOUND_URL_LENGTH } from "@pergamon-dev/kit/address";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { routeOf, withoutAnchor } from "@pergamon-dev/kit/url";
import { TEXT, tagId } from "../parser/tree.ts";
import type { HtmlTree } from "../parser/tree.ts";
import { selectReadable } from "./scriptless.ts";
import { type Selection, visitKept } from "./selection.ts";
import { UrlBase } from "./url-base.ts";

/** Where a page leads, and whether it says the same as another one. */
export interface PageOutline {
  /**
   * Absolute web addresses without fragments that are no routes, in document order, each once: the first 10,000, or
   * 1,000,000 characters.
   */
  readonly links: readonly Address[];
  /** Of its text without numbers and white space: the same for months of a calendar without entries. */
  readonly textHash: string;
}

const A = tagId("a");
const AREA = tagId("area");
/** A page with more links has no reader. */
const MAX_LINKS = 10_000;
/** Of all links together: as many as 10,000 usual ones have. */
const MAX_CHARACTERS = 1_000_000;
/** A fragment may follow the address. */
const MAX_HREF_LENGTH = 2 * MAX_FOUND_URL_LENGTH;

/** The outline of the whole page, for any selected part. Links count even if they must not be followed. */
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
