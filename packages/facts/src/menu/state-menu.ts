import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";
import { visitObjects } from "../structured/visit-objects.ts";
import { plainText } from "../structured/schema-item.ts";
import { readDataPrice, type Price } from "../product/price.ts";
import { fieldsOf } from "../product/state-fields.ts";
import { caloriesIn, dietsIn } from "./food-words.ts";
import type { FoundMenu, MenuItem, MenuSection, OptionGroup } from "./menu.ts";

const SURE = 0.9;
const LIMITS = { most: 60_000, deepest: 24 };
const MAX_SECTIONS = 200;
const MAX_ITEMS = 1000;

/** Names of sections, items and options in page state. */
const SECTIONS = /^(?:menu_?)?(?:sections|categories|groups|catalogs?|subsections)$/i;
const ITEMS = /^(?:menu_?|catalog_?)?(?:items|dishes|products|entries|itementities)$/i;
const OPTIONS = /^(?:option|modifier|customization|addon)_?(?:groups?|lists?|sets?)?s?$/i;
const CHOICES = /^(?:options|modifiers|choices|values|items)$/i;

/**
 * The menu in the state of an ordering page, recognised by its shape: named sections with lists of priced
 * items.
 */
export function stateMenu(states: readonly unknown[]): FoundMenu | undefined {
  let best: readonly MenuSection[] = [];
  visitObjects(states, LIMITS, (object) => {
    for (const [name, value] of Object.entries(object)) {
      if (!SECTIONS.test(name) || !(Array.isArray(value) || isJsonObject(value))) continue;
      const sections = sectionsOf(value);
      if (countItems(sections) > countItems(best)) best = sections;
    }
  });
  return best.length > 0 ? { confidence: SURE, sections: best } : undefined;
}

function countItems(sections: readonly MenuSection[]): number {
  return sections.reduce((sum, { items }) => sum + items.filter(({ price }) => price).length, 0);
}

function sectionsOf(value: unknown): readonly MenuSection[] {
  const listed = Array.isArray(value) ? value : Object.values(value as JsonObject);
  return listed
    .filter(isJsonObject)
    .slice(0, MAX_SECTIONS)
    .flatMap((section) => {
      const name = plainText(fieldsOf(section)?.name);
      const items = listUnder(section, ITEMS).slice(0, MAX_ITEMS).flatMap(itemOf);
      return name === undefined || items.length === 0
        ? []
        : [{ name, description: plainText(section["description"]), items }];
    });
}

function itemOf(object: JsonObject): readonly MenuItem[] {
  const fields = fieldsOf(object);
  const name = plainText(fields?.name);
  const price = priceOf(fields?.price);
  if (name === undefined || !price) return [];
  const description = plainText(object["description"]);
  const text = `${name} ${description ?? ""} ${listOrOne(object["dietary"] ?? object["tags"])
    .map(String)
    .join(" ")}`;
  const image = plainText(listOrOne(fields?.images)[0]);
  return [
    {
      name,
      description,
      price,
      inStock: fields?.soldOut !== true && fields?.stock !== false,
      dietary: dietsIn(text),
      calories: typeof object["calories"] === "number" ? object["calories"] : caloriesIn(text),
      optionGroups: listUnder(object, OPTIONS).flatMap(groupOf),
      merchantItemId: plainText(fields?.id),
      images: image === undefined ? [] : [{ url: image, alt: undefined }],
    },
  ];
}

function groupOf(object: JsonObject): readonly OptionGroup[] {
  const options = listUnder(object, CHOICES).flatMap((choice) => {
    const fields = fieldsOf(choice);
    const name = plainText(fields?.name);
    return name === undefined ? [] : [{ name, price: priceOf(fields?.price) }];
  });
  return options.length > 0 ? [{ name: plainText(fieldsOf(object)?.name) ?? "Options", options }] : [];
}

/** The objects under the first matching name. */
function listUnder(object: JsonObject, names: RegExp): readonly JsonObject[] {
  const [, value] = Object.entries(object).find(([name]) => names.test(name)) ?? [];
  return (isJsonObject(value) ? Object.values(value) : listOrOne(value)).filter(isJsonObject);
}

function priceOf(value: unknown): Price | undefined {
  if (!isJsonObject(value)) return readDataPrice(value);
  const fields = fieldsOf(value);
  const price = readDataPrice(fields?.amount ?? fields?.price);
  return price && { ...price, currency: plainText(fields?.currency)?.toUpperCase() ?? price.currency };
}
