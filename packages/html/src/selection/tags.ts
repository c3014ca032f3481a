import { selectCss } from "./select-css.ts";
import { only, type Selection, without } from "./selection.ts";

/** What `includeTags` keeps: what any selector matches, in the order of the page. No selectors keep everything. */
export function applyIncludeTags(selection: Selection, selectors: readonly string[]): Selection {
  if (selectors.length === 0) return selection;
  const named = selectors.flatMap((selector) => selectCss(selection.tree, selector));
  return only(
    selection,
    named.sort((one, other) => one - other),
  );
}

/** The selection without what the selectors of `excludeTags` match. */
export function applyExcludeTags(selection: Selection, selectors: readonly string[]): Selection {
  if (selectors.length === 0) return selection;
  return without(
    selection,
    selectors.flatMap((selector) => selectCss(selection.tree, selector)),
  );
}
