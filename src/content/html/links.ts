import { resolveUrl } from "./base-url.ts";
import { keptNodes, type Selection } from "./selection.ts";
import { tagId } from "./tree.ts";

const A = tagId("a");

/**
 * Absolute URLs of the selection's `<a href>` elements, in document order, without duplicates. Kept are http, https and
 * mailto; links within the page are left out, as is what is no URL.
 */
export function collectLinks(selection: Selection, baseUrl: string): string[] {
  const { tree } = selection;
  const links = new Set<string>();
  for (const node of keptNodes(selection)) {
    if (tree.tag[node] !== A) continue;
    const href = tree.attribute(node, "href")?.trim();
    if (href === undefined || href === "" || href.startsWith("#")) continue;
    const url = resolveUrl(href, baseUrl);
    if (url !== undefined && /^(?:https?|mailto):/u.test(url)) links.add(url);
  }
  return [...links];
}
