import { selectAll, type Selection, withSkipped } from "./selection.ts";
import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";

const NOSCRIPT = tagId("noscript");

/** Characters. Pages with less text leave their content to scripts. */
const BARE_PAGE_TEXT = 300;

/** Characters. From this much text on, the `noscript` elements of a bare page stand for the page. */
const MIN_SCRIPTLESS_TEXT = 600;

/**
 * Selects what readers of a page see: all of its content. Of a page that is bare without scripts, it selects
 * the content for browsers without scripts.
 */
export function selectReadable(tree: HtmlTree): Selection {
  const whole = selectAll(tree);
  if (!tree.tag.includes(NOSCRIPT) || hasText(tree, whole.skipped, BARE_PAGE_TEXT)) return whole;
  const shown = whole.skipped.slice();
  for (let node = 0; node < tree.size; node++) if (tree.tag[node] === NOSCRIPT) shown[node] = 0;
  return hasText(tree, shown, MIN_SCRIPTLESS_TEXT) ? withSkipped(whole, shown) : whole;
}

/** Whether the kept text has at least `minimum` characters, without white space at its ends. */
export function hasText(tree: HtmlTree, skipped: Uint8Array, minimum: number): boolean {
  let length = 0;
  for (let node = 0; node < tree.size && length < minimum; node++) {
    if (skipped[node] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.tag[node] === TEXT) length += tree.text(node).trim().length;
  }
  return length >= minimum;
}
