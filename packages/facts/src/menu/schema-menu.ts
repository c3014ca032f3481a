import type { SchemaItem } from "../structured/schema-item.ts";
import { readDataPrice, type Price } from "../product/price.ts";
import { caloriesIn, dietsIn } from "./food-words.ts";
import type { FoundMenu, MenuItem, MenuSection } from "./menu.ts";

const SURE = 0.98;
const MAX_SECTIONS = 200;
const MAX_ITEMS = 1000;
const RESTAURANT =
  /Restaurant$|^FoodEstablishment$|^Bakery$|^BarOrPub$|^Brewery$|^CafeOrCoffeeShop$|^IceCreamShop$/;

/** The menu that a page describes in the words of schema.org: sections of a menu, or the catalogue of a restaurant. */
export function schemaMenu(items: readonly SchemaItem[]): FoundMenu | undefined {
  const sections = sectionsOf(items.filter(({ types }) => types.includes("MenuSection")));
  if (sections.length > 0) return { confidence: SURE, sections };
  const menus = sectionsOf(items.filter(({ types }) => types.includes("Menu")));
  if (menus.length > 0) return { confidence: SURE, sections: menus };
  if (!restaurantOf(items)) return undefined;
  const catalogues = sectionsOf(items.filter(({ types }) => types.includes("OfferCatalog")));
  return catalogues.length > 0 ? { confidence: SURE, sections: catalogues } : undefined;
}

/** The restaurant that a page describes. */
export function restaurantOf(items: readonly SchemaItem[]): SchemaItem | undefined {
  return items.find(({ types }) => types.some((type) => RESTAURANT.test(type)));
}

/** Sections with items of their own. A page that describes its menu twice means it once. */
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
