import { lazy } from "@pergamon-dev/kit/lazy";
import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import type { Findings } from "./findings.ts";
import { asShown, type BestPrice, bestPrice, isSame } from "./best-price.ts";
import type { OfferFacts } from "./facts.ts";
import { indexOfHighest } from "./index-of-highest.ts";
import { offersOf } from "./offers.ts";
import { pictureWords } from "./picture-words.ts";
import type { Variant } from "./product.ts";
import { findSkuCandidates } from "./sku.ts";

/** An identifier with a lower score is left out. */
const SURE_SKU = 0.1;
const MAX_IMAGES = 50;

/** The ways in which a product can be bought; at least one. */
export function variantsOf(findings: Findings): readonly Variant[] {
  const offers = offersOf(findings.product.own.facts);
  const best = bestPrice(findings);
  const sku = skuOf(findings, offers);
  const { stock } = findings.product;
  const alts = lazy(() => pictureWords(findings.evidence.tree, findings.url));
  return offers.map((offer) => {
    const inStock = offer.inStock ?? stock.outText === undefined;
    // Shops write a price of nothing for what they do not have.
    const sold = inStock || offer.price?.amount !== 0 ? offer : { ...offer, price: undefined };
    return {
      id: offer.id ?? (sku === undefined || sku === offer.sku ? undefined : offer.sku),
      sku: sku ?? offer.sku,
      title: offer.title,
      values: offer.values,
      ...priceOf(sold, offers, { best, findings }),
      inStock,
      stockText: inStock ? stock.inText : stock.outText,
      images: imagesOf(offer, findings).map((url) => ({ url, alt: alts().get(url) })),
    };
  });
}

/**
 * What the shop calls the product, as the model sees it: variants have it in common and differ in their ids. Undefined
 * when it is the name of one variant, so that each keeps its own.
 */
function skuOf({ evidence, product, models }: Findings, offers: readonly OfferFacts[]): string | undefined {
  const candidates = findSkuCandidates(evidence, product);
  const scores = models.scoreSkus(candidates.map(({ row }) => row));
  const top = indexOfHighest(scores);
  if ((scores[top] ?? 0) < SURE_SKU) return undefined;
  const sku = candidates[top]?.value;
  return offers.length > 1 && offers.some((offer) => offer.sku === sku) ? undefined : sku;
}

/** Variants of one price cost what the page shows; others what their data states. */
function priceOf(
  offer: OfferFacts,
  offers: readonly OfferFacts[],
  { best, findings }: { readonly best: BestPrice; readonly findings: Findings },
): Pick<Variant, "price" | "originalPrice"> {
  const isOnePrice = new Set(offers.map(({ price }) => price?.amount)).size === 1;
  const price =
    (isOnePrice ? best.price : undefined) ?? (offer.price && asShown(offer.price, findings)) ?? best.price;
  const isBest = price && best.price && isSame(price, best.price);
  const original = offer.originalPrice ?? (isBest ? best.originalPrice : undefined);
  const isDiscounted = price && original && original.amount > price.amount;
  return { price, originalPrice: isDiscounted ? asShown(original, findings) : undefined };
}

/** Addresses of the variant's own pictures, else those of the product. */
function imagesOf(offer: OfferFacts, { product, url }: Findings): readonly string[] {
  const own =
    offer.images.length > 0
      ? offer.images
      : product.own.facts.find(({ images }) => images.length > 0)?.images;
  const addresses = (own ?? []).flatMap((address) => resolveUrl(address, url) ?? []);
  return [...new Set(addresses)].filter((address) => /^https?:/.test(address)).slice(0, MAX_IMAGES);
}
