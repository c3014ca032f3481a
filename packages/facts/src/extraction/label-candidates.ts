import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { holdsText } from "@pergamon-dev/html/selection/text";
import { textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import { labelWords } from "./words.ts";

/** Elements that may be a label. */
const LABELS = tagSet("b strong em i span small label th dt h3 h4 h5 h6 div p");
/** Emphasised elements. The text that follows belongs to them. */
const SET_OFF = tagSet("b strong label");
/** A value ends before these elements, as they begin the next label or block. */
const ENDS = tagSet("b strong label p div li dt dd h1 h2 h3 h4 h5 h6 ul ol dl table section article");
const PARAGRAPHS = tagSet("p li td div dd article section figure");

const MAX_LABEL_LENGTH = 40;
const MAX_VALUE_LENGTH = 300;
const MAX_CANDIDATES = 1500;
/** Maximum nodes before a label, such as those of icons. */
const MAX_NODES_BEFORE = 8;

/**
 * Labels in separate elements: before a value that begins with a colon, in bold at the start of a line, or as
 * the first of two elements that stand alone together.
 */
export function labelCandidates(parts: PageParts): readonly Candidate[] {
  const { tree } = parts;
  const found: Candidate[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_CANDIDATES; node++) {
    if (LABELS[tree.tag[node] ?? 0] !== 1) continue;
    const label = textOf(tree, node, MAX_LABEL_LENGTH + 1);
    if (label === "" || label.length > MAX_LABEL_LENGTH || !/\p{L}/u.test(label)) continue;
    const value = valueBeside(tree, node, label);
    const weight = value === "" ? 0 : 0.84 * weightOfPlace(parts, node);
    if (weight > 0) found.push({ label: labelWords(label), values: [value], weight, node });
  }
  return found;
}

function valueBeside(tree: HtmlTree, node: number, label: string): string {
  const rest = restOf(tree, node);
  if (/^\s*[:：]\s*\S/u.test(rest)) return rest.replace(/^\s*[:：]\s*/u, "");
  const parent = tree.parent[node] ?? 0;
  const isFirst = isFirstWords(tree, parent, node);
  const isAlone = PARAGRAPHS[tree.tag[parent] ?? 0] === 1 && isFirst;
  if (!isAlone || rest === "") return "";
  if (SET_OFF[tree.tag[node] ?? 0] === 1 || /[:：]$/u.test(label)) return rest;
  return elementsIn(tree, parent) === 2 && rest.length < MAX_VALUE_LENGTH / 2 ? rest : "";
}

/** True if no words precede the element in its parent. Icons have no words. */
function isFirstWords(tree: HtmlTree, parent: number, node: number): boolean {
  if (node - parent > MAX_NODES_BEFORE) return false;
  for (let before = parent + 1; before < node; before++)
    if (tree.tag[before] === TEXT && !tree.isBlank(before)) return false;
  return true;
}

/** The text after an element within its parent. */
function restOf(tree: HtmlTree, node: number): string {
  const parent = tree.parent[node] ?? 0;
  const end = tree.end[parent] ?? 0;
  let rest = "";
  for (
    let next = tree.end[node] ?? end;
    next < end && rest.length < MAX_VALUE_LENGTH;
    next = tree.end[next] ?? end
  ) {
    const isNextLine = rest.trim() !== "" && ENDS[tree.tag[next] ?? 0] === 1;
    if (isNextLine || tree.nameOf(next) === "br") break;
    rest += `${tree.tag[next] === TEXT ? "" : " "}${textOf(tree, next, MAX_VALUE_LENGTH)}`;
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
