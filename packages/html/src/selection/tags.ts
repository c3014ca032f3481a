import { selectCss } from "./select-css.ts";
import { only, type Selection, without } from "./selection.ts";

/**
 * Keeps the elements that any selector of `includeTags` matches, in document order. No selectors keep
 * everything.
 */
export function applyIncludeTags(selection: Selection, selectors: readonly string[]): Selection {
  if (selectors.length === 0) return selection;
  const named = selectors.flatMap((selector) => selectCss(selection.tree, selector));
  return only(
    selection,
    named.sort((one, other) => one - other),
  );
}

/** Drops the elements that the selectors of `excludeTags` match. */
export function applyExcludeTags(selection: Selection, selectors: readonly string[]): Selection {
  if (selectors.length === 0) return selection;
  return without(
    selection,
    selectors.flatMap((selector) => selectCss(selection.tree, selector)),
  );
}
