import { NO_OFFER, type OfferFacts, type ProductFacts } from "./facts.ts";

/** What can be bought of a product: its variants where a source lists them, else the product itself. */
export function offersOf(facts: readonly ProductFacts[]): readonly OfferFacts[] {
  const listed = facts.find(({ offers }) => offers.length > 1)?.offers;
  return listed ?? siblingOffers(facts) ?? [singleOffer(facts)];
}

/** The offers of products of one name that a source lists one by one: the variants of one. */
function siblingOffers(facts: readonly ProductFacts[]): readonly OfferFacts[] | undefined {
  const [first] = facts;
  if (!first || first.source === "state" || first.source === "meta") return undefined;
  const siblings = facts.filter(({ source, title }) => source === first.source && title === first.title);
  const offers = siblings.map(({ offers: [offer = NO_OFFER], identifiers, images }) => ({
    ...offer,
    sku: identifiers[0]?.value ?? offer.sku,
    images: offer.images.length > 0 ? offer.images : images,
  }));
  const names = new Set(offers.map(({ sku }) => sku));
  return offers.length > 1 && names.size === offers.length && !names.has(undefined) ? offers : undefined;
}

/** The first priced offer of all sources, with the first thing that one of them says about stock. */
function singleOffer(facts: readonly ProductFacts[]): OfferFacts {
  const offers = facts.flatMap((one) => one.offers.slice(0, 1));
  const priced = offers.find(({ price }) => (price?.amount ?? 0) > 0) ?? offers[0] ?? NO_OFFER;
  return {
    ...priced,
    sku: undefined,
    inStock: offers.find(({ inStock }) => inStock !== undefined)?.inStock,
    originalPrice: offers.find(({ originalPrice }) => originalPrice !== undefined)?.originalPrice,
  };
}
