import { type MadeProduct, wordsOf, written } from "./goods.ts";
import { escaped as e } from "./random.ts";
import type { BrandPlace, Part, ShopParts } from "./shop-parts.ts";

const before = (product: MadeProduct, write: (text: string) => string): string =>
  product.before === undefined ? "" : write(written(product.before, product));

const PRICES: readonly Part[] = [
  (p) =>
    `<div class="price-box">${before(p, (text) => `<span class="old-price">${text}</span> `)}<span class="special">${written(p.price, p)}</span></div>`,
  (p) => `<div class="old-price-free"><b>${written(p.price, p)}</b></div>`,
  (p) =>
    `<p><big>${written(p.price, p)}</big>${before(p, (text) => ` <s><small>${text}</small></s>`)}</p><p>${wordsOf(p).shipping} ${written(0.99, p).replace(/^0/u, "")}</p>`,
  (p) =>
    `<table><tr><td>${wordsOf(p).now}</td><td>${written(p.price, p)}</td></tr>${before(p, (text) => `<tr><td>${wordsOf(p).before}</td><td>${text}</td></tr>`)}</table>`,
  (p) => `<output>${written(p.price, p)}</output>`,
];

const BRAND_PLACES: readonly BrandPlace[] = [
  { part: (p) => `<p>${wordsOf(p).brand} – ${e(p.brand)}</p>` },
  { part: (p) => `<p><strong>${wordsOf(p).maker}</strong> ${e(p.brand)}</p>` },
  {
    part: (p) =>
      `<div class="row"><div class="k">${wordsOf(p).brand}</div><div class="v">${e(p.brand)}</div></div>`,
  },
  { part: (p) => `<ul><li>${wordsOf(p).maker} — <a href="/x/2">${e(p.brand)}</a></li></ul>` },
  { part: (p) => `<p><span>${wordsOf(p).brand}</span><br><span>${e(p.brand)}</span></p>` },
  {
    part: (p) => `<section><h3>${wordsOf(p).maker}</h3><div><a href="/x/4">${e(p.brand)}</a></div></section>`,
  },
  { part: (p) => `<p>${wordsOf(p).brand} - ${e(p.brand)}<br>2,4 kg</p>` },
];

const NUMBERS: readonly Part[] = [
  (p) => `<p>${wordsOf(p).number} – ${e(p.number)}</p>`,
  (p) => `<div><strong>${wordsOf(p).number}</strong> ${e(p.number)}</div>`,
  (p) =>
    `<div class="row"><div class="k">${wordsOf(p).number}</div><div class="v">${e(p.number)}</div></div>`,
  (p) => `<p>[${wordsOf(p).number} ${e(p.number)}]</p>`,
  (p) => `<p>4,2 kg | ${wordsOf(p).number}: ${e(p.number)}</p>`,
];

const STOCKS: readonly Part[] = [
  (p) =>
    p.isSold
      ? `<p class="s">${wordsOf(p).gone}</p>`
      : `<p class="s">${wordsOf(p).stock}</p><button>${wordsOf(p).buy}</button>`,
  (p) =>
    p.isSold
      ? `<button disabled>${wordsOf(p).gone}</button>`
      : `<form method="post"><button type="submit">${wordsOf(p).buy}</button></form>`,
];

const FRAMES: ShopParts["frames"] = [
  (p) =>
    `<main><section><h1>${p.title}</h1>${p.price}${p.stock}</section><section>${p.text}${p.brand}${p.number}</section>${p.others}</main>`,
  (p) =>
    `<div class="a"><div>${p.text}</div><div><h1>${p.title}</h1>${p.brand}${p.number}${p.price}${p.stock}</div></div>${p.others}`,
  (p) =>
    `<article><h1>${p.title}</h1>${p.number}<div>${p.price}${p.stock}</div>${p.brand}${p.text}</article><section>${p.others}</section>`,
];

/** Shops in languages that no other made page has, written before any rule was. No rule is written beside them. */
export const PARTS_ABROAD: ShopParts = {
  names:
    "abete berk carvalho dagg ek faggio grano hagtorn iep jarzab kastanje lipa melo noot olmo pera quercia ronn sosna tiglio".split(
      " ",
    ),
  prices: PRICES,
  brandPlaces: BRAND_PLACES,
  numbers: NUMBERS,
  stocks: STOCKS,
  frames: FRAMES,
  seed: 12_001,
  languages: {
    words: {
      it: {
        brand: "Marca",
        number: "Codice articolo",
        stock: "Disponibile",
        gone: "Esaurito",
        buy: "Aggiungi al carrello",
        notify: "Avvisami quando torna",
        before: "Prima",
        now: "Prezzo",
        others: "Potrebbero piacerti anche",
        maker: "Produttore",
        shipping: "Spedizione da",
        rates: "o 4 rate da",
        by: "di",
        details: "Descrizione",
        save: "Risparmi",
      },
      nl: {
        brand: "Merk",
        number: "Artikelnummer",
        stock: "Op voorraad",
        gone: "Uitverkocht",
        buy: "In winkelwagen",
        notify: "Mail mij bij voorraad",
        before: "Van",
        now: "Voor",
        others: "Anderen bekeken ook",
        maker: "Fabrikant",
        shipping: "Verzending vanaf",
        rates: "of 4 termijnen van",
        by: "van",
        details: "Omschrijving",
        save: "Je bespaart",
      },
      sv: {
        brand: "Märke",
        number: "Artikelnr",
        stock: "I lager",
        gone: "Slutsåld",
        buy: "Lägg i varukorgen",
        notify: "Meddela mig",
        before: "Tidigare",
        now: "Pris",
        others: "Andra tittade också på",
        maker: "Tillverkare",
        shipping: "Frakt från",
        rates: "eller 4 betalningar om",
        by: "av",
        details: "Beskrivning",
        save: "Du sparar",
      },
    },
    things: {
      it: ["trapano a batteria", "lampada da tavolo", "giacca da pioggia", "padella in ghisa"],
      nl: ["accuboormachine", "bureaulamp", "regenjas", "gietijzeren pan"],
      sv: ["skruvdragare", "skrivbordslampa", "regnjacka", "gjutjärnspanna"],
    },
  },
};
