import type { Evidence } from "../structured/evidence.ts";
import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { findBuyButtons } from "../product/buy-button.ts";
import { findHeading } from "../product/heading.ts";
import { layOut } from "../product/page-layout.ts";
import { extractJson } from "../extraction/extract-json.ts";
import { caloriesIn, dietsIn, foodIn, namesFood, namesMenu, withoutMenuWords } from "./food-words.ts";
import { hasPrices, listedSections, MENU_SCHEMA } from "./listed-menu.ts";
import type { FoundMenu, Menu, MenuItem, MenuSection } from "./menu.ts";
import { stateMenu } from "./state-menu.ts";
import type { SchemaItem } from "../structured/schema-item.ts";
import { type Price, readDataPrice } from "../product/price.ts";

const PROBABLE = 0.7;
/** Minimum share of items with a food word on pages that call themselves a menu. */
const SOME_FOOD = 0.15;
/**
 * On other pages, the minimum share of items with a food word, and the minimum number of different food
 * words.
 */
const MOSTLY_FOOD = 0.7;
const MANY_DISHES = 4;
/** Billing periods, which show that the items are subscription plans. */
const PER_TIME =
  /(?:\/|per|a|pro|im|par|al|por)\s?(?:month|mo\b|year|yr\b|monat|jahr|mois|an\b|mese|mes\b|año)/i;

/** The menu of a restaurant's page; undefined if there is none. */
export function findMenu(evidence: Evidence, url: string): Menu | undefined {
  const found =
    schemaMenu(evidence.items()) ?? surest(evidence, url, namesMenu(titlesOf(evidence).join(" ")));
  if (!found) return undefined;
  const items = found.sections.flatMap((section) => section.items);
  const currencies = items.flatMap(({ price }) => price?.currency ?? []);
  return {
    confidence: found.confidence,
    merchant: merchantOf(evidence),
    currency: currencies[0],
    sections: found.sections.map((section) => ({
      ...section,
      items: section.items.map((item) => located(item, url)),
    })),
  };
}

/** The menu in the page's state, else the listed one, if it looks like a menu. */
function surest(evidence: Evidence, url: string, isNamed: boolean): FoundMenu | undefined {
  const places = [() => stateMenu(evidence.states()), () => listedMenu(evidence, url, isNamed)];
  for (const find of places) {
    const found = find();
    if (found && isMenu(found, { evidence, isNamed })) return found;
  }
  return undefined;
}

/** Items listed on the page. If the page calls itself a menu, amounts without a currency are prices. */
function listedMenu(evidence: Evidence, url: string, isNamed: boolean): FoundMenu | undefined {
  const { value } = extractJson(evidence, { schema: MENU_SCHEMA }, url);
  const sections = listedSections(value);
  const hasCurrency = sections.some(({ items }) => items.some(({ price }) => price?.currency !== undefined));
  return hasCurrency || isNamed ? { confidence: PROBABLE, sections } : undefined;
}

/** True if the priced items are food, and not goods or plans. */
function isMenu(
  { sections }: FoundMenu,
  { evidence, isNamed }: { readonly evidence: Evidence; readonly isNamed: boolean },
): boolean {
  const items = sections.flatMap((section) => section.items.map((item) => ({ item, section: section.name })));
  const priced = items.filter(({ item }) => item.price !== undefined);
  if (!hasPrices(sections) || priced.some(({ item }) => PER_TIME.test(item.description ?? ""))) return false;
  const food = priced.filter(({ item, section }) =>
    namesFood(`${item.name} ${item.description ?? ""} ${section}`),
  );
  if (isNamed) return food.length / priced.length >= SOME_FOOD;
  const dishes = new Set(priced.flatMap(({ item }) => foodIn(item.name) ?? []));
  const isFood = dishes.size >= MANY_DISHES && food.length / priced.length >= MOSTLY_FOOD;
  return isFood && findBuyButtons(layOut(evidence.tree, -1)).length === 0;
}

/** The restaurant as named on the page. */
export function merchantOf(evidence: Evidence): Menu["merchant"] {
  const restaurant = restaurantOf(evidence.items());
  const names = [
    restaurant?.text("name"),
    evidence.meta("og:site_name"),
    ...titlesOf(evidence).map(withoutMenuWords),
  ];
  return {
    name: names.find((name) => name !== undefined && name !== "") ?? "",
    type: restaurant?.types[0],
    location: addressOf(evidence),
  };
}

function addressOf({ items }: Evidence): string | undefined {
  const restaurant = restaurantOf(items());
  const [address] = restaurant?.items("address") ?? [];
  if (!address) return restaurant?.text("address");
  const parts = ["streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"];
  return parts.flatMap((part) => address.text(part) ?? []).join(", ") || undefined;
}

function titlesOf({ tree, meta }: Evidence): readonly string[] {
  const title = meta("title") ?? meta("og:title") ?? "";
  return [title, findHeading(tree, [title]).text].filter((text) => text !== "");
}

function located(item: MenuItem, url: string): MenuItem {
  const images = item.images.flatMap((image) => {
    const address = resolveUrl(image.url, url);
    return address === undefined || !/^https?:/.test(address) ? [] : [{ ...image, url: address }];
  });
  return { ...item, images };
}

const SURE = 0.98;
const MAX_SECTIONS = 200;
const MAX_ITEMS = 1000;
const RESTAURANT =
  /Restaurant$|^FoodEstablishment$|^Bakery$|^BarOrPub$|^Brewery$|^CafeOrCoffeeShop$|^IceCreamShop$/;

/** The menu in schema.org data: sections of a menu, or the catalogue of a restaurant. */
function schemaMenu(items: readonly SchemaItem[]): FoundMenu | undefined {
  const sections = sectionsOf(items.filter(({ types }) => types.includes("MenuSection")));
  if (sections.length > 0) return { confidence: SURE, sections };
  const menus = sectionsOf(items.filter(({ types }) => types.includes("Menu")));
  if (menus.length > 0) return { confidence: SURE, sections: menus };
  if (!restaurantOf(items)) return undefined;
  const catalogues = sectionsOf(items.filter(({ types }) => types.includes("OfferCatalog")));
  return catalogues.length > 0 ? { confidence: SURE, sections: catalogues } : undefined;
}

function restaurantOf(items: readonly SchemaItem[]): SchemaItem | undefined {
  return items.find(({ types }) => types.some((type) => RESTAURANT.test(type)));
}

/**
 * Sections with items of their own. If the page describes its menu in several formats, only the first is
 * used.
 */
function sectionsOf(described: readonly SchemaItem[]): readonly MenuSection[] {
  const bySource = described.filter(({ source }) => source === described[0]?.source).slice(0, MAX_SECTIONS);
  return bySource
    .map((section) => ({
      name: section.text("name") ?? "Menu",
      description: section.text("description"),
      items: itemsOf(section),
    }))
    .filter(({ items }) => items.length > 0);
}

function itemsOf(section: SchemaItem): readonly MenuItem[] {
  const listed = ["hasMenuItem", "itemListElement"].flatMap((name) => section.items(name));
  return listed
    .flatMap((item) =>
      item.types.includes("MenuItem")
        ? [item]
        : [...item.items("itemOffered"), ...item.items("item")].map((offered) => offered),
    )
    .slice(0, MAX_ITEMS)
    .flatMap((item) => itemOf(item, listed));
}

function itemOf(item: SchemaItem, listed: readonly SchemaItem[]): readonly MenuItem[] {
  const name = item.text("name");
  if (name === undefined) return [];
  const description = item.text("description");
  const offer =
    item.items("offers")[0] ?? listed.find((one) => one.items("itemOffered")[0]?.object === item.object);
  const diets = item
    .values("suitableForDiet")
    .map((diet) => String(diet).replace(/^.*\//, "").replace(/Diet$/, ""));
  const calories = item.items("nutrition")[0]?.text("calories") ?? "";
  return [
    {
      name,
      description,
      price: offer && priceOf(offer),
      inStock: !/OutOfStock|SoldOut|Discontinued/.test(offer?.text("availability") ?? ""),
      dietary: dietsIn(`${diets.join(" ")} ${name} ${description ?? ""}`),
      calories: caloriesIn(calories),
      optionGroups: [],
      merchantItemId: item.text("identifier", "sku"),
      images: imagesOf(item),
    },
  ];
}

function priceOf(offer: SchemaItem): Price | undefined {
  const value = ["price", "lowPrice"].flatMap((name) => offer.values(name))[0];
  const price = readDataPrice(value);
  return price && { ...price, currency: offer.text("priceCurrency")?.toUpperCase() ?? price.currency };
}

function imagesOf(item: SchemaItem): MenuItem["images"] {
  const plain = item
    .values("image")
    .flatMap((url) => (typeof url === "string" ? [{ url, alt: undefined }] : []));
  const described = item.items("image").flatMap((image) => {
    const url = image.text("url", "contentUrl");
    return url === undefined ? [] : [{ url, alt: image.text("caption", "name") }];
  });
  return [...plain, ...described];
}
