import { expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { findProduct } from "./find-product.ts";

function pricesOf(price: string, others = "") {
  const url = "https://shop.test/p/4711";
  const source = `<!doctype html><html lang="en"><head><title>Oak stool | Stools</title></head><body>
    ${others}<main><h1>Oak stool</h1><div>${price}</div><p>Item no.: 47-11</p><button>Add to cart</button>
    <p>A stool of oak, oiled by hand.</p></main></body></html>`;
  const tree = parseHtml(source);
  const metadata = () => extractMetadata(tree, url);
  const [variant] =
    findProduct(gatherEvidence({ tree, source: () => source, metadata }), url)?.variants ?? [];
  return [variant?.price?.amount, variant?.originalPrice?.amount];
}

test.each([
  "<p>Was $120.00, now <b>$90.00</b></p>",
  "<p>statt $120.00 jetzt <strong>$90.00</strong></p>",
  "<p>au lieu de $120.00 <span>$90.00</span></p>",
  "<p><i>RRP:</i> <span>$120.00</span> <b>$90.00</b></p>",
  "<p><s>$120.00</s> <b>$90.00</b></p>",
  `<p><span class="price-was">$120.00</span> <b>$90.00</b></p>`,
])("a price that was asked before is no price: %s", (price) => {
  expect(pricesOf(price)).toEqual([90, 120]);
});

test("a word for the past says nothing of a price further on", () => {
  expect(pricesOf("<p>It was made by hand and costs <b>$90.00</b></p>")).toEqual([90, undefined]);
});

test.each(["old-price", "was-price", "price--old"])(
  "a price that is alone holds, whatever it is called: %s",
  (name) => {
    const price = `<div><div class="${name}">$90.00</div></div><p>Delivery from $.99</p>`;
    expect(pricesOf(price)).toEqual([90, undefined]);
  },
);

const card = (name: string, price: string) =>
  `<div class="mini"><a href="/p/${name}">${name}</a> <span>${price}</span></div>`;

test("prices in cards that lead to other products are not the product's", () => {
  const others = `<div class="row">${card("lamp", "$227.99")}${card("desk", "$63.00")}${card("rug", "$70.50")}</div>`;
  expect(pricesOf(`<div class="money">$105.00</div><p>Delivery from $4.95</p>`, others)).toEqual([
    105,
    undefined,
  ]);
});
