import type { HtmlTree } from "../parser/tree.ts";
import { findCss } from "./select-css.ts";

/** Selectors that have no effect on a page. */
interface IdleSelectors {
  /** Selectors that are invalid, or too much work for the page. */
  readonly invalid: readonly string[];
  readonly unmatched: readonly string[];
}

/** Returns the selectors that have no effect on a page, each once. */
export function idleSelectors(tree: HtmlTree, selectors: readonly string[]): IdleSelectors {
  const found = [...new Set(selectors)].map((selector) => ({ selector, nodes: findCss(tree, selector) }));
  const those = (isMeant: (nodes: readonly number[] | undefined) => boolean) =>
    found.filter(({ nodes }) => isMeant(nodes)).map(({ selector }) => selector);
  return {
    invalid: those((nodes) => nodes === undefined),
    unmatched: those((nodes) => nodes?.length === 0),
  };
}
