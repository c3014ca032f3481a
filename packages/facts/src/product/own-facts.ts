import type { Evidence } from "../structured/evidence.ts";
import { NO_OFFER, type ProductFacts } from "./facts.ts";
import { schemaProducts } from "./schema-product.ts";
import { similarity } from "./similarity.ts";
import { stateProducts } from "./state-product.ts";
import { readDataPrice } from "./price.ts";
import { stockOf } from "./stock.ts";

/** Names and URLs of the page itself. */
export interface PageName {
  /** Heading and titles, without empty ones. */
  readonly names: readonly string[];
  /** URLs without scheme, query and trailing slashes. */
  readonly addresses: readonly string[];
}

/** Facts about the page's own product. */
export interface OwnFacts {
  /** Most reliable first; all of the same product. */
  readonly facts: readonly ProductFacts[];
  /** Number of products with different names that the page describes. */
  readonly described: number;
}

const SAME_PRODUCT = 0.8;
/**
 * Number of described products above which the page's own must match the page's name, and the required
 * similarity.
 */
const FEW = 1;
const MANY = 4;
const LIKE_THE_PAGE = 0.7;
const JUST_LIKE_THE_PAGE = 0.9;
const MAX_STATES = 3;

/** Collects what the sources say about the page's own product, without other products. */
export function findOwnFacts(evidence: Evidence, page: PageName): OwnFacts {
  const described = schemaProducts(evidence.items());
  const names = new Set(described.flatMap(({ title }) => title ?? []));
  const main = mainOf(described, names.size, page);
  const own = main ? described.filter((facts) => isSame(facts, main)) : namelessOf(described);
  const states = stateProducts(
    evidence.states(),
    main?.title === undefined ? page.names.slice(0, 2) : [main.title],
  );
  return {
    facts: [...own, ...states.slice(0, MAX_STATES), ...metaProduct(evidence)],
    described: names.size,
  };
}

/** The described product that is the page's own, if any. */
function mainOf(described: readonly ProductFacts[], names: number, page: PageName): ProductFacts | undefined {
  const [best] = described
    .filter(({ title }) => title !== undefined)
    .map((facts) => ({ facts, score: belonging(facts, page) }))
    .sort((a, b) => b.score - a.score);
  if (!best) return undefined;
  if (names > FEW && best.score < LIKE_THE_PAGE) return undefined;
  return names > MANY && best.score < JUST_LIKE_THE_PAGE ? undefined : best.facts;
}

/** Likelihood score that the product is the page's own, 0 to 1.55. */
function belonging({ title = "", url, offers }: ProductFacts, page: PageName): number {
  const likeness = Math.max(0, ...page.names.map((name) => similarity(title, name)));
  const isHere = url !== undefined && page.addresses.includes(plainAddress(url));
  return likeness + (isHere ? 0.5 : 0) + (offers.some(({ price }) => price) ? 0.05 : 0);
}

function isSame(facts: ProductFacts, main: ProductFacts): boolean {
  return (
    facts === main || facts.title === undefined || similarity(facts.title, main.title ?? "") > SAME_PRODUCT
  );
}

/** A single product without a name must be the page's own. */
function namelessOf(described: readonly ProductFacts[]): readonly ProductFacts[] {
  const [only] = described;
  return described.length === 1 && only?.title === undefined && only ? [only] : [];
}

/** A URL without scheme, `www.`, query, fragment and trailing slash, in lower case. */
export function plainAddress(url: string): string {
  return url
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/** A product from the page's meta tags, only if they have a price. */
function metaProduct({ meta }: Evidence): readonly ProductFacts[] {
  const amount =
    meta("product:price:amount", "og:price:amount", "product:sale_price:amount", "product:price") ??
    labelledPrice(meta);
  const price = readDataPrice(amount);
  if (!price) return [];
  const currency = meta("product:price:currency", "og:price:currency", "product:sale_price:currency");
  const image = meta("og:image");
  const sku = meta("product:retailer_item_id", "product:sku");
  return [
    {
      source: "meta",
      title: meta("og:title"),
      brand: meta("product:brand", "og:brand"),
      identifiers: sku === undefined ? [] : [{ kind: "meta", value: sku }],
      category: meta("product:category"),
      description: meta("og:description"),
      url: meta("og:url"),
      images: image === undefined ? [] : [image],
      offers: [
        {
          ...NO_OFFER,
          price: { ...price, currency: currency?.toUpperCase() ?? price.currency },
          inStock: stockOf(meta("product:availability", "og:availability")),
        },
      ],
    },
  ];
}

/** A price from the Twitter card tags. */
function labelledPrice(meta: Evidence["meta"]): string | undefined {
  return /^(?:price|preis|prix|precio|prezzo)$/i.test(meta("twitter:label1") ?? "")
    ? meta("twitter:data1")
    : undefined;
}
