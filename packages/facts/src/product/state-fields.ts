import type { JsonObject } from "@pergamon-dev/kit/json";

/** Names of fields in shops' state, in lower case without separators, most specific first. */
const NAMES = {
  name: "name productname itemname title displayname producttitle fullname",
  price:
    "saleprice currentprice finalprice specialprice offerprice sellingprice discountedprice price pricevalue priceamount productprice minprice itemprice displayprice salespricewithtax unitprice",
  amount: "value amount current now final sale min formatted centamount",
  originalPrice:
    "compareatprice originalprice regularprice listprice wasprice oldprice strikethroughprice rrp msrp displayregularprice",
  currency: "currency pricecurrency currencycode currencyisocode currencyid",
  sku: "sku skuid skucode productsku itemnumber itemno partnumber articlenumber productcode itemid productid modelnumber id",
  id: "variantid variationid id",
  brand: "brand brandname productbrand itembrand vendor manufacturer manufacturername",
  stock: "availability instock available isinstock availabilitystatus stockstatus isavailable ispurchasable",
  soldOut: "soldout issoldout isoutofstock outofstock",
  images: "images image media featuredimage imageurl",
  category: "category categoryname producttype itemcategory",
  variants: "variants variations skus hasvariant",
  options: "attributes options selectedoptions values",
} as const;

type FieldName = keyof typeof NAMES;

/** Known fields of an object, by meaning. */
export type StateFields = { readonly [Name in FieldName]?: unknown };

/** Name → its meanings with ranks; lower ranks win. */
const MEANINGS = new Map<string, readonly (readonly [FieldName, number])[]>();
for (const field of Object.keys(NAMES) as FieldName[]) {
  NAMES[field].split(" ").forEach((name, rank) => {
    MEANINGS.set(name, [...(MEANINGS.get(name) ?? []), [field, rank]]);
  });
}

/** Objects with more names are maps, not records. */
const MAX_NAMES = 400;

/** Fields with known names; undefined if there are none. */
export function fieldsOf(object: JsonObject): StateFields | undefined {
  const names = Object.keys(object);
  if (names.length > MAX_NAMES) return undefined;
  const fields: { [Name in FieldName]?: unknown } = {};
  const ranks = new Map<FieldName, number>();
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || value === null || value === "") continue;
    for (const [field, rank] of MEANINGS.get(plainName(name)) ?? []) {
      if (rank >= (ranks.get(field) ?? Infinity)) continue;
      ranks.set(field, rank);
      fields[field] = value;
    }
  }
  return ranks.size > 0 ? fields : undefined;
}

function plainName(name: string): string {
  return /^[a-z]+$/.test(name) ? name : name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
