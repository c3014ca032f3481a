import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";

/** Elements whose text is not visible. */
export const UNREAD = tagSet("script style noscript template textarea svg option");

/** Inline elements, which add no space around their text. */
const INLINE = tagSet(
  "#text a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr",
);

const UNFOLDED = /[^\S ]| {2}/;
const STRIKES = tagSet("del s strike");
const STYLED = new AttributeNames("class style");
const STRUCK_CLASS =
  /strike|streich|line-?through|(?<![a-z])(?:del|crossed|old-?price|was-?price|price-?(?:old|was))(?![a-z])/i;

/** By node: 1 when it is not struck out, 2 when it is. Each node is part of the texts of all nodes around it. */
const known = new WeakMap<HtmlTree, Uint8Array>();

/** Whether readers see a text as struck out: a price that holds no longer. */
export function isStruck(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] === TEXT) return false;
  const looks = known.get(tree) ?? new Uint8Array(tree.size);
  known.set(tree, looks);
  return (looks[node] ||= looksStruck(tree, node) ? 2 : 1) === 2;
}

function looksStruck(tree: HtmlTree, node: number): boolean {
  if (STRIKES[tree.tag[node] ?? 0] === 1) return true;
  if (!tree.mayHave(node, STYLED)) return false;
  return (
    /line-through/i.test(tree.attribute(node, "style") ?? "") ||
    STRUCK_CLASS.test((tree.attribute(node, "class") ?? "").slice(0, 400))
  );
}

/**
 * Visible text below a node on one line, up to `longest` characters. Blocks are separated by spaces. What is struck out
 * is left out, unless nothing else is there.
 */
export function textOf(tree: HtmlTree, node: number, longest: number): string {
  return textWithout(tree, node, longest, isStruck) || textWithout(tree, node, longest, () => false);
}

function textWithout(
  tree: HtmlTree,
  node: number,
  longest: number,
  isLeftOut: (tree: HtmlTree, node: number) => boolean,
): string {
  const end = tree.end[node] ?? 0;
  let text = "";
  let inner = node;
  while (inner < end && text.length < longest * 2) {
    const tag = tree.tag[inner] ?? 0;
    if (UNREAD[tag] === 1 || (inner !== node && isLeftOut(tree, inner))) {
      inner = tree.end[inner] ?? end;
      continue;
    }
    if (tag === TEXT) text += beginning(tree.text(inner), longest * 2);
    else if (INLINE[tag] === 0) text += " ";
    inner++;
  }
  const line = UNFOLDED.test(text) ? text.replace(/\s+/g, " ") : text;
  return line.trim().slice(0, longest);
}

function beginning(text: string, longest: number): string {
  return text.length > longest ? ` ${text.trimStart().slice(0, longest)}` : text;
}
