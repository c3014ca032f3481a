import { BRAND_PLACES, makeProduct, NUMBERS, PRICES, STOCKS, wordsOf, written } from "./goods.ts";
import { escaped as e, MadeRandom } from "./random.ts";
import type { BrandPlace, Part, ShopParts, WrittenParts } from "./shop-parts.ts";

/** A page that sells one product and says so in no structured data, as the index of labelled pages has it. */
export interface MadeProductPage {
  readonly row: {
    readonly id: string;
    readonly url: string;
    readonly from: "made";
    readonly product: true;
    readonly truth: {
      readonly title: readonly string[];
      readonly brand: readonly string[];
      readonly price: readonly number[];
      readonly sku: readonly string[];
      readonly currency: string;
      readonly inStock: boolean;
    };
  };
  readonly html: string;
}

const PRODUCTS_OF_A_SHOP = 4;

interface Shop {
  readonly name: string;
  readonly price: Part;
  readonly brand: BrandPlace;
  readonly number: Part;
  readonly stock: Part;
  readonly frame: ShopParts["frames"][number];
  readonly seed: number;
}

const FRAMES: ShopParts["frames"] = [
  (p) =>
    `<main><h1>${p.title}</h1>${p.brand}${p.price}${p.stock}${p.number}<section>${p.text}</section>${p.others}</main>`,
  (p) =>
    `<div id="wrap"><div class="left"><img src="/1.jpg" alt="${p.title}"></div><div class="right">${p.brand}<h1>${p.title}</h1>${p.number}${p.price}${p.stock}</div>${p.text}${p.others}</div>`,
  (p) =>
    `<article>${p.price}<h1 class="t">${p.title}</h1>${p.stock}${p.text}<footer>${p.brand}${p.number}</footer></article><aside>${p.others}</aside>`,
  (p) =>
    `<div class="p"><div class="h"><h2 class="n">${p.title}</h2></div><div class="g"><div>${p.text}${p.number}</div><div>${p.brand}${p.price}${p.stock}</div></div></div>${p.others}`,
  (p) =>
    `${p.others}<main class="pdp"><header><h1>${p.title}</h1>${p.number}</header><div>${p.price}${p.stock}</div><details open><summary>+</summary>${p.text}${p.brand}</details></main>`,
];

const NAMES =
  "alder birke cedron distel ebene fichte ginster hasel ilex jasmin kiefer laerche mispel nessel olmo pappel quitte robinia salvia tanne ulmen vogelbeere weide xylia ysop".split(
    " ",
  );

const PARTS: ShopParts = {
  names: NAMES,
  prices: PRICES,
  brandPlaces: BRAND_PLACES,
  numbers: NUMBERS,
  stocks: STOCKS,
  frames: FRAMES,
  seed: 0,
};

/** Four pages of each shop, each shop built in its own way: of those that the rules know, a hundred pages. */
export function makeProducts(parts: ShopParts = PARTS): readonly MadeProductPage[] {
  return parts.names.flatMap((_, at) => {
    const shop = shopOf(parts, at);
    return Array.from({ length: PRODUCTS_OF_A_SHOP }, (_none, product) =>
      pageOf(shop, parts.languages, new MadeRandom(shop.seed + at * 31 + product * 7 + 3), `${shop.name}-${product}`),
    );
  });
}

function shopOf({ names, prices, brandPlaces, numbers, stocks, frames, seed }: ShopParts, at: number): Shop {
  const of = <Value>(values: readonly Value[], step: number): Value => {
    const value = values[(at * step + Math.floor(at / values.length)) % values.length];
    if (value === undefined) throw new Error("a shop without a part");
    return value;
  };
  return {
    name: of(names, 1),
    price: of(prices, 3),
    brand: of(brandPlaces, 5),
    number: of(numbers, 2),
    stock: of(stocks, 3),
    frame: of(frames, 2),
    seed,
  };
}

function pageOf(
  shop: Shop,
  languages: ShopParts["languages"],
  random: MadeRandom,
  id: string,
): MadeProductPage {
  const product = makeProduct(random, languages);
  const title = shop.brand.title?.(product) ?? product.title;
  const words = wordsOf(product);
  const others = Array.from({ length: 3 }, () => makeProduct(random, languages));
  const parts: WrittenParts = {
    title: e(title),
    price: shop.price(product),
    brand: shop.brand.part(product),
    number: shop.number(product),
    stock: shop.stock(product),
    text: `<h2>${words.details}</h2><p>${e(title)}. ${random.between(2, 9)} × 10 cm, ${random.between(1, 5)} kg.</p>`,
    others: `<div class="row2"><h4>${words.others}</h4>${others.map((one) => `<div class="mini"><a href="/p/${e(one.number)}">${e(one.title)}</a> <span>${written(one.price, product)}</span></div>`).join("")}</div>`,
  };
  const site = `${shop.name[0]?.toUpperCase() ?? ""}${shop.name.slice(1)}`;
  return {
    row: {
      id,
      url: `https://www.${shop.name}.zz/p/${random.between(100, 999)}`,
      from: "made",
      product: true,
      truth: {
        title: [title, product.title, `${product.brand} ${product.title}`],
        brand: [product.brand],
        price: [product.price],
        sku: [product.number],
        currency: product.currency,
        inStock: !product.isSold,
      },
    },
    html: `<!doctype html>
<html lang="${product.language}"><head><meta charset="utf-8"><title>${e(title)} | ${site}</title></head>
<body><nav><a href="/">${site}</a> <a href="/a">A–Z</a> <a href="/basket">0</a></nav>
${shop.frame(parts)}
<footer>© ${site}. ${words.shipping} ${written(3.9, product)}.</footer></body></html>
`,
  };
}
