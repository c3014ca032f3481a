import { tagSet } from "./tag-traits.ts";
import type { Selection } from "./selection.ts";
import { type HtmlTree, TEXT, tagId } from "./tree.ts";
import { type TextWeights, weighText } from "./text-weights.ts";

const CHROME_TAGS = tagSet("header footer nav aside");
const FRAME_TAGS = tagSet("#document html body main article");
const HEADER = tagId("header");
const ASIDE = tagId("aside");

const LISTED_CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);

const LISTED_IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);

const CHROME_ROLES: ReadonlySet<string> = new Set(
  "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar".split(" "),
);

const CHROME_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|footer|sidebar|breadcrumbs?|cookies?|cookiebar|consent|gdpr|newsletter|subscribe|subscription|share|sharing|social|related|recommended|recommendations?|promo|advert|advertisement|ads?|sponsor|sponsored|popup|modal|pagination|pager|toolbar|masthead|topbar|offcanvas|drawer|sr-only|visually-hidden|screen-reader-text|skip-?link)(?:[\s_-]|$)/i;

/** Nodes that are furniture of the site rather than content, outermost only. */
export function findChrome(selection: Selection): readonly number[] {
  const { tree, skipped } = selection;
  const weights = weighText(selection);
  const chrome: number[] = [];
  for (const root of selection.roots) {
    const end = tree.end[root] ?? 0;
    let node = root;
    while (node < end) {
      const isOut = skipped[node] === 1;
      if (!isOut && tree.tag[node] !== TEXT && isChrome(tree, node, weights)) chrome.push(node);
      else if (!isOut) {
        node++;
        continue;
      }
      node = tree.end[node] ?? end;
    }
  }
  return chrome;
}

function isChrome(tree: HtmlTree, node: number, weights: TextWeights): boolean {
  const tag = tree.tag[node] ?? 0;
  if (FRAME_TAGS[tag] === 1) return false;
  const isListed = isListedChrome(tree, node, tag);
  if (!isListed && !isNamedChrome(tree, node)) return false;
  const share = (weights.text[node] ?? 0) / Math.max(1, weights.text[0] ?? 0);
  if (share > (isListed ? 0.6 : 0.4)) return false;
  return !isGuarded(tree, node, tag);
}

function isListedChrome(tree: HtmlTree, node: number, tag: number): boolean {
  if (CHROME_TAGS[tag] === 1) return true;
  const id = tree.attribute(node, "id");
  if (id !== undefined && LISTED_IDS.has(id)) return true;
  const className = tree.attribute(node, "class");
  return className !== undefined && className.split(/\s+/).some((name) => LISTED_CLASSES.has(name));
}

function isNamedChrome(tree: HtmlTree, node: number): boolean {
  const role = tree.attribute(node, "role");
  if (role !== undefined && CHROME_ROLES.has(role)) return true;
  const names = `${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`;
  return names.length > 1 && CHROME_NAME.test(names);
}

/** Chrome by name that holds content: it contains `#main`, or is the head of the article itself. */
function isGuarded(tree: HtmlTree, node: number, tag: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node; inner < end; inner++) {
    if (tree.tag[inner] === TEXT) continue;
    if (tree.attribute(inner, "id") === "main") return true;
  }
  if (tag === HEADER || tag === ASIDE)
    return isInsideContent(tree, node) && (tag === ASIDE ? isNote(tree, node) : true);
  return false;
}

function isNote(tree: HtmlTree, node: number): boolean {
  return /note|tip|warning|admonition|callout|info|important/i.test(tree.attribute(node, "class") ?? "");
}

const CONTENT = tagSet("article main");

function isInsideContent(tree: HtmlTree, node: number): boolean {
  for (let above = tree.parent[node] ?? -1; above > 0; above = tree.parent[above] ?? -1) {
    if (CONTENT[tree.tag[above] ?? 0] === 1) return true;
  }
  return false;
}
