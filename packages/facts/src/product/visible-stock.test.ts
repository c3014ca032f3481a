import { describe, expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { findProduct } from "./find-product.ts";

const URL = "https://shop.test/p/oak-bowl";

function stockOf(shown: string): unknown {
  const html = `<!doctype html><title>Oak bowl</title><body><main><h1>Oak bowl</h1><p class="price">€ 30.00</p>
    <p>SKU: OB-30</p>${shown}<button>Add to cart</button></main>
    <script type="application/ld+json">{"@type":"Product","name":"Oak bowl","sku":"OB-30"}</script>`;
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => ({}) });
  const [variant] = findProduct(evidence, URL)?.variants ?? [];
  return variant && { inStock: variant.inStock, text: variant.stockText };
}

describe("the stock of a product is told by a short state", () => {
  test.each([
    ["Sold out", "<p>Sold out</p>", { inStock: false, text: "Sold out" }],
    ["with more behind a full stop", "<p>Sold out. Again in May.</p>", false],
    ["a button", "<button disabled>Sold out</button>", { inStock: false, text: "Sold out" }],
    ["In stock", "<p>In stock</p>", { inStock: true, text: "In stock" }],
  ])("%s", (_name, shown, expected) => {
    expect(stockOf(shown)).toMatchObject(typeof expected === "object" ? expected : { inStock: expected });
  });

  test.each([
    ["a description", "<p>Oak bowl, oiled by hand, 5.25 oz (149 g), of the (discontinued) line of bowls</p>"],
    ["what is not available is something else", "<p>Not available for this item</p>"],
    ["the button to buy", "<p></p>"],
    ["a link", '<a href="/shops">In stock in our shops</a>'],
  ])("not by %s", (_name, shown) => {
    expect(stockOf(shown)).toEqual({ inStock: true, text: undefined });
  });
});
