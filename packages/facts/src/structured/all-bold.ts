import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";

const STRONG = tagSet("b strong u");
const MARKS = tagSet("b strong u font em i span");

/** True if all words of the element are bold. */
export function isAllBold(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  let isBold = false;
  for (let inner = node + 1; inner < end; inner++) {
    const tag = tree.tag[inner] ?? 0;
    if (STRONG[tag] === 1) {
      isBold = true;
      inner = (tree.end[inner] ?? end) - 1;
    } else if (tag === TEXT ? !tree.isBlank(inner) : MARKS[tag] !== 1) return false;
  }
  return isBold;
}
