import type { SchemaItem } from "../structured/schema-item.ts";
import { type Identifier, NO_OFFER, type OfferFacts, type ProductFacts } from "./facts.ts";
import { readDataPrice, type Price } from "./price.ts";
import { stockOf } from "./stock.ts";

/** Types of items for sale. */
const TYPES = new Set(
  "Product ProductGroup IndividualProduct ProductModel SomeProducts Vehicle Car Motorcycle Book".split(" "),
);

/** Properties that lead from a product to other products or to its parts. */
const OTHERS = new Set(
  `isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor hasVariant isVariantOf itemListElement review
   reviews itemReviewed model workExample workTranslation mentions itemOffered category recommendations relatedProduct`.split(
    /\s+/,
  ),
);

const MAX_OFFERS = 300;

/** Products in the page's items: one entry per independent product. */
export function schemaProducts(items: readonly SchemaItem[]): readonly ProductFacts[] {
  return items
    .filter(
      (item) => item.types.some((type) => TYPES.has(type)) && !item.path.some((name) => OTHERS.has(name)),
    )
    .filter((item) => item.values("name").length > 0 || item.values("offers").length > 0)
    .map(productOf);
}

function productOf(item: SchemaItem): ProductFacts {
  const variants = item.items("hasVariant").slice(0, MAX_OFFERS);
  const offers = variants.length > 0 ? variants.map(variantOf) : offersOf(item);
  return {
    source: item.source,
    title: item.text("name", "title"),
    brand: item.text("brand") ?? item.text("manufacturer"),
    identifiers: [
      ...identifiersOf(item),
      ...(offers.length === 1 ? identified("offer", offers[0]?.sku) : []),
    ],
    category: item.text("category"),
    description: item.text("description"),
    url: item.text("url"),
    images: imagesOf(item),
    offers,
  };
}

function variantOf(item: SchemaItem): OfferFacts {
  const [offer = NO_OFFER] = offersOf(item);
  return {
    ...offer,
    sku: identifiersOf(item)[0]?.value ?? offer.sku,
    title: item.text("name") ?? offer.title,
    values: optionsOf(item),
    images: imagesOf(item),
  };
}

/** Properties of schema.org in which variants differ. */
function optionsOf(item: SchemaItem): Readonly<Record<string, string>> {
  const named = ["color", "size", "material", "pattern"].map((name) => [name, item.text(name)] as const);
  const extra = item
    .items("additionalProperty")
    .map((property) => [property.text("name") ?? "", property.text("value")] as const);
  return Object.fromEntries(
    [...named, ...extra].flatMap(([name, value]) =>
      name === "" || value === undefined ? [] : [[name, value]],
    ),
  );
}

function identifiersOf(item: SchemaItem): readonly Identifier[] {
  const productId = item.text("productID", "productId")?.replace(/^[a-z]+:/i, "");
  return [
    ...identified("sku", item.text("sku")),
    ...identified("productId", productId),
    ...identified("mpn", item.text("mpn", "model")),
    ...identified("gtin", item.text("gtin13", "gtin", "gtin12", "gtin14", "gtin8", "isbn")),
  ];
}

function identified(kind: Identifier["kind"], value: string | undefined): readonly Identifier[] {
  return value === undefined ? [] : [{ kind, value }];
}

/**
 * The offers of a product. Offers that differ only in their seller count as one, and so does an aggregate
 * offer.
 */
function offersOf(item: SchemaItem): readonly OfferFacts[] {
  const offers = [...item.items("offers"), ...item.items("offer")].flatMap(innerOffers).slice(0, MAX_OFFERS);
  const facts = offers.map(offerOf);
  const keys = new Set(facts.map(({ sku, title }) => sku ?? title));
  if (facts.length > 1 && keys.size === facts.length && !keys.has(undefined)) return facts;
  const own = offerOf(item);
  const [best = own] = facts.filter(({ price }) => (price?.amount ?? 0) > 0).concat(facts);
  const inStock =
    facts.some((offer) => offer.inStock) ||
    (facts.some((offer) => offer.inStock === false) ? false : undefined);
  return [{ ...best, inStock: inStock ?? own.inStock, title: undefined }];
}

/** An aggregate offer is replaced by its listed offers, unless it has a price. */
function innerOffers(offer: SchemaItem): readonly SchemaItem[] {
  const isPriced = ["price", "lowPrice"].some((name) => offer.values(name).length > 0);
  return isPriced || offer.items("offers").length === 0 ? [offer] : offer.items("offers");
}

function offerOf(offer: SchemaItem): OfferFacts {
  const prices = offer
    .items("priceSpecification")
    .filter(({ types }) => !types.includes("UnitPriceSpecification") || offer.values("price").length === 0);
  const isList = (one: SchemaItem) => /ListPrice|Strikethrough|MSRP|SRP/i.test(one.text("priceType") ?? "");
  const specification = prices.find((one) => !isList(one));
  const list = prices.find(isList);
  return {
    ...NO_OFFER,
    id: offer.text("@id"),
    sku: offer.text("sku") ?? offer.text("mpn"),
    title: offer.text("name"),
    price:
      priceOf(offer, ["price", "lowPrice"]) ??
      (specification && priceOf(specification, ["price", "minPrice"])),
    originalPrice: list && priceOf(list, ["price"]),
    inStock: stockOf(offer.text("availability")?.replace(/^.*\//, "")),
  };
}

function priceOf(item: SchemaItem, names: readonly string[]): Price | undefined {
  for (const value of names.flatMap((name) => item.values(name))) {
    const price = readDataPrice(value);
    if (price)
      return { ...price, currency: item.text("priceCurrency")?.toUpperCase().slice(0, 3) ?? price.currency };
  }
  return undefined;
}

function imagesOf(item: SchemaItem): readonly string[] {
  return [
    ...item.values("image").filter((value): value is string => typeof value === "string"),
    ...item.items("image").flatMap((image) => image.text("url", "contentUrl", "@id") ?? []),
  ];
}
