import { findCardPrices } from "./card-prices.ts";
import { currencyAt } from "./currencies.ts";
import type { Findings } from "./findings.ts";
import { FURNITURE, OTHER_PRODUCTS, type PageLayout, STRUCK } from "./page-layout.ts";
import { isOldPrice } from "./old-price.ts";
import { isPartPrice } from "./part-price.ts";
import type { Price } from "./price.ts";
import type { PriceCandidate } from "./price-candidates.ts";

/** A candidate with a lower score is not taken for the product's price: what the page's data states is. */
const SURE_PRICE = 0.35;
/** Of the highest score, what a price outside of cards must have to be taken instead of one inside. */
const OWN_SHARE = 0.4;
/** Characters between a price and the one that it replaces. */
const BESIDE = 300;

/** What a product costs, and what it cost before a discount. */
export interface BestPrice {
  readonly price: Price | undefined;
  readonly originalPrice: Price | undefined;
}

/** The price that the page shows, as the model sees it; else the one that its data states. */
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

/** Where the page shows the price and the one that it replaces; a stated price at the first place that shows it. */
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
 * The place with the highest score; one in a card of another product gives way to one outside of cards, if that is
 * likely enough. A price of before gives way to the likeliest lower price next to it, one of a unit or of a payment to
 * the whole price next to it.
 */
function shownPrice({ product, scores }: Findings): PriceCandidate | undefined {
  const { candidates, layout, heading } = product;
  const ofCards = findCardPrices(layout.tree, candidates, heading.node);
  const scored = candidates
    .map((one, index) => ({ one, score: scores[index] ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
  const isOwn = ({ one }: (typeof scored)[number]) => !ofCards.has(one);
  const [highest] = scored;
  const own = scored.find(isOwn);
  const first = own && own.score >= OWN_SHARE * (highest?.score ?? 0) ? own : highest;
  if (!first || first.score < SURE_PRICE) return undefined;
  const best = isPartPrice(first.one) ? wholePrice(first.one, { product, scores }) : first.one;
  if (!isOldPrice(best, layout)) return best;
  const lower = scored.filter(
    ({ one }) =>
      one.price.amount < best.price.amount && isBeside(one, best, layout) && !isOldPrice(one, layout),
  );
  return (lower.find(isOwn) ?? lower[0])?.one ?? best;
}

/** The place with the highest score among those next to a price of a part; that one itself if it is the only one. */
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
  return beside.toSorted((a, b) => b.score - a.score)[0]?.one ?? part;
}

function isBeside(one: PriceCandidate, other: PriceCandidate, { offset }: PageLayout): boolean {
  return Math.abs((offset[one.node] ?? 0) - (offset[other.node] ?? 0)) < BESIDE;
}

/** A stated price in the words of the page, where it shows the same amount. */
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

/** The currency that data states; else the one next to the number, or next to all others. */
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

/** The higher price of before next to a price. */
function replacedPrice(shown: PriceCandidate, { product }: Findings): Price | undefined {
  const { candidates, layout } = product;
  return candidates.find(
    (one) => one.price.amount > shown.price.amount && isBeside(one, shown, layout) && isOldPrice(one, layout),
  )?.price;
}
