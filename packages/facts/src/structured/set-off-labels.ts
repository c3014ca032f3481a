import { HEADING, tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, tagId, TEXT } from "@pergamon-dev/html/parser/tree";
import { holdsText } from "@pergamon-dev/html/selection/text";
import { type Pair, valueAfter } from "./pairs.ts";
import { textOf, UNREAD } from "./text-of.ts";

/** Elements that may be a label. */
const LABELS = tagSet("b strong em i span small label th dt h3 h4 h5 h6 div p");
/** Emphasised elements. The text that follows belongs to them. */
const SET_OFF = tagSet("b strong label h3 h4 h5 h6");
/** A value ends before these elements, as they begin the next label or block. */
const ENDS = tagSet("b strong label p div li dt dd h1 h2 h3 h4 h5 h6 ul ol dl table section article");
const PARAGRAPHS = tagSet("p li td div dd article section figure");
/** A dash in these does not follow a label. */
const NAMES = tagSet("a button option title summary", HEADING);
const [BREAK, LINK] = [tagId("br"), tagId("a")];

const MAX_LABEL_LENGTH = 40;
const MAX_VALUE_LENGTH = 300;
const MAX_LABELS = 1500;
/** Maximum nodes before a label in its element. */
const MAX_NODES_BEFORE = 200;
const SIGN = /^\s*(?:[:：]\s*|[–—-]\s+)(?=\S)/u;
/** A short label, a dash between spaces and a value in one text, or in the next one. */
const DASHED = /^\s*(\p{Lu}[^\s:：–—]*(?: [^\s:：–—-][^\s:：–—]*){0,2})\s+[–—-](?:\s+(\S[^]{0,120})|\s*)$/u;

const SHORT = /^\p{Lu}[\p{L}\p{M}.-]*(?: [\p{L}\p{M}.-]+){0,2}$/u;

/**
 * Labels without a colon in their text: before a value that begins with a colon or a dash, in bold at the start of a
 * line, before a link that is all the rest, as the first of two elements that stand alone together, or in lines that all begin with such an element.
 */
export function readSetOffLabels(tree: HtmlTree): readonly Pair[] {
  const found: Pair[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_LABELS; node++) {
    const tag = tree.tag[node] ?? 0;
    if (UNREAD[tag] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tag === TEXT) {
      const pair = dashedText(tree, node) ?? textBeforeLink(tree, node);
      if (pair) found.push(pair);
    } else if (LABELS[tag] === 1) {
      const label = textOf(tree, node, MAX_LABEL_LENGTH + 1);
      if (label === "" || label.length > MAX_LABEL_LENGTH || !/\p{L}/u.test(label)) continue;
      const value = valueBeside(tree, node, label);
      if (value !== "") found.push({ label, value, node });
    }
  }
  return found;
}

function dashedText(tree: HtmlTree, node: number): Pair | undefined {
  if (tree.isBlank(node) || NAMES[tree.tag[tree.parent[node] ?? 0] ?? 0] === 1) return undefined;
  const text = tree.text(node);
  if (text.length > MAX_VALUE_LENGTH || !/\s[–—-]/u.test(text)) return undefined;
  const [, label = "", inside = ""] = DASHED.exec(text) ?? [];
  const value = label === "" ? "" : inside.trim() || valueAfter(tree, node);
  return value === "" || label.length > MAX_LABEL_LENGTH ? undefined : { label, value, node };
}

/** `Label <a>value</a>`, alone in its paragraph. */
function textBeforeLink(tree: HtmlTree, node: number): Pair | undefined {
  const parent = tree.parent[node] ?? 0;
  const link = tree.end[node] ?? 0;
  const isAlone = node === parent + 1 && tree.tag[link] === LINK && tree.end[link] === tree.end[parent];
  if (!isAlone || PARAGRAPHS[tree.tag[parent] ?? 0] !== 1) return undefined;
  const label = tree.text(node).trim();
  const value = textOf(tree, link, MAX_VALUE_LENGTH);
  return value !== "" && SHORT.test(label) ? { label, value, node } : undefined;
}

function valueBeside(tree: HtmlTree, node: number, label: string): string {
  const rest = restOf(tree, node);
  if (SIGN.test(rest)) return rest.replace(SIGN, "");
  const parent = tree.parent[node] ?? 0;
  if (rest === "" || PARAGRAPHS[tree.tag[parent] ?? 0] !== 1 || !beginsLine(tree, parent, node)) return "";
  if (SET_OFF[tree.tag[node] ?? 0] === 1 || /[:：]$/u.test(label)) return rest;
  const isAlone = elementsIn(tree, parent) === 2 || isLineOfSeries(tree, parent, node);
  return isAlone && rest.length < MAX_VALUE_LENGTH / 2 ? rest : "";
}

/** True if no words precede the element on its line. Icons have no words. */
function beginsLine(tree: HtmlTree, parent: number, node: number): boolean {
  if (node - parent > MAX_NODES_BEFORE) return false;
  let isBegin = true;
  for (let before = parent + 1; before < node; before = tree.end[before] ?? node) {
    if (tree.tag[before] === BREAK) isBegin = true;
    else if (tree.tag[before] === TEXT ? !tree.isBlank(before) : holdsText(tree, before)) isBegin = false;
  }
  return isBegin;
}

/** The text after an element within its parent: the rest of its line, or the next one. */
function restOf(tree: HtmlTree, node: number): string {
  const parent = tree.parent[node] ?? 0;
  const end = tree.end[parent] ?? 0;
  let rest = "";
  for (
    let next = tree.end[node] ?? end;
    next < end && rest.length < MAX_VALUE_LENGTH;
    next = tree.end[next] ?? end
  ) {
    const tag = tree.tag[next] ?? 0;
    const hasRest = rest.trim() !== "";
    if (hasRest && (ENDS[tag] === 1 || tag === BREAK)) break;
    rest += `${tag === TEXT ? "" : " "}${textOf(tree, next, MAX_VALUE_LENGTH)}`;
  }
  return rest.replace(/\s+/g, " ").trim();
}

/** Number of child elements with words; 0 if there is also direct text. */
function elementsIn(tree: HtmlTree, parent: number): number {
  let count = 0;
  const end = tree.end[parent] ?? 0;
  for (let node = parent + 1; node < end; node = tree.end[node] ?? end) {
    if (tree.tag[node] !== TEXT) count += holdsText(tree, node) ? 1 : 0;
    else if (!tree.isBlank(node)) return 0;
  }
  return count;
}

/** True if the next line, or the one before, begins with an element of the same kind. */
function isLineOfSeries(tree: HtmlTree, parent: number, label: number): boolean {
  const isAlike = (line: number): boolean =>
    line > 0 &&
    tree.tag[line] === tree.tag[parent] &&
    tree.tag[line + 1] === tree.tag[label] &&
    tree.attribute(line + 1, "class") === tree.attribute(label, "class");
  return parent + 1 === label && (isAlike(nextElement(tree, parent)) || isAlike(lineBefore(tree, parent)));
}

/** The next sibling element; -1 if there is none. */
function nextElement(tree: HtmlTree, node: number): number {
  const end = tree.end[tree.parent[node] ?? 0] ?? 0;
  for (let next = tree.end[node] ?? 0; next < end; next = tree.end[next] ?? end)
    if (tree.tag[next] !== TEXT) return next;
  return -1;
}

const MAX_LINE_NODES = 20;

/** The element that ends right before a node. */
function lineBefore(tree: HtmlTree, node: number): number {
  const parent = tree.parent[node] ?? 0;
  for (let before = node - 1; before > Math.max(parent, node - MAX_LINE_NODES); before--)
    if (tree.tag[before] !== TEXT && tree.parent[before] === parent) return before;
  return -1;
}
