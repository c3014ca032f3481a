import { findChrome } from "./chrome.ts";
import { findRegion } from "./main-region.ts";
import { isEmpty, only, type Selection, without } from "./selection.ts";
import { weighText } from "./text-weights.ts";

/** A result with less of the text that is not chrome has lost the page. */
const MIN_SHARE = 0.25;

/**
 * The selection without navigation, headers, footers and other furniture of the site, narrowed to the region that
 * holds the page's own content where there is one. Never empty for a page that has text.
 */
export function selectMainContent(selection: Selection, _pageUrl: string): Selection {
  const listed = without(selection, findChrome(selection));
  const narrowed = isWholePage(selection) ? narrow(listed) : listed;
  const candidates = [narrowed, listed];
  return candidates.find((candidate) => !isEmpty(candidate)) ?? selection;
}

function isWholePage(selection: Selection): boolean {
  return selection.roots.length === 1 && selection.roots[0] === 0;
}

function narrow(listed: Selection): Selection {
  const weights = weighText(listed);
  const regions = findRegion(listed, weights);
  if (regions.length === 0) return listed;
  const kept = regions.reduce((sum, node) => sum + (weights.text[node] ?? 0), 0);
  return kept < MIN_SHARE * (weights.text[0] ?? 0) ? listed : only(listed, regions);
}
