import { isListed, namesChrome, namesConsent } from "./chrome-names.ts";
import { tagSet } from "./tag-traits.ts";
import type { Selection } from "./selection.ts";
import { proseBelow, type TextWeights } from "./text-weights.ts";
import { type HtmlTree, TEXT, tagId } from "./tree.ts";

/**
 * How sure it is that an element is furniture of the site: "certain" by element or role, "listed" by a class or id
 * of the fixed list, "likely" by a name of a similar kind.
 */
export type ChromeKind = "certain" | "listed" | "likely";

export interface Chrome {
  readonly node: number;
  readonly kind: ChromeKind;
}

const CHROME_TAGS = tagSet("header footer nav aside dialog");
const HEAD_TAGS = tagSet("header hgroup");
/** Never furniture as a whole, whatever the name. */
const FRAME_TAGS = tagSet("#document html body main h1 pre code tbody thead tr td th math svg");
/** Furniture only by a name of the fixed list. */
const CONTENT_TAGS = tagSet("article table");
const CONTENT = tagSet("article main");
const ASIDE = tagId("aside");
const H1 = tagId("h1");

const CHROME_ROLES: ReadonlySet<string> = new Set(
  "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar".split(" "),
);

/** Asides that explain the text beside them. */
const NOTE = /note|tip|warning|admonition|callout|info|important|caution|danger/i;

/** Elements with less text than this are judged by their names alone. */
const SMALL_TEXT = 500;

/** Share of the page's text, or of its prose, above which a name does not make an element furniture. */
const MAX_SHARE: Readonly<Record<ChromeKind, number>> = { certain: 0.6, listed: 0.3, likely: 0.2 };

/** The furniture of a site, outermost elements only, in document order. */
export function findChrome(selection: Selection, weights: TextWeights): readonly Chrome[] {
  const { tree, skipped } = selection;
  const insideMain = containersOfMain(tree);
  const chrome: Chrome[] = [];
  for (const root of selection.roots) {
    const end = tree.end[root] ?? 0;
    let node = root;
    while (node < end) {
      const kind = skipped[node] === 1 ? undefined : chromeKind(tree, node);
      const isFound =
        kind !== undefined && !isContent(tree, { node, kind }, weights) && !insideMain.has(node);
      if (isFound) chrome.push({ node, kind });
      node = isFound || skipped[node] === 1 ? (tree.end[node] ?? end) : node + 1;
    }
  }
  return chrome;
}

function chromeKind(tree: HtmlTree, node: number): ChromeKind | undefined {
  const tag = tree.tag[node] ?? 0;
  if (tag === TEXT || FRAME_TAGS[tag] === 1) return undefined;
  if (CHROME_TAGS[tag] === 1) return "certain";
  const attributes = tree.attributes(node);
  let names = "";
  for (const [name, value] of attributes) {
    if (name === "role" && CHROME_ROLES.has(value)) return "certain";
    if (name === "class" || name === "id") names += ` ${value}`;
  }
  if (names === "") return undefined;
  if (namesConsent(names)) return "certain";
  if (isListed(tree.attribute(node, "class") ?? "", tree.attribute(node, "id") ?? "")) return "listed";
  return CONTENT_TAGS[tag] !== 1 && namesChrome(names) ? "likely" : undefined;
}

/** Elements around one with the id `main`: the fixed list spares them. */
function containersOfMain(tree: HtmlTree): ReadonlySet<number> {
  const around = new Set<number>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TEXT || tree.attribute(node, "id") !== "main") continue;
    for (let above = node; above > 0 && !around.has(above); above = tree.parent[above] ?? 0)
      around.add(above);
  }
  return around;
}

/** Chrome by name that is content by what it holds. */
function isContent(tree: HtmlTree, { node, kind }: Chrome, weights: TextWeights): boolean {
  const tag = tree.tag[node] ?? 0;
  if (HEAD_TAGS[tag] === 1 && isInside(tree, node, CONTENT)) return true;
  if (tag === ASIDE && isInside(tree, node, CONTENT) && NOTE.test(tree.attribute(node, "class") ?? ""))
    return true;
  const text = weights.text[node] ?? 0;
  if (kind !== "certain" && text > SMALL_TEXT && holdsTitle(tree, node)) return true;
  if (text <= SMALL_TEXT) return false;
  const share = Math.max(
    text / (weights.text[0] ?? 1),
    proseBelow(weights, node) / Math.max(1, proseBelow(weights, 0)),
  );
  return share > MAX_SHARE[kind];
}

function isInside(tree: HtmlTree, node: number, tags: Uint8Array): boolean {
  for (let above = tree.parent[node] ?? -1; above > 0; above = tree.parent[above] ?? -1) {
    if (tags[tree.tag[above] ?? 0] === 1) return true;
  }
  return false;
}

function holdsTitle(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node; inner < end; inner++) if (tree.tag[inner] === H1) return true;
  return false;
}
