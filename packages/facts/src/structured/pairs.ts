import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { textOf, UNREAD } from "./text-of.ts";

/** A visible label with its value. */
export interface Pair {
  /** On one line, without the colon. */
  readonly label: string;
  readonly value: string;
  /** The element or text where the label begins. */
  readonly node: number;
}

const MAX_PAIRS = 2000;
const MAX_LABEL_LENGTH = 40;
const MAX_VALUE_LENGTH = 200;
const LABELS = tagSet("dt th td");
const DT = tagId("dt");
const TABLE = tagId("table");
const ROW = tagId("tr");
const TH = tagId("th");

/** A short label, a colon and a value in one text. */
const LABELLED = /^\s*([^\s:：#][^:：]{0,38}?)\s{0,9}[:：]\s*(\S[^]*)?$/u;

/** Visible label-value pairs: definition terms, two-cell rows and `Label: value`, in document order. */
export function readPairs(tree: HtmlTree): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let node = 1; node < tree.size && pairs.length < MAX_PAIRS; node++) {
    const tag = tree.tag[node] ?? 0;
    if (UNREAD[tag] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tag === TEXT) for (const pair of labelledTexts(tree, node)) push(pairs, pair);
    else if (LABELS[tag] === 1) push(pairs, cellPair(tree, node));
    else if (tag === TABLE) for (const pair of headedRow(tree, node)) push(pairs, pair);
  }
  return pairs;
}

function push(pairs: Pair[], pair: Pair | undefined): void {
  if (pair !== undefined && pair.value !== "" && pair.label !== "") pairs.push(pair);
}

/** A `dt` and its `dd`, or a row of exactly two cells. Any other row has columns, whose heads are its labels. */
function cellPair(tree: HtmlTree, node: number): Pair | undefined {
  const next = nextElement(tree, node);
  if (next < 0 || (tree.tag[node] !== DT && !isFirst(tree, node))) return undefined;
  if (isLabelAgain(tree, node, next)) return undefined;
  if (tree.tag[node] !== DT && nextElement(tree, next) >= 0) return undefined;
  const label = textOf(tree, node, MAX_LABEL_LENGTH + 1).replace(/\s{0,9}[:：]$/u, "");
  if (label.length > MAX_LABEL_LENGTH) return undefined;
  return { label, value: textOf(tree, next, MAX_VALUE_LENGTH), node };
}

function isFirst(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node] ?? 0;
  for (let before = parent + 1; before < node; before = tree.end[before] ?? node) {
    if (tree.tag[before] !== TEXT) return false;
  }
  return true;
}

/** A term without a definition, or two column headings. */
function isLabelAgain(tree: HtmlTree, node: number, next: number): boolean {
  const tag = tree.tag[next];
  return tag === tree.tag[node] && (tag === DT || tag === TH);
}

/** Signs between several labels of one line. */
const BARS = /\s[|•·]\s/u;

/** `Label: value` in one text, once or several times between bars; the value of the last may follow the text. */
function labelledTexts(tree: HtmlTree, node: number): readonly Pair[] {
  if (tree.isBlank(node)) return [];
  const text = tree.text(node);
  if (text.length > MAX_VALUE_LENGTH || !/[:：]/u.test(text)) return [];
  const parts = text.split(BARS);
  return parts.flatMap((part, at): readonly Pair[] => {
    const match = LABELLED.exec(part);
    if (!match) return [];
    const [, label = "", inside = ""] = match;
    const value = inside.trim() || (at === parts.length - 1 ? valueAfter(tree, node) : "");
    return [{ label: label.replace(/\s+/g, " "), value: value.replace(/\s+/g, " ").trim(), node }];
  });
}

/** The text after a label, next to it or next to an ancestor that contains only the label. */
export function valueAfter(tree: HtmlTree, node: number): string {
  let at = node;
  for (let level = 0; level < 3; level++) {
    const parent = tree.parent[at] ?? 0;
    for (let next = tree.end[at] ?? 0; next < (tree.end[parent] ?? 0); next = tree.end[next] ?? tree.size) {
      if (isLabelAgain(tree, at, next)) return "";
      const text = textOf(tree, next, MAX_VALUE_LENGTH);
      if (text !== "") return text;
    }
    at = parent;
  }
  return "";
}

/** The next sibling element; -1 if there is none. */
function nextElement(tree: HtmlTree, node: number): number {
  const end = tree.end[tree.parent[node] ?? 0] ?? 0;
  for (let next = tree.end[node] ?? 0; next < end; next = tree.end[next] ?? end) {
    if (tree.tag[next] !== TEXT) return next;
  }
  return -1;
}

const MAX_ROW_NODES = 1000;

/** The pairs of a table that has a row of heads and one row of values. */
function headedRow(tree: HtmlTree, table: number): readonly Pair[] {
  const end = tree.end[table] ?? 0;
  const rows: number[] = [];
  for (let node = table + 1; node < end && rows.length < 3; node++) {
    if (tree.tag[node] === TABLE) return [];
    if (tree.tag[node] === ROW) rows.push(node);
  }
  const [heads, values] = rows;
  if (rows.length !== 2 || heads === undefined || values === undefined || end - table > MAX_ROW_NODES)
    return [];
  const labels = elementsOf(tree, heads);
  const cells = elementsOf(tree, values);
  if (labels.length < 2 || labels.length !== cells.length || labels.some((one) => tree.tag[one] !== TH))
    return [];
  return labels.flatMap((node, at): Pair[] => {
    const label = textOf(tree, node, MAX_LABEL_LENGTH + 1);
    const value = textOf(tree, cells[at] ?? 0, MAX_VALUE_LENGTH);
    return label.length > MAX_LABEL_LENGTH ? [] : [{ label, value, node }];
  });
}

function elementsOf(tree: HtmlTree, parent: number): readonly number[] {
  const end = tree.end[parent] ?? 0;
  const found: number[] = [];
  for (let node = parent + 1; node < end; node = tree.end[node] ?? end)
    if (tree.tag[node] !== TEXT) found.push(node);
  return found;
}
