import { lazy } from "@pergamon-dev/kit/lazy";
import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import type { Findings } from "./findings.ts";
import { asShown, type BestPrice, bestPrice, isSame } from "./best-price.ts";
import { type Identifier, NO_OFFER, type OfferFacts, type ProductFacts } from "./facts.ts";
import type { Variant } from "./product.ts";
import { imageSource } from "@pergamon-dev/html/selection/image-source";
import { type HtmlTree, tagId } from "@pergamon-dev/html/parser/tree";
import { UrlBase } from "@pergamon-dev/html/selection/url-base";
import type { Evidence } from "../structured/evidence.ts";
import { countStated } from "./address-identifier.ts";
import { shownIdentifiers } from "./labelled-identifiers.ts";
import type { ProductEvidence } from "./product-evidence.ts";

/** Minimum score of an identifier. */
const SURE_SKU = 0.1;
const MAX_IMAGES = 50;

/** The variants of a product; at least one. */
export function variantsOf(findings: Findings): readonly Variant[] {
  const offers = offersOf(findings.product.own.facts);
  const best = bestPrice(findings);
  const sku = skuOf(findings, offers);
  const { stock } = findings.product;
  const alts = lazy(() => pictureWords(findings.evidence.tree, findings.url));
  return offers.map((offer) => {
    const inStock = offer.inStock ?? stock.outText === undefined;
    // Shops state a price of 0 for items that they do not have.
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
 * The shop's identifier of the product according to the model. Variants share it and differ in their ids.
 * Undefined if it names a single variant, so that each keeps its own.
 */
function skuOf({ evidence, product, models }: Findings, offers: readonly OfferFacts[]): string | undefined {
  const candidates = findSkuCandidates(evidence, product);
  const scores = models.scoreSkus(candidates.map(({ row }) => row));
  const top = indexOfHighest(scores);
  if ((scores[top] ?? 0) < SURE_SKU) return undefined;
  const sku = candidates[top]?.value;
  return offers.length > 1 && offers.some((offer) => offer.sku === sku) ? undefined : sku;
}

/** If all variants have one price, it is the one that the page shows, else each has the price in its data. */
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

/** URLs of the variant's pictures, else of the product's. */
function imagesOf(offer: OfferFacts, { product, url }: Findings): readonly string[] {
  const own =
    offer.images.length > 0
      ? offer.images
      : product.own.facts.find(({ images }) => images.length > 0)?.images;
  const addresses = (own ?? []).flatMap((address) => resolveUrl(address, url) ?? []);
  return [...new Set(addresses)].filter((address) => /^https?:/.test(address)).slice(0, MAX_IMAGES);
}

/** Index of the highest score, the first on a tie; -1 if there is none. */
function indexOfHighest(scores: readonly number[]): number {
  return scores.reduce((top, score, at) => (score > (scores[top] ?? -Infinity) ? at : top), -1);
}

const IMG = tagId("img");
/** Maximum characters of an alternative text. */
const MAX_CHARACTERS = 500;

/** Absolute picture URL → alternative text. */
function pictureWords(tree: HtmlTree, pageUrl: string): ReadonlyMap<string, string> {
  const base = new UrlBase(pageUrl);
  const words = new Map<string, string>();
  for (let node = tree.tag.indexOf(IMG); node >= 0; node = tree.tag.indexOf(IMG, node + 1)) {
    const alt = tree.attribute(node, "alt")?.trim() ?? "";
    if (alt === "" || alt.length > MAX_CHARACTERS) continue;
    for (const source of [tree.attribute(node, "src"), imageSource(tree, node)]) {
      const address = source === undefined ? undefined : base.resolve(source);
      if (address !== undefined && !words.has(address)) words.set(address, alt);
    }
  }
  return words;
}

/** The variants if a source lists them, else the product itself. */
function offersOf(facts: readonly ProductFacts[]): readonly OfferFacts[] {
  const listed = facts.find(({ offers }) => offers.length > 1)?.offers;
  return listed ?? siblingOffers(facts) ?? [singleOffer(facts)];
}

/** Offers of separately listed products with the same name, which are variants of one product. */
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

/** The first priced offer of all sources, with the first stock state that any of them has. */
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

/** A possible identifier of the product. */
interface SkuCandidate {
  readonly value: string;
  /** Feature row for the model. */
  readonly row: readonly number[];
}

/** Who states an identifier. */
type Stating = Identifier["kind"] | "shop" | "maker" | "everybody" | "address";

const STATING: readonly Stating[] = [
  "sku",
  "productId",
  "mpn",
  "gtin",
  "offer",
  "state",
  "meta",
  "shop",
  "maker",
  "everybody",
  "address",
];
const FAR = 20;
const MAX_LENGTH = 40;

interface Statement {
  readonly by: Stating;
  readonly value: string;
  /** Element that shows it; -1 if it is not shown. */
  readonly node: number;
}

/** All possible identifiers of the shop's product, without duplicates. */
export function findSkuCandidates(evidence: Evidence, product: ProductEvidence): readonly SkuCandidate[] {
  const statements = statementsOf(evidence, product);
  const byValue = new Map<string, Statement[]>();
  for (const statement of statements) {
    const key = folded(statement.value);
    if (key !== "") byValue.set(key, [...(byValue.get(key) ?? []), statement]);
  }
  const present = STATING.map((by) => (statements.some((one) => one.by === by) ? 1 : 0));
  return [...byValue.values()].map((group) => ({
    value: group[0]?.value ?? "",
    row: [...describe(group, { evidence, product }), ...present],
  }));
}

function statementsOf(evidence: Evidence, { own, identifiers }: ProductEvidence): readonly Statement[] {
  const stated = own.facts.flatMap((facts) =>
    facts.identifiers.map(({ kind, value }) => ({ by: kind, value: plainIdentifier(value), node: -1 })),
  );
  const labelled = shownIdentifiers(evidence, stated.length > 0).map(({ giver, value, node }) => ({
    by: giver,
    value,
    node,
  }));
  const address = identifiers.map(({ value }) => ({ by: "address" as const, value, node: -1 }));
  return [...stated, ...labelled, ...address].filter(({ value }) => value.length <= MAX_LENGTH);
}

/** Shops append the product's name to its number. */
function plainIdentifier(value: string): string {
  const [first = value] = value.split(" ");
  return /\d/.test(first) ? first : value;
}

/** Identifiers are compared without case and separators. */
function folded(value: string): string {
  return value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function describe(
  group: readonly Statement[],
  { evidence, product }: { readonly evidence: Evidence; readonly product: ProductEvidence },
): readonly number[] {
  const { layout, heading, page } = product;
  const value = group[0]?.value ?? "";
  const node = group.find((one) => one.node >= 0)?.node ?? -1;
  const distance =
    node < 0 ? 0 : (layout.offset[node] ?? 0) - (layout.offset[Math.max(0, heading.node)] ?? 0);
  const digits = value.replace(/\D/g, "").length;
  return [
    ...STATING.map((by) => (group.some((one) => one.by === by) ? 1 : 0)),
    new Set(group.map(({ by }) => by)).size,
    Math.log2(1 + countStated(evidence.source(), value)),
    node < 0 ? FAR : Math.sign(distance) * Math.log2(1 + Math.abs(distance)),
    value.length,
    digits / Math.max(1, value.length),
    /[-_/.]/.test(value) ? 1 : 0,
    page.addresses.some((address) => address.includes(value.toLowerCase())) ? 1 : 0,
  ];
}
