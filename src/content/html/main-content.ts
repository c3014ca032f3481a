import { type Chrome, findChrome } from "./chrome.ts";
import { findLinkBlocks } from "./link-blocks.ts";
import { findRegion } from "./main-region.ts";
import { isEmpty, only, type Selection, without } from "./selection.ts";
import { proseBelow, type TextWeights, weighText } from "./text-weights.ts";
import { tagId } from "./tree.ts";

const NOSCRIPT = tagId("noscript");

/** A step that leaves less of the prose than this has lost the page. */
const MIN_SHARE = 0.25;

/** Losing less prose than this is never taken for losing the page. */
const SMALL_TEXT = 500;

/** Pages with less text than this leave their content to scripts. */
const BARE_PAGE_TEXT = 300;

/** What a `noscript` holds counts as the page from this much text on. */
const MIN_SCRIPTLESS_TEXT = 600;

/** A selection with the sums over its text, which most steps need. */
interface Weighed {
  readonly selection: Selection;
  readonly weights: TextWeights;
}

/**
 * The selection without navigation, headers, footers and other furniture of the site, narrowed to the region that
 * holds the page's own content where there is one. Never empty for a page that has text.
 */
export function selectMainContent(selection: Selection, _pageUrl: string): Selection {
  const isWhole = selection.roots.length === 1 && selection.roots[0] === 0;
  const page = isWhole ? withScriptlessContent(weigh(selection)) : weigh(selection);
  const filtered = dropChrome(page);
  if (!isWhole) return firstWithContent([filtered.selection, selection]);
  const region = narrow(filtered);
  const cleaned = without(region.selection, findLinkBlocks(region.selection, region.weights));
  return firstWithContent([cleaned, filtered.selection, page.selection]);
}

/** Leaves out as much furniture as it can without losing the page. */
function dropChrome(page: Weighed): Weighed {
  const chrome = findChrome(page.selection, page.weights);
  const certain = dropKinds(page, chrome, ["certain"]);
  const likely = dropKinds(page, chrome, ["certain", "listed", "likely"]);
  if (!losesPage(certain, likely)) return likely;
  const listed = dropKinds(page, chrome, ["certain", "listed"]);
  return losesPage(certain, listed) ? certain : listed;
}

function dropKinds(page: Weighed, chrome: readonly Chrome[], kinds: readonly Chrome["kind"][]): Weighed {
  const nodes = chrome.filter(({ kind }) => kinds.includes(kind)).map(({ node }) => node);
  return weigh(without(page.selection, nodes));
}

/** The region of the page's own content; the weights stay those of the whole page. */
function narrow(page: Weighed): Weighed {
  const selection = only(page.selection, findRegion(page.selection, page.weights));
  const region = { selection, weights: page.weights };
  return losesPage(page, region) ? page : region;
}

function weigh(selection: Selection): Weighed {
  return { selection, weights: weighText(selection) };
}

function firstWithContent(candidates: readonly [Selection, ...Selection[]]): Selection {
  return candidates.find((candidate) => !isEmpty(candidate)) ?? candidates[0];
}

function losesPage(before: Weighed, after: Weighed): boolean {
  const had = proseOf(before);
  const has = proseOf(after);
  return had - has > SMALL_TEXT && has < MIN_SHARE * had;
}

function proseOf({ selection, weights }: Weighed): number {
  return selection.roots.reduce((sum, root) => sum + proseBelow(weights, root), 0);
}

/** A page that is bare without scripts shows what it has for readers without them. */
function withScriptlessContent(page: Weighed): Weighed {
  if ((page.weights.text[0] ?? 0) >= BARE_PAGE_TEXT) return page;
  const { tree } = page.selection;
  const skipped = page.selection.skipped.map((isSkipped, node) =>
    tree.tag[node] === NOSCRIPT ? 0 : isSkipped,
  );
  const scriptless = weigh({ ...page.selection, skipped });
  return (scriptless.weights.text[0] ?? 0) >= MIN_SCRIPTLESS_TEXT ? scriptless : page;
}
