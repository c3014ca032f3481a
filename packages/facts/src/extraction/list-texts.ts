import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";

const ITEMS = tagSet("li dd");
const MAX_LENGTH = 1000;
const MAX_TEXTS = 500;

/** Texts of the list's direct items. */
export function listTexts(tree: HtmlTree, list: number): readonly string[] {
  if (list < 0) return [];
  const texts: string[] = [];
  for (const node of childElements(tree, list)) {
    if (ITEMS[tree.tag[node] ?? 0] !== 1 || texts.length >= MAX_TEXTS) continue;
    const text = textOf(tree, node, MAX_LENGTH);
    if (text !== "") texts.push(text);
  }
  return texts;
}

export function childElements(tree: HtmlTree, parent: number): readonly number[] {
  const children: number[] = [];
  const end = tree.end[parent] ?? 0;
  for (let node = parent + 1; node < end; node = tree.end[node] ?? end) {
    if (tree.tag[node] !== TEXT) children.push(node);
  }
  return children;
}
