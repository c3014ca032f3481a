import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";
import { FURNITURE, LINK, OTHER_PRODUCTS, type PageLayout, STRUCK, UNSEEN } from "./page-layout.ts";
import { namesOf, type PriceCandidate } from "./price-candidates.ts";

/** Nodes of the page's own product, as far as known; -1 if missing. */
interface Anchors {
  readonly heading: number;
  readonly buyButton: number;
}

/** Prices that sources state for the page's product, most reliable kind first: schema.org, head, state. */
export type StatedAmounts = readonly (readonly number[])[];

const LEVELS = 6;
const FAR = 20;
const GROUP_LEVELS = 4;
const GROUP_SIZE = 8;
const STRONG = tagSet("h1 h2 h3 h4 strong b");
const ROWS = tagSet("li tr");

const PRICE = /price|preis|prix|prezzo|precio|preco|cena|hind|pret/i;
const NOW =
  /(?<![a-z])(?:current|sale|now|final|our|actual|offer|special|deal|main|new|selling|promo|discounted|today|buy|value|amount)(?![a-z])|saleprice|finalprice|currentprice|newprice|buybox|priceblock|our_?price/i;
const OLD =
  /(?<![a-z])(?:old|was|list|msrp|rrp|uvp|regular|original|before|crossed|retail|compare|suggested|previous|high|max|base|lined?-?through|del|statt|strike|struck|prev)(?![a-z])|oldprice|listprice|wasprice|regularprice|originalprice|compareat|strike|streich/i;
const NOISE =
  /shipping|delivery|versand|spedizione|livraison|envio|month|installment|instalment|finanz|afterpay|klarna|sav(?:e|ing)|spar|coupon|points|deposit|trade|gift|membership|subscri|unit-?price|grundpreis|per-?unit|filter|range|slider|total|threshold|minimum|reward|credit|financ|warranty|protection|plan|discount|tax/i;
const NOISE_TEXT =
  /shipping|delivery|versand|lieferung|spedizione|livraison|env[ií]o|per month|\/\s?mo\b|monthly|instal?lment|afterpay|klarna|you save|save |sparen|spar |coupon|points|deposit|trade-in|gift|membership|subscribe|\/\s?(?:kg|100|l\b|ml|oz|lb)|per (?:kg|100|unit|litre)|orders? over|free |from |ab |reward|off\b|discount|[0-9]x |weekly|month|мес/i;
const OLD_TEXT =
  /(?:was|list price|rrp|msrp|uvp|regular price|originally|original price|statt|before|prix conseillé|prezzo consigliato|retail|old price|compare at|de:?)\s{0,3}:?\s{0,3}$/i;

/** One feature row per candidate, all of the same length. */
export function describeCandidates(
  layout: PageLayout,
  candidates: readonly PriceCandidate[],
  { anchors, stated }: { readonly anchors: Anchors; readonly stated: StatedAmounts },
): readonly (readonly number[])[] {
  const page = factsOf(layout, candidates, anchors);
  const groups = groupsOf(layout.tree, candidates);
  const rows: (readonly number[])[] = [];
  // NOTE: a function that ends with its page would lose its compiled code, here much of it.
  for (const [index, candidate] of candidates.entries()) {
    const row = [
      ...nameFeatures(layout, candidate),
      ...textFeatures(layout, candidate),
      ...placeFeatures(layout, candidate, anchors),
      ...setFeatures(page, candidate, index),
      ...groupFeatures(candidates, index, groups[index] ?? []),
    ];
    for (const amounts of stated) row.push(...statedFeatures(amounts, candidate.price.amount));
    rows.push(row);
  }
  return rows;
}

/** Facts about all candidates together. */
interface SetFacts {
  readonly size: number;
  readonly votes: ReadonlyMap<number, number>;
  /** Number of candidates with the same name; list prices share one. */
  readonly alike: ReadonlyMap<string, number>;
  readonly keys: readonly string[];
  /** Index of the first candidate after the heading. */
  readonly first: number;
  readonly highest: number;
}

function factsOf(
  { tree }: PageLayout,
  candidates: readonly PriceCandidate[],
  { heading }: Anchors,
): SetFacts {
  const keys = candidates.map(
    ({ node }) =>
      `${tree.attribute(node, "class") ?? ""}|${tree.attribute(tree.parent[node] ?? 0, "class") ?? ""}`,
  );
  const amounts = candidates.map(({ price }) => price.amount);
  return {
    size: candidates.length,
    votes: countsOf(amounts),
    alike: countsOf(keys),
    keys,
    first: candidates.findIndex(({ node }) => node > heading),
    highest: Math.max(1, ...amounts),
  };
}

function countsOf<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Levels up to the first ancestor with such a name; `LEVELS` if there is none. */
function nameFeatures({ tree }: PageLayout, { node }: PriceCandidate): readonly number[] {
  const names: string[] = [];
  for (let at = node, level = 0; level < LEVELS && at > 0; level++, at = tree.parent[at] ?? 0)
    names.push(namesOf(tree, at));
  const levelOf = (pattern: RegExp) => {
    const level = names.findIndex((name) => pattern.test(name));
    return level < 0 ? LEVELS : level;
  };
  const isItemprop = names.slice(0, 2).some((name) => /(?:^|\s)(?:price|lowPrice)(?:\s|$)/.test(name));
  return [levelOf(PRICE), levelOf(NOW), levelOf(OLD), levelOf(NOISE), isItemprop ? 1 : 0];
}

function textFeatures(
  { tree }: PageLayout,
  { node, text, price, hasCurrency }: PriceCandidate,
): readonly number[] {
  const shown = price.formatted?.length ?? 0;
  const around = textOf(tree, tree.parent[node] ?? 0, 160);
  const before = around.slice(Math.max(0, around.indexOf(text) - 40), Math.max(0, around.indexOf(text)));
  const wider = textOf(tree, tree.parent[tree.parent[node] ?? 0] ?? 0, 120);
  return [
    hasCurrency ? 1 : 0,
    Math.log2(1 + Math.max(0, text.length - shown)),
    /^[-–+(]/.test(text) ? 1 : 0,
    NOISE_TEXT.test(text) ? 2 : NOISE_TEXT.test(around) ? 1 : 0,
    OLD_TEXT.test(before) ||
    OLD_TEXT.test(text.slice(0, Math.max(0, text.search(/\d/) - 1)).replace(/[^\p{L}: ]/gu, ""))
      ? 1
      : 0,
    text.match(/\d[\d.,]*/g)?.length ?? 0,
    NOISE_TEXT.test(wider) ? 1 : 0,
    Number.isInteger(price.amount) ? 1 : 0,
    Math.log2(1 + around.length),
  ];
}

function placeFeatures(
  layout: PageLayout,
  { node }: PriceCandidate,
  { heading, buyButton }: Anchors,
): readonly number[] {
  const { tree, inside, offset } = layout;
  const bits = inside[node] ?? 0;
  const flags = [STRUCK, UNSEEN, OTHER_PRODUCTS, FURNITURE, LINK].map((bit) => ((bits & bit) === 0 ? 0 : 1));
  return [
    ...flags,
    ...distances(layout, node, heading),
    ...distances(layout, node, buyButton),
    hasAround(tree, node, STRONG, 2) ? 1 : 0,
    hasAround(tree, node, ROWS, 8) ? 1 : 0,
    (offset[node] ?? 0) / Math.max(1, offset.at(-1) ?? 1),
  ];
}

/** Characters from an anchor to a node, and levels from either up to their common ancestor. */
function distances({ tree, offset }: PageLayout, node: number, anchor: number): readonly number[] {
  if (anchor < 0) return [0, FAR, FAR];
  const characters = (offset[node] ?? 0) - (offset[anchor] ?? 0);
  return [
    Math.sign(characters) * Math.log2(1 + Math.abs(characters)),
    levelsUp(tree, node, anchor),
    levelsUp(tree, anchor, node),
  ];
}

/** Levels from a node up to the first ancestor that also contains the other node. */
function levelsUp(tree: HtmlTree, node: number, other: number): number {
  let level = 0;
  for (let at = node; at > 0; at = tree.parent[at] ?? 0, level++) {
    if (at <= other && other < (tree.end[at] ?? 0)) break;
  }
  return Math.min(FAR, level);
}

function hasAround(tree: HtmlTree, node: number, tags: Uint8Array, levels: number): boolean {
  let at = node;
  for (let level = 0; level < levels && at > 0; level++, at = tree.parent[at] ?? 0) {
    if (tags[tree.tag[at] ?? 0] === 1) return true;
  }
  return false;
}

function setFeatures(page: SetFacts, { price }: PriceCandidate, index: number): readonly number[] {
  const rank = page.first < 0 ? FAR : index - page.first;
  return [
    Math.log2(1 + page.size),
    Math.log2(page.votes.get(price.amount) ?? 1),
    Math.log2(page.alike.get(page.keys[index] ?? "") ?? 1),
    Math.max(-FAR, Math.min(FAR, rank)),
    index / page.size,
    price.amount / page.highest,
    Math.log2(1 + price.amount),
  ];
}

/** For each candidate, the indices of candidates shown with it, such as an old price. */
function groupsOf(tree: HtmlTree, candidates: readonly PriceCandidate[]): readonly (readonly number[])[] {
  return Array.from(candidates.keys(), (index) => groupOf(tree, candidates, index));
}

function groupOf(tree: HtmlTree, candidates: readonly PriceCandidate[], index: number): readonly number[] {
  const candidate = candidates[index];
  let around = candidate?.node ?? 0;
  for (let level = 0; level < GROUP_LEVELS && around > 0; level++) {
    around = tree.parent[around] ?? 0;
    const group = between(candidates, index, around, tree.end[around] ?? 0);
    for (const other of group) if (candidates[other]?.price.amount !== candidate?.price.amount) return group;
  }
  return [index];
}

/** The nearby candidates whose elements lie in a range of the tree. */
function between(
  candidates: readonly PriceCandidate[],
  index: number,
  start: number,
  end: number,
): readonly number[] {
  const group: number[] = [];
  const last = Math.min(candidates.length, index + GROUP_SIZE);
  for (let at = Math.max(0, index - GROUP_SIZE); at < last; at++) {
    const { node } = candidates[at] ?? { node: -1 };
    if (node >= start && node < end) group.push(at);
  }
  return group;
}

/** Whether a candidate is the lowest, highest or first of its group, and by how much. */
function groupFeatures(
  candidates: readonly PriceCandidate[],
  index: number,
  group: readonly number[],
): readonly number[] {
  const amounts = group.map((at) => candidates[at]?.price.amount ?? 0);
  const amount = candidates[index]?.price.amount ?? 0;
  const lowest = Math.min(...amounts);
  const highest = Math.max(...amounts);
  return [
    group.length,
    new Set(amounts).size,
    amount === lowest ? 1 : 0,
    amount === highest ? 1 : 0,
    lowest / Math.max(highest, 0.01),
    group.indexOf(index),
  ];
}

/** 1 if the source states this amount, -1 if it states only others, 0 if it states none. */
function statedFeatures(amounts: readonly number[], amount: number): readonly number[] {
  return [amounts.some((stated) => Math.abs(stated - amount) < 0.005) ? 1 : amounts.length > 0 ? -1 : 0];
}
