import { type HtmlTree, tagId, TEXT, UNKNOWN } from "../parser/tree.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { escapeText } from "./escape.ts";
import { foldText } from "./fold.ts";

const TITLE = tagId("title");
/** Their drawings show what can be done, and are no values. */
const CONTROLS = tagSet("a button input select label");
/** Elements that show a sign by their class, or by the part of a drawing that they use. */
const SIGNS = tagSet("svg i span em b");

/** In characters. Longer labels explain. */
const MAX_LABEL = 60;
const ALONE = { before: "", after: "", insideLink: false, hasEmphasis: false };
const YES = /(?:^|[\s_-])(?:check(?:ed|mark)?|tick|yes)(?:[\s_-]|$)/i;
const NO = /(?:^|[\s_-])(?:cross|times|xmark|no)(?:[\s_-]|$)/i;

/** What a cell without text says by a drawing: its label, or ✓ and ✗ where its class is named so. Empty for none. */
export function drawnCell(tree: HtmlTree, cell: number): string {
  const end = tree.end[cell] ?? 0;
  let sign = "";
  for (let node = cell + 1; node < end; node++) {
    const tag = tree.tag[node] ?? 0;
    if (CONTROLS[tag] === 1) return "";
    if (tag === TEXT) continue;
    const label = foldText(labelOf(tree, node, tag)).trim();
    if (label !== "" && label.length <= MAX_LABEL) return escapeText(label, ALONE).replaceAll("|", "\\|");
    sign ||= signOf(tree, node, tag);
  }
  return sign;
}

function labelOf(tree: HtmlTree, node: number, tag: number): string {
  if (tag === TITLE) return tree.textContent(node);
  return tree.attribute(node, "aria-label") ?? tree.attribute(node, "title") ?? "";
}

function signOf(tree: HtmlTree, node: number, tag: number): string {
  if (SIGNS[tag] !== 1 && tag !== UNKNOWN) return "";
  const used = tree.attribute(node, "href") ?? tree.attribute(node, "xlink:href") ?? "";
  const name = `${tree.attribute(node, "class") ?? ""} ${used.replace(/^.*#/, "")}`;
  return YES.test(name) ? "✓" : NO.test(name) ? "✗" : "";
}
