import { type Selection, visitKept } from "./selection.ts";
import { tagId } from "../parser/tree.ts";
import { UrlBase } from "./url-base.ts";

const A = tagId("a");

/**
 * Returns absolute URLs of the selection's `<a href>` elements, in document order, without duplicates. Keeps
 * http, https and mailto; drops links within the page and invalid URLs.
 */
export function collectLinks(selection: Selection, baseUrl: string): string[] {
  const { tree } = selection;
  const base = new UrlBase(baseUrl);
  const links = new Set<string>();
  visitKept(selection, (node) => {
    if (tree.tag[node] !== A) return;
    const href = tree.attribute(node, "href")?.trim();
    if (href === undefined || href === "" || href.startsWith("#")) return;
    const url = base.resolve(href);
    if (url !== undefined && /^(?:https?|mailto):/u.test(url)) links.add(url);
  });
  return [...links];
}
