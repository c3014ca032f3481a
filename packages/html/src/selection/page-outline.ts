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
  /** Hash of the text, in which all white space is alike. */
  readonly exactHash: string;
  /** Absolute web URL that the page names as its own (`rel=canonical`). */
  readonly canonical: Address | undefined;
}

const A = tagId("a");
const AREA = tagId("area");
const LINK = tagId("link");
/** More links serve no reader. */
const MAX_LINKS = 10_000;
/** Characters of all links together, as many as 10,000 ordinary ones have. */
const MAX_CHARACTERS = 1_000_000;
/** Characters of an `href`. The factor leaves room for a fragment after the URL. */
const MAX_HREF_LENGTH = 2 * MAX_FOUND_URL_LENGTH;

/** Outlines the whole page, whatever part is selected. Links count even if they must not be followed. */
export function outlinePage(tree: HtmlTree, baseUrl: string): PageOutline {
  const page = selectReadable(tree);
  const base = new UrlBase(baseUrl);
  const text = textOf(page);
  return {
    links: collectPageLinks(page, base),
    textHash: sha256Hex(text.replace(/[\d\s]+/g, "")),
    exactHash: sha256Hex(text.replace(/\s+/g, " ")),
    canonical: canonicalOf(tree, base),
  };
}

function canonicalOf(tree: HtmlTree, base: UrlBase): Address | undefined {
  for (let node = tree.tag.indexOf(LINK); node >= 0; node = tree.tag.indexOf(LINK, node + 1)) {
    const relations = tree.attribute(node, "rel")?.toLowerCase().split(/\s+/) ?? [];
    const href = tree.attribute(node, "href")?.trim() ?? "";
    if (!relations.includes("canonical") || href.length > MAX_HREF_LENGTH) continue;
    const url = base.resolve(href);
    return url !== undefined && /^https?:/u.test(url) ? foundAddress(url) : undefined;
  }
  return undefined;
}

function collectPageLinks(page: Selection, base: UrlBase): readonly Address[] {
  const { tree } = page;
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

function textOf(page: Selection): string {
  const { tree } = page;
  const parts: string[] = [];
  visitKept(page, (node) => {
    if (tree.tag[node] === TEXT) parts.push(tree.text(node));
  });
  return parts.join("");
}
