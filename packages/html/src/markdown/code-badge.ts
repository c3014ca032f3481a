import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { nodeBefore } from "../selection/text.ts";
import { foldText } from "./fold.ts";

const ANCHOR = tagId("a");
const BUTTON = tagId("button");
const CODE = tagId("code");
const PRE = tagId("pre");
const CONTROLS = tagSet("script style template button select textarea svg noscript iframe");
/** Elements that labels use. Headings, paragraphs and lists next to code are text. */
const LABELS = tagSet("#unknown div span header figcaption small b strong em");
/** Elements that may lie between a label and the code below it. */
const AROUND_CODE = tagSet("div figure section td #unknown");

/** An element that holds one of these is not a label. */
const TEXTUAL = tagSet("ul ol dl table h1 h2 h3 h4 h5 h6 pre img");

/** Maximum nodes of a label. A larger element before code is text. */
const MAX_LABEL_NODES = 24;
const MAX_LABEL_CHARS = 40;
const MAX_LEVELS = 3;
const MAX_LINK_WORDS = 4;

/** Texts of controls next to code that are not `button` elements. */
const CONTROL_WORDS = /\b(?:copy(?: code| to clipboard)?|copied!?|edit|run|try(?: it)?|play|expand|wrap)\b/gi;

/** Language names that sites use besides the code → the info string of the fence; "" when there is none. */
const NAMES: ReadonlyMap<string, string> = new Map(
  `bash shell sh zsh console powershell javascript js jsx typescript ts tsx python py ruby rb go golang rust java kotlin
   swift c cpp csharp php html css scss sass less xml json json5 jsonc yaml yml toml ini sql mysql postgresql graphql
   dockerfile diff markdown md mdx r scala perl lua dart elixir erlang haskell clojure groovy matlab julia solidity vue
   svelte astro hcl terraform nginx makefile cmake protobuf proto fortran ocaml fsharp latex http curl`
    .split(/\s+/)
    .map((name) => [name, name] as const)
    .concat([
      ["c++", "cpp"],
      ["c#", "csharp"],
      ["f#", "fsharp"],
      ["objective-c", "objectivec"],
      ["node.js", "javascript"],
      ["visual basic", "vb"],
      ["docker", "dockerfile"],
      ["terminal", "shell"],
      ["command line", "shell"],
      ["plain text", ""],
      ["plaintext", ""],
      ["text", ""],
      ["txt", ""],
    ]),
);

export function firstCode(tree: HtmlTree, node: number): number {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (tree.tag[inner] === CODE) return inner;
  return -1;
}

/**
 * Whether an element only names the language of the code right after it, or offers to copy that code. The
 * Markdown names the language on the fence.
 */
export function isCodeBadge(tree: HtmlTree, node: number): boolean {
  const isSmall = (tree.end[node] ?? 0) - node <= MAX_LABEL_NODES && LABELS[tree.tag[node] ?? 0] === 1;
  return isSmall && isBeforeCode(tree, node) && labelOf(tree, node) !== undefined;
}

/** The language that a label before the code names; undefined without a label. */
export function labelBefore(tree: HtmlTree, node: number): string | undefined {
  let element = node;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const before = nodeBefore(tree, element);
    if (before >= 0) return labelOf(tree, before);
    element = tree.parent[element] ?? -1;
    if (AROUND_CODE[tree.tag[element] ?? 0] !== 1) return undefined;
  }
  return undefined;
}

/** The language that a label inside `pre` names; undefined without a label. */
export function labelWithin(tree: HtmlTree, node: number): string | undefined {
  const label = labelInside(tree, node);
  if (label >= 0) return labelOf(tree, label);
  const code = onlyCodeOf(tree, node);
  if (code === undefined) return undefined;
  const first = afterBlank(tree, node + 1);
  return first < code ? labelOf(tree, first) : undefined;
}

/** Names of parts of a block of code that stand above its lines. */
const HEAD_CLASS = /(?:^|[\s_-])(?:header|head|title|toolbar|lang(?:uage)?|label)(?:\s|$)/i;

/** The part at the start of a `pre` that only names its language, with buttons or by its class; -1 when there is none. */
export function labelInside(tree: HtmlTree, node: number): number {
  if (tree.tag[node] !== PRE) return -1;
  const end = tree.end[node] ?? 0;
  let first = afterBlank(tree, node + 1);
  for (let level = 0; level < MAX_LABEL_LEVELS && first < end && tree.tag[first] !== TEXT; level++) {
    const isHead = HEAD_CLASS.test(tree.attribute(first, "class") ?? "") || holdsButton(tree, first);
    if (isHead && labelOf(tree, first) !== undefined) return first;
    first = afterBlank(tree, first + 1);
  }
  return -1;
}

/** Levels of boxes around the label of an editor. */
const MAX_LABEL_LEVELS = 10;

function holdsButton(tree: HtmlTree, node: number): boolean {
  const end = Math.min(tree.end[node] ?? 0, node + MAX_LABEL_NODES);
  return tree.tag.subarray(node, end).includes(BUTTON);
}

/**
 * The `code` of a `pre` in which everything else is a label, a control or a link to try the code; else
 * undefined.
 */
export function onlyCodeOf(tree: HtmlTree, node: number): number | undefined {
  if (tree.tag[node] !== PRE || firstCode(tree, node) < 0) return undefined;
  const end = tree.end[node] ?? 0;
  let code: number | undefined;
  for (let child = node + 1; child < end;) {
    const isCode = tree.tag[child] === CODE;
    if (isCode && code !== undefined) return undefined;
    if (isCode) code = child;
    else if (firstCode(tree, child) >= 0) {
      child++;
      continue;
    } else if (!isBesideCode(tree, child)) return undefined;
    child = tree.end[child] ?? end;
  }
  return code;
}

function isBesideCode(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node] ?? 0;
  if (tag === TEXT) return tree.isBlank(node);
  if (CONTROLS[tag] === 1) return true;
  if (tag === ANCHOR) return tree.textContent(node).trim().split(/\s+/).length <= MAX_LINK_WORDS;
  return labelOf(tree, node) !== undefined;
}

/**
 * The language that a small element names; "" when it names none but only offers to copy; undefined for any
 * other text.
 */
function labelOf(tree: HtmlTree, node: number): string | undefined {
  if ((tree.end[node] ?? 0) - node > MAX_LABEL_NODES || LABELS[tree.tag[node] ?? 0] !== 1) return undefined;
  const text = foldText(textWithoutControls(tree, node)).trim();
  if (text === "" || text.length > MAX_LABEL_CHARS) return undefined;
  const name = text.replace(CONTROL_WORDS, "").trim().toLowerCase();
  return name === "" ? "" : NAMES.get(name);
}

/** Returns "" also for elements that are not a label. */
function textWithoutControls(tree: HtmlTree, node: number): string {
  let text = "";
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (TEXTUAL[tree.tag[inner] ?? 0] === 1) return "";
    if (tree.tag[inner] === TEXT) text += `${tree.text(inner)} `;
    else if (CONTROLS[tree.tag[inner] ?? 0] === 1) inner = (tree.end[inner] ?? end) - 1;
  }
  return text;
}

/** Whether the next element is a `pre` or begins with one. */
function isBeforeCode(tree: HtmlTree, node: number): boolean {
  const parentEnd = tree.end[tree.parent[node] ?? 0] ?? 0;
  let next = afterBlank(tree, tree.end[node] ?? parentEnd);
  for (let level = 0; level < MAX_LEVELS && next < parentEnd; level++) {
    if (tree.tag[next] === PRE) return true;
    if (AROUND_CODE[tree.tag[next] ?? 0] !== 1) return false;
    next = afterBlank(tree, next + 1);
  }
  return false;
}

function afterBlank(tree: HtmlTree, node: number): number {
  return tree.tag[node] === TEXT && tree.isBlank(node) ? node + 1 : node;
}
