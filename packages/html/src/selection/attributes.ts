import { selectCss } from "./select-css.ts";
import type { HtmlTree } from "../parser/tree.ts";

/** One request: an attribute of all elements that a selector matches. */
export interface WantedAttribute {
  readonly selector: string;
  readonly attribute: string;
}

/** Values of one attribute on all elements that match a selector, in document order. */
interface AttributeValues extends WantedAttribute {
  readonly values: readonly string[];
}

/**
 * Collects the values of the wanted attributes on the whole, unfiltered page, in document order.
 * `data-<attribute>` stands in when the attribute is missing. An invalid selector has no values.
 */
export function collectAttributes(tree: HtmlTree, wanted: readonly WantedAttribute[]): AttributeValues[] {
  return wanted.map(({ selector, attribute }) => {
    const name = attribute.toLowerCase();
    const values = selectCss(tree, selector)
      .map((node) => tree.attribute(node, name) ?? tree.attribute(node, `data-${name}`))
      .filter((value) => value !== undefined);
    return { selector, attribute, values };
  });
}
