import { AttributeNames } from "../parser/attribute-names.ts";
import { type HtmlTree, tagId, TEXT, UNKNOWN } from "../parser/tree.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { mathSource } from "./math-source.ts";
import { notesOf } from "./notes.ts";

const PAGE_FRAMES: ReadonlySet<number> = new Set(["#document", "html", "body", "main"].map(tagId));
const IMAGE = tagId("img");
/** Its term opens it. */
const DEFINITION = tagId("dd");
const MATH = tagId("math");
const SCRIPT = tagId("script");

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Names of parts that a reader opens. Their text is content, open or not. */
const OPENABLE =
  /(?:^|[\s_-])(?:tab-?(?:pane|panel|content)?s?|panel|pane|accordion|collaps\w*|expand\w*|toggle-content|read-?more|faq|answer)(?:[\s_-]|$)/i;

/** Ids that React gives to the parts of a page that it streams later. */
const STREAMED_PART = /^S:[\da-f]+$/;

/**
 * A part with more nodes than this and a larger share of the page's nodes is the main content of the page.
 */
const MIN_MAIN_NODES = 50;
const MIN_MAIN_SHARE = 0.4;

/** Texts of icon fonts: one or two characters, or a ligature name such as `arrow_forward`. */
const ICON_TEXT = /^(?:\P{L}{0,2}|.|[a-z]+(?:_[a-z\d]+)+)$/u;

/** Subtrees with more nodes than this never count as icons. */
const MAX_ICON_NODES = 8;

/** Larger elements are not tooltips, whatever their role says. */
const MAX_TOOLTIP_NODES = 50;

/** Without one of these attributes, an element is hidden only if it is the drawn copy of a formula. */
const HIDING = new AttributeNames("hidden style aria-hidden role");
const DRAWN_FORMULA = "MathJax";
const CONTROLS = new AttributeNames("aria-controls");

/**
 * Whether readers of the page do not see the element: hidden by attribute or inline style, an icon hidden
 * from screen readers, a tooltip, or the drawn copy of a formula that the page also carries as source.
 */
export function isHidden(tree: HtmlTree, node: number): boolean {
  return (
    (tree.mayHave(node, HIDING) && isHiddenByAttribute(tree, node)) ||
    (tree.attributeStartsWith(node, "class", DRAWN_FORMULA) && isDrawnFormula(tree, node))
  );
}

function isHiddenByAttribute(tree: HtmlTree, node: number): boolean {
  if (tree.attribute(node, "aria-hidden") === "true" && isDecoration(tree, node)) return true;
  if (isTooltip(tree, node)) return true;
  const hidden = tree.attribute(node, "hidden");
  const isHiddenByMarkup =
    (hidden !== undefined && hidden !== "until-found") ||
    HIDING_STYLE.test(tree.attribute(node, "style") ?? "");
  return isHiddenByMarkup && !staysThoughHidden(tree, node);
}

/** Whether a part that markup or styles hide is content all the same: scripts or readers show it. */
export function staysThoughHidden(tree: HtmlTree, node: number): boolean {
  if (PAGE_FRAMES.has(tree.tag[node] ?? 0)) return true;
  return isShownByScript(tree, node) || isOpenable(tree, node) || holdsFormula(tree, node);
}

function isTooltip(tree: HtmlTree, node: number): boolean {
  const isSmall = (tree.end[node] ?? 0) - node <= MAX_TOOLTIP_NODES;
  return isSmall && tree.attribute(node, "role")?.trim().toLowerCase() === "tooltip";
}

const [TERM, SUMMARY] = ["dt", "summary"].map(tagId);

/** Whether a button opens a part of the page: it says so, or stands for a term or the summary of details. */
export function opensPart(tree: HtmlTree, node: number): boolean {
  const above = tree.tag[tree.parent[node] ?? 0];
  return above === TERM || above === SUMMARY || tree.attribute(node, "aria-expanded") !== undefined;
}

/** Pages hide the parts that they stream or lay out first. Scripts show them later. */
function isShownByScript(tree: HtmlTree, node: number): boolean {
  const size = (tree.end[node] ?? 0) - node;
  const isMain = size > MIN_MAIN_NODES && size > tree.size * MIN_MAIN_SHARE;
  return isMain || STREAMED_PART.test(tree.attribute(node, "id") ?? "");
}

function isOpenable(tree: HtmlTree, node: number): boolean {
  if (OPENABLE.test(`${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`))
    return true;
  if (tree.tag[node] === DEFINITION || tree.attribute(node, "role") === "tabpanel" || isFolded(tree, node))
    return true;
  const { definitions, inline } = notesOf(tree);
  return isControlled(tree, node) || definitions.has(node) || inline.has(tree.parent[node] ?? 0);
}

const FOLDED = /(?:^|\s)(?:is-)?(?:collaps(?:ed|ible)|folded|foldable|closed)(?:\s|$)/i;

/** Whether a box shows a title alone until it is unfolded, as callouts do. */
function isFolded(tree: HtmlTree, node: number): boolean {
  const box = tree.parent[node] ?? 0;
  if (FURNITURE[tree.tag[box] ?? 0] === 1 || !FOLDED.test(tree.attribute(box, "class") ?? "")) return false;
  for (let inner = box + 1; inner < node; inner++)
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner)) return true;
  return false;
}

/** Roles of parts that open over a page, or are no text of it. */
const OVER_PAGE = /dialog|menu|listbox|navigation|search|grid|tooltip/;
const FURNITURE = tagSet("nav header footer form dialog aside");
const controlled = new WeakMap<HtmlTree, ReadonlySet<string>>();

/** Whether a button in the text opens the part: "Read more", a question, a tab. */
function isControlled(tree: HtmlTree, node: number): boolean {
  const id = tree.attribute(node, "id") ?? "";
  if (id === "" || FURNITURE[tree.tag[node] ?? 0] === 1) return false;
  let ids = controlled.get(tree);
  if (!ids) controlled.set(tree, (ids = controlledIds(tree)));
  return ids.has(id) && !OVER_PAGE.test(tree.attribute(node, "role") ?? "");
}

function controlledIds(tree: HtmlTree): ReadonlySet<string> {
  const ids = new Set<string>();
  if (!tree.mayHaveAnywhere("aria-controls")) return ids;
  for (let node = 1; node < tree.size; node++) {
    if (FURNITURE[tree.tag[node] ?? 0] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.mayHave(node, CONTROLS)) for (const id of controlledBy(tree, node)) ids.add(id);
  }
  return ids;
}

function controlledBy(tree: HtmlTree, node: number): readonly string[] {
  const isMenu = (tree.attribute(node, "aria-haspopup") ?? "false") !== "false";
  return isMenu ? [] : (tree.attribute(node, "aria-controls") ?? "").split(/\s+/);
}

function isDecoration(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node] ?? 0;
  if (tag === IMAGE) return true;
  if (tag === UNKNOWN && tree.nameOf(node).startsWith("mjx-")) return true;
  if (followsFormula(tree, node)) return true;
  const end = tree.end[node] ?? 0;
  return end - node <= MAX_ICON_NODES && ICON_TEXT.test(tree.textContent(node).trim());
}

/** KaTeX writes the formula as MathML and draws it in the next element. */
function followsFormula(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node] ?? -1;
  let previous = node - 1;
  if (previous <= parent) return false;
  while (tree.parent[previous] !== parent) previous = tree.parent[previous] ?? parent;
  return holdsFormula(tree, previous);
}

function holdsFormula(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node; inner < end; inner++) if (tree.tag[inner] === MATH) return true;
  return false;
}

/** MathJax keeps its source in a script right after the drawn formula. */
function isDrawnFormula(tree: HtmlTree, node: number): boolean {
  if (tree.attribute(node, "class")?.includes("MathJax_Preview")) return true;
  const next = tree.end[node] ?? 0;
  return next < tree.size && tree.tag[next] === SCRIPT && mathSource(tree, next) !== undefined;
}
