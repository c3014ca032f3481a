import type { Evidence } from "../structured/evidence.ts";
import { NO_OFFER, type ProductFacts } from "./facts.ts";
import { schemaProducts } from "./schema-product.ts";
import { similarity } from "./similarity.ts";
import { stateProducts } from "./state-product.ts";
import { readDataPrice } from "./price.ts";
import { stockOf } from "./stock.ts";

/** What a page is about, by its own words. */
export interface PageName {
  /** Its heading, and its titles; never empty texts. */
  readonly names: readonly string[];
  /** Its addresses without scheme, query and slashes at the end. */
  readonly addresses: readonly string[];
}

/** Facts that sources state about the page's own product. */
export interface OwnFacts {
  /** The most reliable first; all of one product. */
  readonly facts: readonly ProductFacts[];
  /** How many products of different names the page describes. */
  readonly described: number;
}

const SAME_PRODUCT = 0.8;
/** From how many products on the page's own must be named like it, and how much. */
const FEW = 1;
const MANY = 4;
const LIKE_THE_PAGE = 0.7;
const JUST_LIKE_THE_PAGE = 0.9;
const MAX_STATES = 3;

/** Joins what the sources of a page say about its own product, and leaves out what they say about others. */
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

/** The described product that is the page's own, when one is. */
function mainOf(described: readonly ProductFacts[], names: number, page: PageName): ProductFacts | undefined {
  const [best] = described
    .filter(({ title }) => title !== undefined)
    .map((facts) => ({ facts, score: belonging(facts, page) }))
    .sort((a, b) => b.score - a.score);
  if (!best) return undefined;
  if (names > FEW && best.score < LIKE_THE_PAGE) return undefined;
  return names > MANY && best.score < JUST_LIKE_THE_PAGE ? undefined : best.facts;
}

/** How much a described product seems to be the page's own, from 0 to 1.55. */
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

/** One product without a name can only be the page's. */
function namelessOf(described: readonly ProductFacts[]): readonly ProductFacts[] {
  const [only] = described;
  return described.length === 1 && only?.title === undefined && only ? [only] : [];
}

/** An address without scheme, `www.`, query, fragment and a slash at the end, in lower case. */
export function plainAddress(url: string): string {
  return url
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/** What the page's head says about a product: something only when it carries a price. */
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

/** A price on the card that social networks show. */
function labelledPrice(meta: Evidence["meta"]): string | undefined {
  return /^(?:price|preis|prix|precio|prezzo)$/i.test(meta("twitter:label1") ?? "")
    ? meta("twitter:data1")
    : undefined;
}
