import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";

/** Elements whose text is not visible. */
export const UNREAD = tagSet("script style noscript template textarea svg option");

/** Inline elements, which add no space around their text. */
const INLINE = tagSet(
  "#text a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr",
);

/** Visible text below a node on one line, up to `longest` characters. Blocks are separated by spaces. */
export function textOf(tree: HtmlTree, node: number, longest: number): string {
  const end = tree.end[node] ?? 0;
  let text = "";
  let inner = node;
  while (inner < end && text.length < longest * 2) {
    const tag = tree.tag[inner] ?? 0;
    if (UNREAD[tag] === 1) {
      inner = tree.end[inner] ?? end;
      continue;
    }
    if (tag === TEXT) text += beginning(tree.text(inner), longest * 2);
    else if (INLINE[tag] === 0) text += " ";
    inner++;
  }
  return text.replace(/\s+/g, " ").trim().slice(0, longest);
}

function beginning(text: string, longest: number): string {
  return text.length > longest ? ` ${text.trimStart().slice(0, longest)}` : text;
}
