import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";
import { visitObjects } from "../structured/visit-objects.ts";
import { plainText } from "../structured/schema-item.ts";
import { NO_OFFER, type OfferFacts, type ProductFacts } from "./facts.ts";
import { type Price, readDataPrice } from "./price.ts";
import { similarity } from "./similarity.ts";
import { fieldsOf, type StateFields } from "./state-fields.ts";
import { stockOf } from "./stock.ts";

/** Maximum number and depth of visited state objects. */
const LIMITS = { most: 60_000, deepest: 24 };
/** State holds many things. An object is the page's product only if its name nearly equals the page's. */
const SAME_NAME = 0.75;
const MAX_VARIANTS = 300;

/** Products in the state with one of these names, best description first. */
export function stateProducts(states: readonly unknown[], names: readonly string[]): readonly ProductFacts[] {
  const found: { readonly facts: ProductFacts; readonly score: number }[] = [];
  visitObjects(states, LIMITS, (object) => {
    const fields = fieldsOf(object);
    const title = fields && plainText(fields.name);
    if (fields === undefined || title === undefined || title.length < 4 || title.length > 300) return;
    const match = Math.max(0, ...names.map((name) => similarity(title, name)));
    if (match <= SAME_NAME) return;
    const facts = productOf(object, fields, title);
    if (facts.offers.some(({ price }) => price))
      found.push({ facts, score: match + Object.keys(object).length / 1e4 });
  });
  return found.sort((a, b) => b.score - a.score).map(({ facts }) => facts);
}

function productOf(object: JsonObject, fields: StateFields, title: string): ProductFacts {
  const variants = listOrOne(fields.variants)
    .filter(isJsonObject)
    .slice(0, MAX_VARIANTS)
    .flatMap((variant) => variantOf(variant, optionNames(object)));
  const whole = offerOf(fields);
  const sku = textOf(fields.sku);
  return {
    source: "state",
    title,
    brand: textOf(fields.brand),
    identifiers: sku === undefined ? [] : [{ kind: "state", value: sku }],
    category: textOf(fields.category),
    description: undefined,
    url: undefined,
    images: imagesOf(fields.images),
    offers:
      variants.length > 0
        ? variants.map((variant) => ({ ...variant, price: variant.price ?? whole.price }))
        : [whole],
  };
}

function offerOf(fields: StateFields): OfferFacts {
  const price = priceOf(fields.price, 0);
  const currency = textOf(fields.currency)?.toUpperCase();
  const original = priceOf(fields.originalPrice, 0);
  const isDiscounted = price && original && original.amount > price.amount;
  return {
    ...NO_OFFER,
    id: textOf(fields.id),
    sku: textOf(fields.sku),
    price: price && { ...price, currency: currency ?? price.currency },
    originalPrice: isDiscounted ? { ...original, currency: currency ?? original.currency } : undefined,
    inStock: fields.soldOut === undefined ? stockOf(stockValue(fields.stock)) : fields.soldOut !== true,
  };
}

/** A variant must be identifiable: it has an identifier, and options or a price. */
function variantOf(object: JsonObject, options: readonly string[]): readonly OfferFacts[] {
  const fields = fieldsOf(object);
  const offer = fields && offerOf(fields);
  if (!fields || !offer || (offer.sku ?? offer.id) === undefined) return [];
  const values = valuesOf(object, fields, options);
  if (!offer.price && Object.keys(values).length === 0) return [];
  return [{ ...offer, values, title: textOf(fields.name), images: imagesOf(fields.images) }];
}

/** Option names of a product that lists them: `["Size", …]` or `[{name: "Size"}, …]`. */
function optionNames(object: JsonObject): readonly string[] {
  return listOrOne(object["options"]).map((option) =>
    isJsonObject(option) ? (plainText(option["name"]) ?? "") : (plainText(option) ?? ""),
  );
}

/** Option values of a variant: `attributes: {…}`, `options: [{name, value}]`, `option1`, `option2`, … */
function valuesOf(
  object: JsonObject,
  fields: StateFields,
  options: readonly string[],
): Readonly<Record<string, string>> {
  const named = listOrOne(fields.options).flatMap((option) =>
    isJsonObject(option) ? namedValues(option) : [],
  );
  const numbered = [1, 2, 3].map(
    (number) =>
      [options[number - 1] || `option${number}`, plainText(ownProperty(object, `option${number}`))] as const,
  );
  return Object.fromEntries(
    [...named, ...numbered].flatMap(([name, value]) =>
      value === undefined || name === "" ? [] : [[name, value]],
    ),
  );
}

function namedValues(option: JsonObject): readonly (readonly [string, string | undefined])[] {
  const name = plainText(option["name"]);
  const value = plainText(option["value"]);
  if (name !== undefined && value !== undefined) return [[name, value]];
  return Object.entries(option)
    .slice(0, 9)
    .map(([key, inner]) => [key.replace(/^attribute_(?:pa_)?/, ""), plainText(inner)]);
}

function priceOf(value: unknown, depth: number): Price | undefined {
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return priceOf(value[0], depth + 1);
  if (!isJsonObject(value))
    return typeof value === "string" && value.length > 40 ? undefined : readDataPrice(value);
  const fields = fieldsOf(value);
  const price = fields && priceOf(fields.price ?? fields.amount, depth + 1);
  return price && { ...price, currency: price.currency ?? textOf(fields.currency) };
}

/** A quantity, a flag or a phrase. */
function stockValue(value: unknown): unknown {
  if (isJsonObject(value)) return stockValue(fieldsOf(value)?.stock);
  return typeof value === "number" && value > 1 ? true : value;
}

function textOf(value: unknown): string | undefined {
  if (isJsonObject(value)) return plainText(fieldsOf(value)?.name);
  return plainText(value)?.slice(0, 200);
}

function imagesOf(value: unknown): readonly string[] {
  return listOrOne(value).flatMap((image) => {
    const address = isJsonObject(image) ? (image["url"] ?? image["src"]) : image;
    return typeof address === "string" && /^(?:https?:)?\/\//.test(address) ? [address] : [];
  });
}
