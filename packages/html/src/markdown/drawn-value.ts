import { AttributeNames } from "../parser/attribute-names.ts";
import { holdsText } from "../selection/text.ts";
import type { HtmlTree } from "../parser/tree.ts";

const LABELLED = new AttributeNames("aria-label");
/** Values that are drawn have a number: `4.5 out of 5 stars`. What else a drawing is called is not text of the page. */
const VALUE = /\d/;
const MAX_CHARS = 80;

/** What a drawing without text says to those who do not see it, where it shows a value; undefined for all else. */
export function drawnValue(tree: HtmlTree, node: number): string | undefined {
  if (!tree.mayHave(node, LABELLED) || tree.attribute(node, "role") !== "img") return undefined;
  const label = tree.attribute(node, "aria-label")?.trim() ?? "";
  const isValue = VALUE.test(label) && label.length <= MAX_CHARS;
  return isValue && !holdsText(tree, node) ? label : undefined;
}
