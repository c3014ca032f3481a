import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { STRUCK } from "../product/page-layout.ts";
import { isAllBold } from "../structured/all-bold.ts";
import { isStruck, textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import { listTexts } from "./list-texts.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import { labelWords } from "./words.ts";

/** What a price that is struck out is called. */
const ORIGINAL = labelWords("original price");
const NAMED = new AttributeNames("class id data-testid data-test data-qa itemprop data-field");
const HEADINGS = tagSet("h2 h3 h4 h5 h6 dt summary legend caption");
const LISTS = tagSet("ul ol dl");
const PARAGRAPHS = tagSet("p div");
const ANCHORS = tagSet("a");

const MAX_NAMED_LENGTH = 300;
const MAX_BELOW_LENGTH = 2000;
const MAX_NAMED = 4000;
const MAX_NAMES = 6;
const MAX_HEADINGS = 500;

/** Values next to visible labels. */
export function pairCandidates(parts: PageParts): readonly Candidate[] {
  return parts.evidence.pairs().map(({ label, value, node }) => ({
    label: labelWords(label),
    values: [value.replace(/^\s*[:：]\s*/u, "")],
    foundBy: "label",
    weight: 0.86 * weightOfPlace(parts, node),
    node,
  }));
}

/** Values next to labels in elements of their own, or before a dash. */
export function labelCandidates(parts: PageParts): readonly Candidate[] {
  return parts.evidence.setOffLabels().flatMap(({ label, value, node }): readonly Candidate[] => {
    const weight = 0.84 * weightOfPlace(parts, node);
    return weight > 0 ? [{ label: labelWords(label), values: [value], foundBy: "label", weight, node }] : [];
  });
}

/** Content below headings: a list, or the text of the next element. */
export function headedCandidates(parts: PageParts): readonly Candidate[] {
  const { tree } = parts;
  const found: Candidate[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_HEADINGS; node++) {
    if (!headsSomething(tree, node)) continue;
    const label = textOf(tree, node, 80);
    const next = nextElement(tree, node);
    if (label === "" || label.length > 60 || next < 0 || headsSomething(tree, next)) continue;
    const listed =
      LISTS[tree.tag[next] ?? 0] === 1 ? listTexts(tree, next) : listTexts(tree, firstList(tree, next));
    const values = listed.length > 0 ? listed : [textOf(tree, next, MAX_BELOW_LENGTH)];
    const weight = 0.7 * weightOfPlace(parts, node);
    if (values[0] !== "" && weight > 0)
      found.push({ label: labelWords(label), values, foundBy: "label", weight, node: next });
  }
  return found;
}

/** True for a heading, a term, or a paragraph that is all bold. */
function headsSomething(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node] ?? 0;
  return HEADINGS[tag] === 1 || (PARAGRAPHS[tag] === 1 && isAllBold(tree, node));
}

function firstList(tree: HtmlTree, node: number): number {
  for (let inner = node; inner < (tree.end[node] ?? 0); inner++) {
    if (LISTS[tree.tag[inner] ?? 0] === 1) return inner;
  }
  return -1;
}

/** The next sibling of the node, or of an ancestor that holds nothing else; text counts where it follows directly. */
function nextElement(tree: HtmlTree, node: number): number {
  let at = node;
  for (let level = 0; level < 3; level++) {
    const parent = tree.parent[at] ?? 0;
    for (let next = tree.end[at] ?? 0; next < (tree.end[parent] ?? 0); next = tree.end[next] ?? tree.size) {
      if (tree.tag[next] !== TEXT || !tree.isBlank(next)) return next;
    }
    at = parent;
  }
  return -1;
}

/** Short texts in elements whose class or name says what they are. */
export function namedCandidates(parts: PageParts, from = 1, to = parts.tree.size): readonly Candidate[] {
  const { tree } = parts;
  const found: Candidate[] = [];
  for (let node = from; node < to && found.length < MAX_NAMED; node++) {
    if (tree.tag[node] === TEXT || !tree.mayHave(node, NAMED)) continue;
    const text = valueAt(tree, node);
    const weight = text === "" || text.length > MAX_NAMED_LENGTH ? 0 : 0.62 * weightOfPlace(parts, node);
    if (weight === 0) continue;
    const isOld = ((parts.layout.inside[node] ?? 0) & STRUCK) !== 0 || isStruck(tree, node);
    for (const name of namesAt(tree, node))
      found.push({
        label: isOld ? ORIGINAL : labelOf(tree, name),
        values: [text],
        foundBy: "name",
        weight,
        node,
      });
  }
  return found;
}

const labels = new WeakMap<HtmlTree, Map<string, readonly string[]>>();

/** The elements of a page have few different names. */
function labelOf(tree: HtmlTree, name: string): readonly string[] {
  const known = labels.get(tree) ?? new Map<string, readonly string[]>();
  labels.set(tree, known);
  const label = known.get(name) ?? labelWords(name);
  known.set(name, label);
  return label;
}

function valueAt(tree: HtmlTree, node: number): string {
  return (
    tree.attribute(node, "content") ??
    tree.attribute(node, "datetime") ??
    textOf(tree, node, MAX_NAMED_LENGTH + 1)
  );
}

function namesAt(tree: HtmlTree, node: number): readonly string[] {
  const names = NAMES.flatMap((name) => tree.attribute(node, name)?.split(/\s+/) ?? []);
  return [...new Set(names.filter((name) => name.length > 2 && name.length < 50))]
    .slice(0, MAX_NAMES)
    .map(withoutBlock);
}

const NAMES = ["itemprop", "data-field", "class", "id", "data-testid", "data-test", "data-qa"] as const;

/** `product-card__price--sale` becomes `price`. */
function withoutBlock(name: string): string {
  return name.replace(/^.*__/, "").replace(/--.*$/, "");
}

/** Mail addresses and telephone numbers from links. */
export function contactCandidates(parts: PageParts): readonly Candidate[] {
  const { tree } = parts;
  const found: Candidate[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_HEADINGS; node++) {
    if (ANCHORS[tree.tag[node] ?? 0] !== 1) continue;
    const [, scheme = "", target = ""] =
      /^(mailto|tel):([^?]{3,100})/i.exec(tree.attribute(node, "href") ?? "") ?? [];
    if (scheme === "") continue;
    const concept = scheme.toLowerCase() === "mailto" ? ("email" as const) : ("phone" as const);
    const shown = textOf(tree, node, 60);
    const value = concept === "phone" && /\d{3}/.test(shown) ? shown : decoded(target);
    found.push({ label: [concept], concept, values: [value], foundBy: "link", weight: 0.9, node });
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
