import { imageSource } from "@pergamon-dev/html/selection/image-source";
import { type HtmlTree, tagId } from "@pergamon-dev/html/parser/tree";
import { UrlBase } from "@pergamon-dev/html/selection/url-base";

const IMG = tagId("img");
/** Longer words are not replacements of a picture. */
const MAX_CHARACTERS = 500;

/** What the page says in place of its pictures, by their absolute addresses. */
export function pictureWords(tree: HtmlTree, pageUrl: string): ReadonlyMap<string, string> {
  const base = new UrlBase(pageUrl);
  const words = new Map<string, string>();
  for (let node = tree.tag.indexOf(IMG); node >= 0; node = tree.tag.indexOf(IMG, node + 1)) {
    const alt = tree.attribute(node, "alt")?.trim() ?? "";
    if (alt === "" || alt.length > MAX_CHARACTERS) continue;
    for (const source of [tree.attribute(node, "src"), imageSource(tree, node)]) {
      const address = source === undefined ? undefined : base.resolve(source);
      if (address !== undefined && !words.has(address)) words.set(address, alt);
    }
  }
  return words;
}
