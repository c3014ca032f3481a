import { selectCss } from "./select-css.ts";
import { only, type Selection, without } from "./selection.ts";

/** What `includeTags` keeps: the matches of each selector in turn. No selectors keep everything. */
export function applyIncludeTags(selection: Selection, selectors: readonly string[]): Selection {
  if (selectors.length === 0) return selection;
  return only(
    selection,
    selectors.flatMap((selector) => selectCss(selection.tree, selector)),
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
