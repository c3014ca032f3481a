import { AttributeNames } from "../parser/attribute-names.ts";
import { type HtmlTree, TEXT, tagId, UNKNOWN } from "../parser/tree.ts";

const ITALIC = tagId("i");
const SPAN = tagId("span");

const HIDDEN = new AttributeNames("aria-hidden");
/** Maximum nodes of a drawn copy: a figure or a few words. */
const MAX_NODES = 24;
const MAX_CHARS = 120;

/** Classes of icon fonts that draw the icon whose name is the text. */
const ICON_FONT = /(?:^|\s)material-(?:icons|symbols)(?:-[a-z-]+)?(?:\s|$)/;
/** Two adjacent characters of one word or number. */
const DIVIDED = /^(?:\p{L}\p{L}|\p{N}\p{N})$/u;
const ICON_NAME = /^\s*[a-z][a-z\d_]{1,40}\s*$/;

/** Whether an element only draws what its neighbour says to screen readers: `(8)` next to `8 reviews`. */
export function isDrawnCopy(tree: HtmlTree, node: number): boolean {
  if ((tree.end[node] ?? 0) - node > MAX_NODES || !tree.mayHave(node, HIDDEN)) return false;
  if (tree.attribute(node, "aria-hidden") !== "true") return false;
  const drawn = wordsAndFigures(tree.textContent(node));
  if (drawn === "") return false;
  return [siblingBefore(tree, node), siblingAfter(tree, node)].some((sibling) => says(tree, sibling, drawn));
}

/** Whether a spoken element begins or ends with these words and numbers. */
function says(tree: HtmlTree, node: number, drawn: string): boolean {
  if (node < 0 || tree.tag[node] === TEXT || (tree.end[node] ?? 0) - node > MAX_NODES) return false;
  const text = tree.textContent(node);
  if (text.length > MAX_CHARS || tree.attribute(node, "aria-hidden") === "true") return false;
  const spoken = wordsAndFigures(text);
  const rest = spoken.length - drawn.length;
  const begins = spoken.startsWith(drawn) && !DIVIDED.test(spoken.slice(drawn.length - 1, drawn.length + 1));
  return begins || (spoken.endsWith(drawn) && !DIVIDED.test(spoken.slice(Math.max(0, rest - 1), rest + 1)));
}

/** Letters and digits without the characters between them: `34.42` may be drawn as `34` and `42`. */
function wordsAndFigures(text: string): string {
  return text.length > MAX_CHARS ? "" : text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function siblingBefore(tree: HtmlTree, node: number): number {
  const parent = tree.parent[node] ?? -1;
  let previous = tree.isBlank(node - 1) ? node - 2 : node - 1;
  if (previous <= parent) return -1;
  while (tree.parent[previous] !== parent) previous = tree.parent[previous] ?? parent;
  return previous;
}

function siblingAfter(tree: HtmlTree, node: number): number {
  const end = tree.end[tree.parent[node] ?? 0] ?? 0;
  const next = tree.end[node] ?? end;
  const after = tree.isBlank(next) ? next + 1 : next;
  return after < end ? after : -1;
}

/**
 * Whether an element is an icon of an icon font. In a table cell, the text may be a value such as `check`.
 */
export function isIconName(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node] ?? 0;
  if ((tag !== ITALIC && tag !== SPAN && tag !== UNKNOWN) || tree.end[node] !== node + 2) return false;
  if (tree.tag[node + 1] !== TEXT || !ICON_NAME.test(tree.text(node + 1))) return false;
  return ICON_FONT.test(tree.attribute(node, "class") ?? "");
}
