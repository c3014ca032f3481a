import { type HtmlTree, tagId } from "../parser/tree.ts";

const BASE = tagId("base");

/**
 * URL that relative URLs of the page resolve against: its first usable `<base href>`, else the page's own
 * URL.
 */
export function baseUrlOf(tree: HtmlTree, pageUrl: string): string {
  for (let node = tree.tag.indexOf(BASE); node >= 0; node = tree.tag.indexOf(BASE, node + 1)) {
    const href = tree.attribute(node, "href");
    if (href === undefined) continue;
    const base = resolveUrl(href, pageUrl);
    return base !== undefined && /^https?:/u.test(base) ? base : pageUrl;
  }
  return pageUrl;
}

/**
 * Resolves a URL of any scheme; undefined when it is invalid. `http:/host`, a frequent typo, is read as
 * `http://host`.
 */
export function resolveUrl(href: string, baseUrl: string): string | undefined {
  const repaired = href.trim().replace(/^(https?:)\/(?!\/)/iu, "$1//");
  // NOTE: in Node 20, `canParse` misjudges host names with letters such as é after many calls.
  const isSure = /^[\0-\x7f]*$/u.test(repaired);
  if (isSure && !URL.canParse(repaired, baseUrl)) return undefined;
  try {
    return new URL(repaired, baseUrl).href;
  } catch {
    return undefined;
  }
}
