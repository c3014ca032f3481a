import { selectAll, type Selection, withSkipped } from "./selection.ts";
import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";

const NOSCRIPT = tagId("noscript");

/** Pages with less text than this leave their content to scripts. */
const BARE_PAGE_TEXT = 300;

/** What the `noscript` elements of a bare page hold counts as the page from this much text on. */
const MIN_SCRIPTLESS_TEXT = 600;

/** What readers of a page get to see: all of its content; of a page that is bare without scripts what it has for those without. */
export function selectReadable(tree: HtmlTree): Selection {
  const whole = selectAll(tree);
  if (!tree.tag.includes(NOSCRIPT) || hasText(tree, whole.skipped, BARE_PAGE_TEXT)) return whole;
  const shown = whole.skipped.map((isSkipped, node) => (tree.tag[node] === NOSCRIPT ? 0 : isSkipped));
  return hasText(tree, shown, MIN_SCRIPTLESS_TEXT) ? withSkipped(whole, shown) : whole;
}

/** Whether the kept text has at least `minimum` characters, white space at its ends not counted. */
export function hasText(tree: HtmlTree, skipped: Uint8Array, minimum: number): boolean {
  let length = 0;
  for (let node = 0; node < tree.size && length < minimum; node++) {
    if (skipped[node] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.tag[node] === TEXT) length += tree.text(node).trim().length;
  }
  return length >= minimum;
}
