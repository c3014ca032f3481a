import { type MadeProduct, wordsOf, written } from "./goods.ts";
import { escaped as e } from "./random.ts";
import type { BrandPlace, Part, ShopParts } from "./shop-parts.ts";

const before = (product: MadeProduct, write: (text: string) => string): string =>
  product.before === undefined ? "" : write(written(product.before, product));

const PRICES: readonly Part[] = [
  (p) =>
    `<ul class="deal">${before(p, (text) => `<li class="x"><del>${text}</del></li>`)}<li class="y"><ins>${written(p.price, p)}</ins></li></ul>`,
  (p) =>
    `<div class="box"><em>${written(p.price, p)}</em>${before(p, (text) => ` <small>(${wordsOf(p).before} ${text})</small>`)}</div>`,
  (p) => `<div id="sum" aria-label="${written(p.price, p)}">${written(p.price, p)}</div>`,
  (p) =>
    `<dl><dt>${wordsOf(p).now}</dt><dd>${written(p.price, p)}</dd></dl><p>${wordsOf(p).shipping} ${written(5.9, p)}</p>`,
  (p) =>
    `<p><strong>${written(p.price, p)}</strong> <span>${wordsOf(p).rates} ${written(p.price / 4, p)}</span></p>`,
];

const BRAND_PLACES: readonly BrandPlace[] = [
  { part: (p) => `<h3 class="eyebrow">${e(p.brand)}</h3>` },
  { part: (p) => `<div><strong>${wordsOf(p).maker}</strong><div>${e(p.brand)}</div></div>` },
  { part: (p) => `<p>${wordsOf(p).brand} <a href="/all/7">${e(p.brand)}</a></p>` },
  { part: (p) => `<table><tr><td>${wordsOf(p).brand}</td><td>${e(p.brand)}</td></tr></table>` },
  { part: (p) => `<section><h4>${wordsOf(p).maker}</h4><p>${e(p.brand)}</p></section>` },
  {
    part: (p) => `<a href="/m/3"><img src="/m/3.svg" alt="${e(p.brand)}"></a>`,
    title: (p) => `${p.brand} ${p.title}`,
  },
];

const NUMBERS: readonly Part[] = [
  (p) => `<div><b>${wordsOf(p).number}</b><br>${e(p.number)}</div>`,
  (p) => `<p><small>(${wordsOf(p).number} ${e(p.number)})</small></p>`,
  (p) => `<ul><li>EAN: 4006381333931</li><li>${wordsOf(p).number}: <b>${e(p.number)}</b></li></ul>`,
  (p) => `<h5>${wordsOf(p).number} ${e(p.number)}</h5>`,
  (p) => `<span class="code">SKU: ${e(p.number)}</span>`,
];

const STOCKS: readonly Part[] = [
  (p) =>
    p.isSold
      ? `<p><strong>${wordsOf(p).gone}!</strong></p><button disabled>${wordsOf(p).buy}</button>`
      : `<p>✓ ${wordsOf(p).stock}</p><button>${wordsOf(p).buy}</button>`,
  (p) =>
    p.isSold
      ? `<div class="msg">${wordsOf(p).gone}. <a href="/notify">${wordsOf(p).notify}</a></div>`
      : `<div role="button" tabindex="0">${wordsOf(p).buy}</div>`,
  (p) => `<button type="button" class="b">${p.isSold ? wordsOf(p).notify : wordsOf(p).buy}</button>`,
  (p) =>
    `<ul class="status"><li>${p.isSold ? wordsOf(p).gone : wordsOf(p).stock}</li></ul>${p.isSold ? "" : `<form method="post"><button name="add" value="1">${wordsOf(p).buy}</button></form>`}`,
];

const FRAMES: ShopParts["frames"] = [
  (p) =>
    `<div class="view"><section>${p.brand}<h1>${p.title}</h1>${p.stock}${p.price}${p.number}</section><section>${p.text}</section></div><section>${p.others}</section>`,
  (p) =>
    `<table class="page"><tr><td><img src="/2.jpg" alt="${p.title}"></td><td><h1>${p.title}</h1>${p.price}${p.stock}</td></tr><tr><td colspan="2">${p.text}${p.number}${p.brand}</td></tr></table>${p.others}`,
  (p) =>
    `<div class="hero"><h1>${p.title}</h1></div><div class="body">${p.text}<div class="buy">${p.price}${p.number}${p.stock}${p.brand}</div>${p.others}</div>`,
  (p) =>
    `<article><header>${p.brand}<h1>${p.title}</h1></header><ol><li>${p.price}</li><li>${p.stock}</li><li>${p.number}</li></ol>${p.text}</article>${p.others}`,
  (p) =>
    `<main><div class="sticky">${p.price}${p.stock}</div><div><h1>${p.title}</h1>${p.brand}${p.number}${p.text}</div>${p.others}</main>`,
];

/** Shops that no rule was written beside: what they show is not to be mended by a rule for one of them. */
export const PARTS_ASIDE: ShopParts = {
  names:
    "ahorn buche dattel erle feige gagel hollunder kornel linde mahagoni nussbaum oleander platane quebracho ruester sanddorn teak ulex walnuss zeder".split(
      " ",
    ),
  prices: PRICES,
  brandPlaces: BRAND_PLACES,
  numbers: NUMBERS,
  stocks: STOCKS,
  frames: FRAMES,
  seed: 7001,
};
