import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { readPrice } from "../product/price.ts";
import { caloriesIn, dietsIn } from "./food-words.ts";
import type { MenuItem, MenuSection } from "./menu.ts";

const MAX_NAME_LENGTH = 90;
/** A menu has at least this many items with a price. */
const FEWEST_ITEMS = 2;
const TEXT = { type: "string" };

/** Schema for the `json` format, used by the rules and by the model. */
export const MENU_SCHEMA = {
  type: "object",
  properties: {
    items: {
      type: "array",
      description:
        "Dishes and drinks of a restaurant, with their prices. Empty for shops, plans and price lists of other things.",
      items: {
        type: "object",
        properties: {
          name: TEXT,
          price: { type: "string", description: "As the page writes it, with its currency." },
          section: { type: "string", description: "The title on the page that the dish stands under." },
          description: TEXT,
          image: { type: "string", format: "uri" },
        },
        required: ["name", "price"],
      },
    },
  },
};

/** A name ends before dots, a colon, a dash, a bar, a bracket or a price. */
const NAME_END =
  /[.·…_]{3}|[:：]\s|[\s][–—|-]\s|\(|(?:R\$|\p{Sc})\s?\d|(?<!\d)\d+[.,]\d\d(?!\d)|(?<!\d)\d+\s?\p{Sc}/u;
/** A price at the end of a line, with its currency. */
const PRICE_END = /(?:(?:R\$|[A-Z]{3}|\p{Sc})\s?)?\d[\d.,’' ]*(?:\s?(?:[A-Z]{3}|\p{Sc}))?\s*$/u;
const EDGES = /^[\s:：–—,;|(.·…_-]+|[\s:：–—,;|).·…_-]+$/gu;

/** Sections from values for {@link MENU_SCHEMA}: consecutive items with the same section belong together. */
export function listedSections(value: unknown): readonly MenuSection[] {
  const listed = isJsonObject(value) ? value["items"] : undefined;
  const sections: { readonly name: string; readonly description: undefined; readonly items: MenuItem[] }[] =
    [];
  for (const one of Array.isArray(listed) ? listed.filter(isJsonObject) : []) {
    const item = itemOf(one);
    if (!item) continue;
    const name = textOf(one, "section").trim() || "Menu";
    if (sections.at(-1)?.name === name) sections.at(-1)?.items.push(item);
    else sections.push({ name, description: undefined, items: [item] });
  }
  return sections;
}

function itemOf(object: JsonObject): MenuItem | undefined {
  const written = textOf(object, "name");
  const end = written.search(NAME_END);
  const name = (end < 0 ? written : written.slice(0, end)).replace(EDGES, "");
  if (!/\p{L}{2}/u.test(name) || name.length > MAX_NAME_LENGTH) return undefined;
  const stated = textOf(object, "price");
  const price = readPrice(PRICE_END.exec(stated)?.[0] ?? stated);
  const image = textOf(object, "image");
  const all = `${written} ${textOf(object, "description")}`;
  return {
    name,
    description: descriptionOf(object, { written, name, price: price?.formatted ?? stated }),
    price,
    inStock: true,
    dietary: dietsIn(all),
    calories: caloriesIn(all),
    optionGroups: [],
    merchantItemId: undefined,
    images: image === "" ? [] : [{ url: image, alt: undefined }],
  };
}

/** Text besides name and price: after the name, or in the description. */
function descriptionOf(
  object: JsonObject,
  { written, name, price }: { readonly written: string; readonly name: string; readonly price: string },
): string | undefined {
  const [aside = "", described = ""] = [written, textOf(object, "description")].map((text) =>
    text.replace(name, " ").replace(price, " ").replace(EDGES, "").replace(/\s+/g, " "),
  );
  const both = described.includes(aside) ? described : `${aside} ${described}`.trim();
  return /\p{L}|\d/u.test(both) ? both : undefined;
}

function textOf(object: JsonObject, name: string): string {
  const value = ownProperty(object, name);
  return typeof value === "string" ? value : "";
}

/** True if there are enough priced items for a menu. */
export function hasPrices(sections: readonly MenuSection[]): boolean {
  const items = sections.flatMap((section) => section.items);
  return items.filter(({ price }) => price !== undefined).length >= FEWEST_ITEMS;
}
