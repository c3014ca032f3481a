import { type HtmlTree, TEXT, tagId } from "../../page-content/html/parser/tree.ts";
import { isHidden } from "../../page-content/markdown/hidden.ts";
import { layOut, FURNITURE, STRUCK, UNSEEN, type PageLayout } from "../product/page-layout.ts";
import { readPrice } from "../product/price.ts";
import { findPriceCandidates, type PriceCandidate } from "../product/price-candidates.ts";
import { UNREAD } from "../structured/text-of.ts";

const BREAK = tagId("br");
const MAX_PRICES = 600;
const MAX_LINE_LENGTH = 200;
/** An amount at the end of a line, alone or behind words. */
const LINE_END = /(?:^|[\s.·…_–—-])((?:[$€£¥₹]\s?|R\$\s?)?\d{1,3}(?:[.,]\d{1,2})?(?:\s?[$€£¥₹])?)\s*$/u;
/** An amount without a currency: cards often say none. */
const AMOUNT_ALONE = /^\s*\d{1,3}(?:[.,]\d{1,2})?\s*$/u;
const AMOUNT_BEHIND = /\s\d{1,3}[.,]\d{2}\s*$/u;
/** So many like each other are prices. */
const MANY_ALIKE = 5;

/** The places where a page shows the prices of a card. */
export function findMenuPrices(tree: HtmlTree): readonly PriceCandidate[] {
  const layout = layOut(tree, -1);
  const lines = linePrices(tree);
  const isSplit = new Set(lines.map(({ node }) => tree.parent[node]));
  const whole = findPriceCandidates(tree).filter(({ node }) => !isSplit.has(node));
  return inOrder([...whole, ...lines]).filter(({ node }) => isMenuPlace(layout, node));
}

/** Amounts without a currency, where many stand alike. Only of pages that call themselves a menu. */
export function findBarePrices(tree: HtmlTree): readonly PriceCandidate[] {
  const layout = layOut(tree, -1);
  const alike = new Map<string, PriceCandidate[]>();
  visitTexts(tree, (node, text) => {
    const isAlone = AMOUNT_ALONE.test(text);
    if (!isAlone && !AMOUNT_BEHIND.test(text)) return;
    const parent = tree.parent[node] ?? 0;
    const candidate = candidateOf(isAlone ? parent : node, text);
    const name = `${isAlone} ${tree.nameOf(parent)} ${tree.attribute(parent, "class") ?? ""}`;
    if (candidate) alike.set(name, [...(alike.get(name) ?? []), candidate]);
  });
  const series = [...alike.values()].filter((group) => group.length >= MANY_ALIKE && !countsOn(group));
  return inOrder(series.flat()).filter(({ node }) => isMenuPlace(layout, node));
}

/** Prices at the ends of lines that only breaks part. */
function linePrices(tree: HtmlTree): readonly PriceCandidate[] {
  const found: PriceCandidate[] = [];
  visitTexts(tree, (node, text) => {
    const parent = tree.parent[node] ?? 0;
    const end = tree.end[node] ?? 0;
    const isLine = end >= (tree.end[parent] ?? 0) || tree.tag[end] === BREAK;
    const amount = isLine && /\p{L}{2}/u.test(text) ? LINE_END.exec(text)?.[1] : undefined;
    if (amount === undefined || !/[$€£¥₹]/u.test(amount)) return;
    const candidate = holdsBreak(tree, parent) ? candidateOf(node, amount) : undefined;
    if (candidate) found.push(candidate);
  });
  const counts = new Map<number, number>();
  for (const { node } of found)
    counts.set(tree.parent[node] ?? 0, (counts.get(tree.parent[node] ?? 0) ?? 0) + 1);
  return found.filter(({ node }) => (counts.get(tree.parent[node] ?? 0) ?? 0) > 1);
}

function visitTexts(tree: HtmlTree, visit: (node: number, text: string) => void): void {
  let count = 0;
  for (let node = 1; node < tree.size && count < MAX_PRICES; node++) {
    if (UNREAD[tree.tag[node] ?? 0] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.tag[node] === TEXT) {
      const text = tree.text(node);
      if (text.length > MAX_LINE_LENGTH || !/\d\D{0,4}$/u.test(text)) continue;
      count += 1;
      visit(node, text);
    }
  }
}

function candidateOf(node: number, text: string): PriceCandidate | undefined {
  const written = LINE_END.exec(text)?.[1] ?? text.trim();
  const price = readPrice(written);
  if (!price || price.amount === 0) return undefined;
  return { node, price, text: written, hasCurrency: price.currency !== undefined };
}

function holdsBreak(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let child = node + 1; child < end; child = tree.end[child] ?? end)
    if (tree.tag[child] === BREAK) return true;
  return false;
}

/** Numbers of items, not prices. */
function countsOn(group: readonly PriceCandidate[]): boolean {
  const steps = group.slice(1).filter(({ price }, at) => price.amount === (group[at]?.price.amount ?? 0) + 1);
  return steps.length >= (group.length - 1) / 2;
}

function inOrder(candidates: readonly PriceCandidate[]): readonly PriceCandidate[] {
  return candidates.toSorted((a, b) => a.node - b.node);
}

function isMenuPlace({ tree, inside }: PageLayout, node: number): boolean {
  const bits = inside[node] ?? 0;
  if ((bits & STRUCK) !== 0) return false;
  if ((bits & UNSEEN) !== 0 && !isOpened(tree, node)) return false;
  return (bits & FURNITURE) === 0 || isCalledMenu(tree, node);
}

/** What is hidden until a reader opens it belongs to the card: tabs, folded parts. */
function isOpened(tree: HtmlTree, node: number): boolean {
  for (let at = node; at > 0; at = tree.parent[at] ?? 0) if (isHidden(tree, at)) return false;
  return true;
}

/** What is called a menu is furniture on other pages: here it may be what is looked for. */
function isCalledMenu(tree: HtmlTree, node: number): boolean {
  for (let at = node; at > 0; at = tree.parent[at] ?? 0) {
    const name = `${tree.attribute(at, "class") ?? ""} ${tree.attribute(at, "id") ?? ""}`;
    if (/menu/i.test(name) && !/nav|mega/i.test(name)) return true;
  }
  return false;
}
