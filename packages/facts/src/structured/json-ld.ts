import { type HtmlTree, tagId } from "@pergamon-dev/html/parser/tree";
import { parseLooseJson } from "./loose-json.ts";

const SCRIPT = tagId("script");
/** More scripts of this type are hostile. */
const MAX_SCRIPTS = 200;

/** What the JSON-LD scripts of a page hold, in document order. */
export function readJsonLd(tree: HtmlTree): readonly unknown[] {
  const roots: unknown[] = [];
  let left = MAX_SCRIPTS;
  for (
    let node = tree.tag.indexOf(SCRIPT);
    node >= 0 && left > 0;
    node = tree.tag.indexOf(SCRIPT, node + 1)
  ) {
    if (!/ld\+json/i.test(tree.attribute(node, "type") ?? "")) continue;
    left--;
    roots.push(parseLooseJson(tree.textContent(node)));
  }
  return roots;
}
