import { escaped as e, type MadeRandom } from "./random.ts";
import type { BrandPlace, Part } from "./shop-parts.ts";

export interface MadeProduct {
  readonly title: string;
  readonly brand: string;
  readonly price: number;
  /** What it cost before; undefined where it is not reduced. */
  readonly before: number | undefined;
  readonly currency: string;
  readonly number: string;
  readonly isSold: boolean;
  readonly language: string;
  readonly words: Words;
}

export type Words = Readonly<
  Record<
    | "brand"
    | "number"
    | "stock"
    | "gone"
    | "buy"
    | "notify"
    | "before"
    | "now"
    | "others"
    | "maker"
    | "shipping"
    | "rates"
    | "by"
    | "details"
    | "save",
    string
  >
>;

/** What shops say and sell, by language. */
export interface ShopLanguages {
  readonly words: Readonly<Record<string, Words>>;
  readonly things: Readonly<Record<string, readonly string[]>>;
}

const WORDS: ShopLanguages["words"] = {
  en: {
    brand: "Brand",
    number: "Item no.",
    stock: "In stock",
    gone: "Sold out",
    buy: "Add to basket",
    notify: "Email me when it is back",
    before: "Was",
    now: "Now",
    others: "Customers also looked at",
    maker: "Manufacturer",
    shipping: "Delivery from",
    rates: "or 4 payments of",
    by: "by",
    details: "Details",
    save: "You save",
  },
  de: {
    brand: "Marke",
    number: "Artikelnummer",
    stock: "Sofort lieferbar",
    gone: "Ausverkauft",
    buy: "In den Warenkorb",
    notify: "Benachrichtigen, wenn verfügbar",
    before: "statt",
    now: "jetzt",
    others: "Das könnte Ihnen auch gefallen",
    maker: "Hersteller",
    shipping: "Versand ab",
    rates: "oder 4 Raten zu",
    by: "von",
    details: "Beschreibung",
    save: "Sie sparen",
  },
  fr: {
    brand: "Marque",
    number: "Référence",
    stock: "En stock",
    gone: "Épuisé",
    buy: "Ajouter au panier",
    notify: "Me prévenir du retour en stock",
    before: "au lieu de",
    now: "prix",
    others: "Vous aimerez aussi",
    maker: "Fabricant",
    shipping: "Livraison dès",
    rates: "ou 4 fois",
    by: "par",
    details: "Description",
    save: "Économie de",
  },
  es: {
    brand: "Marca",
    number: "Referencia",
    stock: "Disponible",
    gone: "Agotado",
    buy: "Añadir al carrito",
    notify: "Avísame cuando esté disponible",
    before: "antes",
    now: "ahora",
    others: "También te puede gustar",
    maker: "Fabricante",
    shipping: "Envío desde",
    rates: "o 4 pagos de",
    by: "de",
    details: "Descripción",
    save: "Ahorras",
  },
};

export const wordsOf = ({ words }: MadeProduct): Words => words;

export function written(amount: number, { language, currency }: MadeProduct): string {
  const text = amount.toFixed(2);
  if (currency === "SEK") return `${text.replace(".", ",")} kr`;
  if (language === "en") return currency === "GBP" ? `£${text}` : `$${text}`;
  return `${text.replace(".", ",")} €`;
}

const BRANDS = [
  "Nordhalm",
  "Quintora",
  "Velamo",
  "Bergfink",
  "Tessaro",
  "Okuda",
  "Marlowe & Finch",
  "Rivelle",
  "Solmeda",
  "Kaltwasser",
];
const THINGS: ShopLanguages["things"] = {
  en: [
    "cordless drill",
    "linen duvet cover",
    "trail running shoes",
    "espresso machine",
    "desk lamp",
    "rain jacket",
    "cast iron pan",
    "noise cancelling headphones",
  ],
  de: [
    "Akkuschrauber",
    "Leinenbettwäsche",
    "Wanderschuhe",
    "Espressomaschine",
    "Schreibtischlampe",
    "Regenjacke",
    "Gusseisenpfanne",
    "Kopfhörer",
  ],
  fr: [
    "perceuse sans fil",
    "housse de couette en lin",
    "chaussures de randonnée",
    "machine à expresso",
    "lampe de bureau",
    "veste de pluie",
  ],
  es: [
    "taladro inalámbrico",
    "funda nórdica de lino",
    "zapatillas de montaña",
    "cafetera exprés",
    "lámpara de mesa",
    "chubasquero",
  ],
};

export function makeProduct(
  random: MadeRandom,
  { words, things }: ShopLanguages = { words: WORDS, things: THINGS },
): MadeProduct {
  const language = random.pick(Object.keys(words));
  const thing = random.pick(things[language] ?? []);
  const price = random.between(12, 480) + random.pick([0, 0.5, 0.9, 0.95, 0.99]);
  const isReduced = random.chance(0.4);
  const letters = random.pick(["", "A", "NX-", "TR"]);
  const own = words[language];
  if (own === undefined) throw new Error("a language without words");
  return {
    language,
    words: own,
    title: `${thing[0]?.toUpperCase() ?? ""}${thing.slice(1)} ${random.pick(["M2", "Classic", "Pro 18", "Lite", "No. 4", "Duo"])}`,
    brand: random.pick(BRANDS),
    price,
    before: isReduced ? Math.round(price * 1.3 * 100) / 100 : undefined,
    currency: language === "en" ? random.pick(["USD", "GBP"]) : language === "sv" ? "SEK" : "EUR",
    number: `${letters}${random.between(10_000, 99_999)}${random.pick(["", "-01", "B"])}`,
    isSold: random.chance(0.2),
  };
}

const split = (product: MadeProduct): readonly [string, string] => {
  const [whole = "", cents = ""] = product.price.toFixed(2).split(".");
  return [whole, cents];
};

/** Ways to show a price, with the price before where there is one. */
export const PRICES: readonly Part[] = [
  (p) =>
    `<div class="amount">${p.before === undefined ? "" : `<s>${written(p.before, p)}</s> `}<b>${written(p.price, p)}</b></div>`,
  (p) =>
    `<p class="cost">${p.before === undefined ? "" : `${wordsOf(p).before} ${written(p.before, p)}, `}${wordsOf(p).now} <strong>${written(p.price, p)}</strong></p>`,
  (p) =>
    `<div class="pr"><span>${written(p.price, p)[0] === "$" || written(p.price, p)[0] === "£" ? written(p.price, p)[0] : ""}</span><span>${split(p)[0]}</span><sup>${split(p)[1]}</sup><span>${p.language === "en" ? "" : " €"}</span></div>`,
  (p) =>
    `<span class="final">${written(p.price, p)}</span>${p.before === undefined ? "" : ` <span class="old" style="text-decoration:line-through">${written(p.before, p)}</span> <span class="pct">-23%</span>`}<small>${wordsOf(p).rates} ${written(p.price / 4, p)}</small>`,
  (p) =>
    `<table class="offer"><tr><td>1+</td><td>${written(p.price, p)}</td></tr><tr><td>10+</td><td>${written(p.price * 0.9, p)}</td></tr></table>`,
  (p) =>
    `<div><span>${written(p.price, p)}</span> <span>(${written(p.price / 2, p)} / kg)</span></div>${p.before === undefined ? "" : `<div>${wordsOf(p).save} ${written(p.before - p.price, p)}</div>`}`,
  (p) =>
    `<meta name="x"><div data-cy="money">${written(p.price, p)}</div><p>${wordsOf(p).shipping} ${written(4.95, p)}</p>`,
  (p) => `<h3>${written(p.price, p)}</h3>`,
];

export const BRAND_PLACES: readonly BrandPlace[] = [
  { part: (p) => `<p><b>${wordsOf(p).brand}:</b> ${e(p.brand)}</p>` },
  {
    part: (p) =>
      `<a href="/b/${e(p.brand.toLowerCase().replaceAll(/\W+/gu, "-"))}" class="maker-link">${e(p.brand)}</a>`,
  },
  { part: (p) => `<img src="/logos/1.png" alt="${e(p.brand)}" class="brand-logo">` },
  {
    part: (p) =>
      `<table><tr><th>${wordsOf(p).maker}</th><td>${e(p.brand)}</td></tr><tr><th>cm</th><td>12 × 30</td></tr></table>`,
  },
  { part: (p) => `<span class="sub">${wordsOf(p).by} <a href="/x">${e(p.brand)}</a></span>` },
  { part: (p) => `<dl><dt>${wordsOf(p).brand}</dt><dd>${e(p.brand)}</dd></dl>` },
  { part: (p) => `<div class="vendor">${e(p.brand)}</div>` },
  {
    part: (p) => `<ul><li>${wordsOf(p).brand}: ${e(p.brand)}</li><li>2 kg</li></ul>`,
    title: (p) => `${p.brand} ${p.title}`,
  },
];

export const NUMBERS: readonly Part[] = [
  (p) => `<p>${wordsOf(p).number}: ${e(p.number)}</p>`,
  (p) => `<div class="ref"><span>${wordsOf(p).number}</span> <span>${e(p.number)}</span></div>`,
  (p) =>
    `<table><tr><td>${wordsOf(p).number}</td><td>${e(p.number)}</td></tr><tr><td>EAN</td><td>4006381333931</td></tr></table>`,
  (p) => `<dl><dt>SKU</dt><dd>${e(p.number)}</dd></dl>`,
  (p) => `<small>SKU# ${e(p.number)}</small>`,
  (p) => `<li>${wordsOf(p).number} ${e(p.number)}</li>`,
  (p) => `<span data-number="${e(p.number)}">${wordsOf(p).number} <em>${e(p.number)}</em></span>`,
];

export const STOCKS: readonly Part[] = [
  (p) =>
    p.isSold
      ? `<p class="gone">${wordsOf(p).gone}</p>`
      : `<p>${wordsOf(p).stock}</p><button>${wordsOf(p).buy}</button>`,
  (p) => `<button${p.isSold ? " disabled" : ""}>${p.isSold ? wordsOf(p).gone : wordsOf(p).buy}</button>`,
  (p) =>
    p.isSold
      ? `<b>${wordsOf(p).gone}</b><form><input type="email"><button>${wordsOf(p).notify}</button></form>`
      : `<form action="/cart"><input type="number" value="1"><input type="submit" value="${wordsOf(p).buy}"></form>`,
  (p) =>
    p.isSold
      ? `<span class="badge">${wordsOf(p).gone}</span>`
      : `<a class="cta" href="/cart?add=1">${wordsOf(p).buy}</a>`,
  (p) =>
    `<div class="avail"><i></i>${p.isSold ? wordsOf(p).gone : wordsOf(p).stock}</div>${p.isSold ? "" : `<button type="submit">${wordsOf(p).buy}</button>`}`,
];
