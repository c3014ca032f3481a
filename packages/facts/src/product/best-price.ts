import { currencyAt } from "./currencies.ts";
import type { Findings } from "./findings.ts";
import { FURNITURE, OTHER_PRODUCTS, type PageLayout, STRUCK } from "./page-layout.ts";
import type { Price } from "./price.ts";
import type { PriceCandidate } from "./price-candidates.ts";
import { isStruck, textOf } from "../structured/text-of.ts";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";

/** With a lower score, the visible price is not the product's; the price in the page's data is used. */
const SURE_PRICE = 0.35;
/** Minimum share of the highest score for a price outside cards to win over one inside. */
const OWN_SHARE = 0.4;
/** Maximum characters between a price and the one that it replaces. */
const BESIDE = 300;

/** `originalPrice` is the price before a discount. */
export interface BestPrice {
  readonly price: Price | undefined;
  readonly originalPrice: Price | undefined;
}

/** The visible price that the model picks, else the price in the page's data. */
export function bestPrice(findings: Findings): BestPrice {
  const shown = shownPrice(findings);
  const stated = statedPrices(findings);
  if (!shown) return { price: stated[0] && asShown(stated[0], findings), originalPrice: undefined };
  const currency = currencyOf(shown, stated, findings);
  const original = replacedPrice(shown, findings);
  return {
    price: { ...shown.price, currency },
    originalPrice: original && { ...original, currency },
  };
}

/**
 * Elements that show the price and the price that it replaces. For a price from data, the first element that
 * shows it.
 */
export function placesOfPrice(findings: Findings): readonly PriceCandidate[] {
  const { candidates } = findings.product;
  const shown = shownPrice(findings) ?? statedPlace(findings);
  if (!shown) return [];
  const original = replacedPrice(shown, findings);
  return original ? [candidates.find(({ price }) => price === original) ?? shown, shown] : [shown];
}

function statedPlace(findings: Findings): PriceCandidate | undefined {
  const { candidates, layout } = findings.product;
  const stated = statedPrices(findings);
  const ofOthers = OTHER_PRODUCTS | FURNITURE;
  return candidates.find(
    ({ node, price }) =>
      ((layout.inside[node] ?? 0) & ofOthers) === 0 && stated.some((one) => isSame(one, price)),
  );
}

/**
 * The candidate with the highest score. A price in another product's card gives way to a likely one outside
 * cards, an old price to the likeliest lower price next to it, and a unit or instalment price to the full
 * price next to it.
 */
function shownPrice({ product, scores }: Findings): PriceCandidate | undefined {
  const { candidates, layout, heading } = product;
  const ofCards = findCardPrices(layout.tree, candidates, heading.node);
  const scored = candidates.map((one, index) => ({ one, score: scores[index] ?? 0 })).toSorted(byScore);
  const isOwn = ({ one }: (typeof scored)[number]) => !ofCards.has(one);
  const [highest] = scored;
  const own = scored.find(isOwn);
  const first = own && own.score >= OWN_SHARE * (highest?.score ?? 0) ? own : highest;
  if (!first || first.score < SURE_PRICE) return undefined;
  const best = isPartPrice(first.one) ? wholePrice(first.one, { product, scores }) : first.one;
  const lower = scored.filter(
    ({ one }) =>
      one.price.amount < best.price.amount && isReplacedBy(best, one, layout) && !isOldPrice(one, layout),
  );
  return (lower.find(isOwn) ?? lower[0])?.one ?? best;
}

/** The best full price next to a partial price; the partial price itself if it stands alone. */
function wholePrice(
  part: PriceCandidate,
  { product: { candidates, layout }, scores }: Pick<Findings, "product" | "scores">,
): PriceCandidate {
  const isWhole = (one: PriceCandidate) =>
    (one.hasCurrency || !part.hasCurrency) &&
    ((layout.inside[one.node] ?? 0) & (OTHER_PRODUCTS | STRUCK)) === 0 &&
    !isPartPrice(one);
  const scored = candidates.map((one, index) => ({ one, score: scores[index] ?? 0 }));
  const beside = scored.filter(({ one }) => isBeside(one, part, layout) && isWhole(one));
  return beside.toSorted(byScore)[0]?.one ?? part;
}

function byScore(a: { readonly score: number }, b: { readonly score: number }): number {
  return b.score - a.score;
}

function isBeside(one: PriceCandidate, other: PriceCandidate, { offset }: PageLayout): boolean {
  return Math.abs((offset[one.node] ?? 0) - (offset[other.node] ?? 0)) < BESIDE;
}

/**
 * True for an old price and one that holds now. A name such as `old-price` says so only of a price with another one in its
 * box.
 */
function isReplacedBy(old: PriceCandidate, now: PriceCandidate, layout: PageLayout): boolean {
  if (isBeside(now, old, layout) && isOldPrice(old, layout)) return true;
  const { tree } = layout;
  const around = tree.parent[old.node] ?? 0;
  const called = [old.node, around].find((node) => isStruck(tree, node)) ?? 0;
  const box = tree.parent[called] ?? 0;
  return called > 0 && now.node > box && now.node < (tree.end[box] ?? 0);
}

/** A price from data with the page's formatting, if the page shows the same amount. */
export function asShown(price: Price, { product }: Findings): Price {
  if (price.formatted !== undefined) return price;
  const shown = product.candidates.find((candidate) => isSame(candidate.price, price));
  return { ...price, formatted: shown?.price.formatted };
}

export function isSame(one: Price, other: Price): boolean {
  return Math.abs(one.amount - other.amount) < 0.005;
}

function statedPrices({ product }: Findings): readonly Price[] {
  return product.own.facts.flatMap(({ offers }) =>
    offers.flatMap(({ price }) => (price && price.amount > 0 ? [price] : [])),
  );
}

/** The currency in the data; else the one next to the number, or next to all other prices. */
function currencyOf(
  shown: PriceCandidate,
  stated: readonly Price[],
  { product, evidence }: Findings,
): string | undefined {
  const any = stated.find(({ currency }) => currency !== undefined);
  const written = currencyAt(shown.text, evidence.meta("language") ?? "");
  const others = new Set(product.candidates.flatMap(({ price }) => price.currency ?? []));
  return any?.currency ?? written ?? (others.size === 1 ? [...others][0] : undefined);
}

/** The higher old price next to a price. */
function replacedPrice(shown: PriceCandidate, { product }: Findings): Price | undefined {
  const { candidates, layout } = product;
  return candidates.find((one) => one.price.amount > shown.price.amount && isReplacedBy(one, shown, layout))
    ?.price;
}

/** `/ kg`, `per 100 g`, `pro Monat`, `al mese`: marks a price for a unit instead of the whole product. */
const FOR_A_PART =
  /^\s{0,3}\)?\s{0,3}(?:\/|(?:per|pro|par|je|por|al|à la|na|za)\s)\s{0,3}(?:\d{1,4}(?:[.,]\d{1,2})?\s{0,2})?(?:mo(?:nth|nat|is)?|m[eê]se?s?|mes|mies\.?|měsíc|maand|kg|g|gr|lb|lbs|oz|l|ml|cl|lit(?:er|re|ro)|m|m²|m2|sq|unit|unité|stück|st|piece|pz|szt|week|day|year|an|anno|año|jahr)(?![\p{L}\d])|^\s{0,3}(?:monthly|monatlich|mensuel|mensili|mensuales|mensais)/iu;
/** `12 x`, `10x de`, `4 payments of`: marks an instalment. */
const ONE_OF_MANY =
  /(?<![\p{L}\d])\d{1,3}\s{0,3}(?:[x×]|(?:interest-free |easy |monthly |equal )*(?:payments?|instal?lments?)|raten|mensualit[ée]s|rate|cuotas|parcelas|termijnen)\s{0,3}(?:of|de|di|à|a|zu|von|van|je)?\s{0,3}$/iu;

/**
 * True for a price per unit of measure or month, or of one instalment. It may be lower or higher than the
 * product's price.
 */
function isPartPrice({ text, price }: PriceCandidate): boolean {
  const shown = price.formatted;
  const start = shown === undefined ? -1 : text.indexOf(shown);
  if (shown === undefined || start < 0) return false;
  return FOR_A_PART.test(text.slice(start + shown.length)) || ONE_OF_MANY.test(text.slice(0, start));
}

/** Words that introduce an old price, at the end of the text before it. */
const SAID_OLD =
  /(?<![\p{L}\d])(?:was|were|formerly|previously|originally|(?:regular|list|old|original|retail) price|reg\.?|rrp|msrp|srp|compare at|uvp|statt|vorher|zuvor|bisher|ehemals|alter preis|au lieu de|avant|prix (?:conseillé|barré)|ancien prix|antes|en lugar de|en vez de|precio (?:anterior|original)|pvpr|prima|invece di|anziché|prezzo (?:di listino|consigliato|precedente)|antes de|preço (?:anterior|original)|voorheen|adviesprijs|van|zamiast|poprzednia cena|istället för|ord\.? ?pris|tidigare|førpris|původně)\s{0,3}[:(]?\s{0,3}$/iu;
const MAX_TEXT_LENGTH = 160;
const MAX_BEFORE = 40;

/** True if a price is struck out or labelled as old. */
function isOldPrice(candidate: PriceCandidate, { tree, inside }: PageLayout): boolean {
  const { node, text, price } = candidate;
  if (((inside[node] ?? 0) & STRUCK) !== 0) return true;
  const start = price.formatted === undefined ? -1 : text.indexOf(price.formatted);
  if (start < 0) return false;
  const own = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (/[\p{L}\d]/u.test(own)) return SAID_OLD.test(own);
  const around = textOf(tree, tree.parent[node] ?? 0, MAX_TEXT_LENGTH);
  const at = around.indexOf(text);
  return SAID_OLD.test(around.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)));
}

/** Minimum number of similar neighbours, each with a link and a price, that are cards of other products. */
const MIN_CARDS = 3;
/** Maximum levels from a price up to its card. */
const LEVELS = 6;
const ANCHOR = tagSet("a");
const MAX_NODES = 400;

/**
 * Prices inside cards of other products, by structure and not by name.
 * @param heading - ancestors of the product's own heading are not cards; -1 for none
 */
function findCardPrices(
  tree: HtmlTree,
  candidates: readonly PriceCandidate[],
  heading: number,
): ReadonlySet<PriceCandidate> {
  const series = new Map<string, Map<number, PriceCandidate[]>>();
  for (const candidate of candidates) {
    let node = candidate.node;
    for (let level = 0; level < LEVELS && node > 0; level++, node = tree.parent[node] ?? 0) {
      const end = tree.end[node] ?? 0;
      if (end - node > MAX_NODES || (heading >= node && heading < end)) break;
      if (!hasLink(tree, node, end)) continue;
      const kind = `${tree.parent[node] ?? 0} ${tree.tag[node] ?? 0} ${tree.attribute(node, "class") ?? ""}`;
      const cards = series.get(kind) ?? new Map<number, PriceCandidate[]>();
      series.set(kind, cards.set(node, [...(cards.get(node) ?? []), candidate]));
    }
  }
  return new Set(
    [...series.values()]
      .filter(({ size }) => size >= MIN_CARDS)
      .flatMap((cards) => [...cards.values()].flat()),
  );
}

function hasLink(tree: HtmlTree, from: number, end: number): boolean {
  for (let node = from; node < end; node++) {
    if (ANCHOR[tree.tag[node] ?? 0] === 1 && /^(?!#|javascript:)./i.test(tree.attribute(node, "href") ?? ""))
      return true;
  }
  return false;
}
