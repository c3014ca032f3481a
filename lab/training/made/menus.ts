import { KITCHENS, type Kitchen } from "./dishes.ts";
import { type Layout, LAYOUTS, type MadeItem, type MadeMenu } from "./menu-layouts.ts";
import { escaped, MadeRandom } from "./random.ts";

/** A page with what is right of it, in the form of the labelled menus. */
export interface MadeMenuPage {
  readonly name: string;
  readonly html: string;
  readonly expected: unknown;
}

const RESTAURANTS = 60;
/** How a restaurant writes an amount. */
type Writing = (amount: number, currency: string) => string;

const SYMBOLS: Readonly<Record<string, string>> = { GBP: "£", USD: "$", EUR: "€", BRL: "R$" };

const symbolOf = (currency: string): string => SYMBOLS[currency] ?? currency;
const withComma = (amount: number): string => amount.toFixed(2).replace(".", ",");
const short = (amount: number): string => (Number.isInteger(amount) ? String(amount) : amount.toFixed(1));

const WRITINGS: readonly Writing[] = [
  (amount, currency) => `${symbolOf(currency)}${amount.toFixed(2)}`,
  (amount, currency) =>
    currency === "EUR"
      ? `${withComma(amount)} ${symbolOf(currency)}`
      : `${symbolOf(currency)} ${amount.toFixed(2)}`,
  (amount, currency) => `${symbolOf(currency)}${short(amount)}`,
  (amount, currency) =>
    currency === "EUR" ? `${withComma(amount)}€` : `${symbolOf(currency)}${amount.toFixed(2)}`,
  (amount, currency) =>
    currency === "EUR"
      ? `${symbolOf(currency)} ${withComma(amount)}`
      : `${symbolOf(currency)}${short(amount)}`,
  // Many cards say no currency at all.
  (amount, currency) => (currency === "EUR" ? withComma(amount) : amount.toFixed(2)),
];

/** Sixty restaurants' cards: each layout several times, with and without structured data. */
export function makeMenus(
  byTemplate: Readonly<Record<string, Layout>> = LAYOUTS,
  seed = 17,
): readonly MadeMenuPage[] {
  const layouts = Object.entries(byTemplate);
  return Array.from({ length: RESTAURANTS }, (_, at) => {
    const random = new MadeRandom(at + seed);
    const [template, layout] = layouts[at % layouts.length] ?? random.pick(layouts);
    const kitchen =
      KITCHENS[(at * 5 + Math.floor(at / layouts.length)) % KITCHENS.length] ?? random.pick(KITCHENS);
    const menu = cardOf(kitchen, random, at);
    const data = random.pick(["menu", "restaurant", "none"] as const);
    return {
      name: `restaurant-${String(at).padStart(2, "0")}`,
      html: pageOf(menu, layout(menu), { data, random }),
      expected: {
        menu: true,
        template,
        currency: menu.currency,
        merchant: menu.restaurant,
        sections: menu.sections.map(({ name, items }) => ({
          name,
          items: items.map((item) => ({ name: item.name, price: item.price })),
        })),
      },
    };
  });
}

function cardOf(kitchen: Kitchen, random: MadeRandom, at: number): MadeMenu {
  const write = WRITINGS[at % WRITINGS.length] ?? random.pick(WRITINGS);
  const item = (dish: string): MadeItem => {
    const [name = "", description = ""] = dish.split("|");
    const price = random.between(4, 29) + random.pick([0, 0, 0.5, 0.9]);
    return { name, description, price, written: write(price, kitchen.currency) };
  };
  const { language, currency, card, words } = kitchen;
  const sections = kitchen.sections.map(({ name, dishes }) => ({ name, items: dishes.map(item) }));
  return { restaurant: random.pick(kitchen.names), language, currency, card, words, sections };
}

function pageOf(
  menu: MadeMenu,
  body: string,
  { data, random }: { readonly data: "menu" | "restaurant" | "none"; readonly random: MadeRandom },
): string {
  const name = escaped(menu.restaurant);
  const title = random.pick([`${menu.card} – ${name}`, `${name} | ${menu.card}`, name]);
  const [first = "", second = "", third = ""] = menu.words.map(escaped);
  const heading = random.chance(0.7) ? `<h1>${menu.card}</h1>` : `<h1>${name}</h1><p>${menu.card}</p>`;
  const wrapper = random.pick([
    ["<main>", "</main>"],
    ['<div id="content" class="site-content">', "</div>"],
    ['<div class="page"><div class="inner">', "</div></div>"],
  ] as const);
  return `<!doctype html>
<html lang="${menu.language}"><head><meta charset="utf-8"><title>${title}</title>${dataOf(menu, data)}</head>
<body><header><a href="/">${name}</a><nav><ul><li><a href="/">${name}</a></li><li><a href="/card">${menu.card}</a></li><li><a href="/contact">@</a></li></ul></nav></header>
${wrapper[0]}${heading}<p>${first}</p>
${body}
<p>${second}</p>${wrapper[1]}
<footer><p>${third}</p><p>© ${name}</p></footer></body></html>
`;
}

function dataOf(menu: MadeMenu, data: "menu" | "restaurant" | "none"): string {
  if (data === "none") return "";
  const restaurant = { "@context": "https://schema.org", "@type": "Restaurant", name: menu.restaurant };
  const whole = {
    ...restaurant,
    hasMenu: {
      "@type": "Menu",
      hasMenuSection: menu.sections.map(({ name, items }) => ({
        "@type": "MenuSection",
        name,
        hasMenuItem: items.map((item) => ({
          "@type": "MenuItem",
          name: item.name,
          description: item.description,
          offers: { "@type": "Offer", price: item.price.toFixed(2), priceCurrency: menu.currency },
        })),
      })),
    },
  };
  const written = JSON.stringify(data === "menu" ? whole : restaurant).replaceAll("<", "\\u003c");
  return `<script type="application/ld+json">${written}</script>`;
}
