import { currencyAt } from "./currencies.ts";
import type { Findings } from "./findings.ts";
import { indexOfHighest } from "./index-of-highest.ts";
import { FURNITURE, OTHER_PRODUCTS, type PageLayout, STRUCK } from "./page-layout.ts";
import { isPartPrice } from "./part-price.ts";
import type { Price } from "./price.ts";
import type { PriceCandidate } from "./price-candidates.ts";

/** A candidate with a lower score is not taken for the product's price: what the page's data states is. */
const SURE_PRICE = 0.35;
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
 * The place with the highest score. One that is struck out gives way to the lower price next to it, one of a unit or of a
 * payment to the whole price next to it.
 */
function shownPrice({ product, scores }: Findings): PriceCandidate | undefined {
  const { candidates, layout } = product;
  const top = indexOfHighest(scores);
  const first = candidates[top];
  if (!first || (scores[top] ?? 0) < SURE_PRICE) return undefined;
  const best = isPartPrice(first) ? wholePrice(first, { product, scores }) : first;
  const isStruck = ({ node }: PriceCandidate) => ((layout.inside[node] ?? 0) & STRUCK) !== 0;
  const instead = candidates.find(
    (one) => !isStruck(one) && one.price.amount < best.price.amount && isBeside(one, best, layout),
  );
  return isStruck(best) ? (instead ?? best) : best;
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

/** The higher price that is struck out next to a price. */
function replacedPrice(shown: PriceCandidate, { product }: Findings): Price | undefined {
  const { candidates, layout } = product;
  return candidates.find(
    (one) =>
      ((layout.inside[one.node] ?? 0) & STRUCK) !== 0 &&
      one.price.amount > shown.price.amount &&
      isBeside(one, shown, layout),
  )?.price;
}
