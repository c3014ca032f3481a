import { readPrice } from "../product/price.ts";
import { caloriesIn, dietsIn } from "./food-words.ts";
import type { MenuItem, MenuSection } from "./menu.ts";

/** A menu as a model that read the page returned it. */
export interface ClaimedSection {
  readonly name: string;
  readonly items: readonly ToldItem[];
}

interface ToldItem {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** As the page writes it. */
  readonly price?: string | null | undefined;
}

/** The part of a model's menu that is on the page. */
export interface VerifiedMenu {
  readonly sections: readonly MenuSection[];
  /** Names and prices that do not stand there. */
  readonly invented: readonly string[];
}

/** Fewer items with a price are not a menu. */
const FEWEST_PRICED = 2;

/** Items whose names stand on the page, with the prices and descriptions that do. No sections where that is not a menu. */
export function verifyMenu(told: readonly ClaimedSection[], page: string): VerifiedMenu {
  const text = plain(page);
  const isSaid = (words: string | null | undefined): words is string =>
    typeof words === "string" && plain(words) !== "" && text.includes(plain(words));
  const parts = told.flatMap(({ items }) => items.flatMap(({ name, price }) => [name, price ?? ""]));
  const invented = parts.filter((part) => part !== "" && !isSaid(part));
  const sections = told.flatMap(({ name, items }) => {
    const believed = items.filter((item) => isSaid(item.name)).map((item) => itemOf(item, isSaid));
    if (believed.length === 0) return [];
    return [{ name: isSaid(name) ? name.trim() : "Menu", description: undefined, items: believed }];
  });
  const priced = sections.flatMap(({ items }) => items).filter(({ price }) => price !== undefined);
  return { sections: priced.length < FEWEST_PRICED ? [] : sections, invented };
}

function itemOf(
  { name, description, price }: ToldItem,
  isSaid: (words: string | null | undefined) => words is string,
): MenuItem {
  const about = isSaid(description) ? description.trim() : undefined;
  const all = `${name} ${about ?? ""}`;
  return {
    name: name.trim(),
    description: about,
    price: isSaid(price) ? readPrice(price) : undefined,
    inStock: true,
    dietary: dietsIn(all),
    calories: caloriesIn(all),
    optionGroups: [],
    merchantItemId: undefined,
    images: [],
  };
}

/** Without marks of Markdown and differences of case and space. */
function plain(text: string): string {
  return text
    .replaceAll(/[*_\\|#]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
