import { describe, expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { findProduct } from "./find-product.ts";

const URL = "http://shop.test/p/lamp-84512";
const MEGABYTE = 1_000_000;
/** Some 50 times what the slowest of these takes on an idle machine. */
const PATIENCE_MS = 5000;

function productOf(source: string, url = URL) {
  const tree = parseHtml(source);
  return findProduct(
    gatherEvidence({ tree, source: () => source, metadata: () => extractMetadata(tree, url) }),
    url,
  );
}

function ofMegabyte(text: string): string {
  return text.repeat(Math.ceil(MEGABYTE / text.length));
}

/** What patterns for prices, labels, stock, names and numbers could be slow on. */
const WORST = {
  blanks: " ",
  "no-break spaces": "\u00a0",
  digits: "1",
  "digits and blanks": "1 ",
  "groups of digits": "1 111",
  "digits and points": "1.",
  "digits and commas": "1,1",
  "currency signs": "$ ",
  "prices in a row": "$9.99 ",
  colons: "a:",
  "labels without values": "SKU : ",
  brackets: "(((",
  "open tags": "&lt;a ",
  "words of buttons": "add to my shopping ",
  "words of stock": "not currently ",
  dashes: "- ",
  letters: "a",
  "right to left": "מחיר ",
  emoji: "💡",
  ampersands: "&amp;#8217",
};

const PLACES: Readonly<Record<string, (text: string) => string>> = {
  "a text": (text) => `<h1>Lamp</h1><p>${text}</p>`,
  "a heading": (text) => `<h1>${text}</h1><p>$9.99</p>`,
  "a class": (text) => `<h1>Lamp</h1><p class="${text}">$9.99</p>`,
  "a title": (text) => `<title>${text}</title><h1>Lamp</h1><p>$9.99</p>`,
  "a button": (text) => `<h1>Lamp</h1><button class="${text}">${text}</button>`,
  "a name in JSON-LD": (text) =>
    `<script type="application/ld+json">{"@type":"Product","name":"${text}","sku":"${text}","offers":{"price":"${text}"}}</script><h1>Lamp</h1>`,
  "a script": (text) => `<script>price = ${text}</script><h1>Lamp</h1>`,
  "a value in a script": (text) => `<script>x = {price: "${text}", name: "${text}"}</script><h1>Lamp</h1>`,
};

describe.each(Object.entries(WORST))("1 MB of %s ends soon", (_, text) => {
  test.each(Object.entries(PLACES))("in %s", (_place, page) => {
    const source = page(ofMegabyte(text));
    const before = process.cpuUsage();
    productOf(source);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(PATIENCE_MS);
  });
});

describe("scripts that never close end soon:", () => {
  test.each(["={", "=[", "=(", "={a:", '={"a":[', "={'", "=/*", "x=`", "JSON.parse('"])("%s", (text) => {
    const before = process.cpuUsage();
    productOf(`<script>price${ofMegabyte(text)}</script><h1>Lamp</h1>`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(PATIENCE_MS);
  });
});

describe("data that is too much", () => {
  const lamp = `<h1>Blue lamp</h1><p class="price">$9.99</p><button>Add to cart</button>`;

  test("5 MB that name another product change nothing", () => {
    const other = {
      "@type": "Product",
      name: "Green chair",
      brand: "Chairy",
      description: "x".repeat(5 * MEGABYTE),
    };
    const source = `<title>Blue lamp</title><script type="application/ld+json">${JSON.stringify(other)}</script>${lamp}`;
    expect(JSON.stringify(productOf(source)) ?? "").not.toContain("Chairy");
  });

  test.each([
    ["objects", '{"a":', "}"],
    ["lists", "[", "]"],
  ])("10,000 %s inside each other do no harm", (_, open, close) => {
    const json = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
    const page = `<title>Blue lamp</title><script type="application/ld+json">${json}</script><script>price=${json}</script>${lamp}`;
    expect(() => productOf(page)).not.toThrow();
  });

  test("items that refer to each other in a circle do no harm", () => {
    const graph = [
      { "@id": "#a", "@type": "Product", name: "Blue lamp", brand: { "@id": "#b" }, offers: { "@id": "#a" } },
      { "@id": "#b", "@type": "Brand", name: { "@id": "#b" }, offers: { "@id": "#a" } },
    ];
    const page = `<title>Blue lamp</title><script type="application/ld+json">${JSON.stringify({ "@graph": graph })}</script>${lamp}`;
    expect(() => productOf(page)).not.toThrow();
  });

  test("of 300 scripts that name a product each, the one of the page counts", () => {
    const products = Array.from({ length: 300 }, (_, index) => ({
      "@type": "Product",
      name: index === 150 ? "Blue lamp" : `Chair ${index}`,
      sku: `S-${index}`,
      offers: { price: index + 1, priceCurrency: "EUR" },
    }));
    const scripts = products.map(
      (one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`,
    );
    const page = `<title>Blue lamp</title>${scripts.join("")}<h1>Blue lamp</h1><button>Add to cart</button>`;
    expect(productOf(page)?.variants).toMatchObject([{ sku: "S-150", price: { amount: 151 } }]);
  });

  const offers = Array.from({ length: 20_000 }, (_, index) => ({
    "@type": "Offer",
    sku: `S-${index}`,
    price: index + 1,
    priceCurrency: "EUR",
  }));

  test.each([
    ["offers of one product", { "@type": "Product", name: "Blue lamp", offers }],
    [
      "variants of a group",
      {
        "@type": "ProductGroup",
        name: "Blue lamp",
        hasVariant: offers.map((offer) => ({ "@type": "Product", name: "Blue lamp", offers: offer })),
      },
    ],
  ])("of 20,000 %s, 300 are told", (_what, data) => {
    const before = process.cpuUsage();
    const product = productOf(
      `<title>Blue lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script>${lamp}`,
    );
    expect(product?.variants).toHaveLength(300);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(PATIENCE_MS);
  });

  test("10 MB of data leave what the page shows", () => {
    const graph = Array.from({ length: 100_000 }, (_, index) => ({
      "@id": `#${index}`,
      "@type": "Thing",
      name: "x".repeat(60),
      about: { "@id": `#${(index * 7) % 100_000}` },
    }));
    const source = `<title>Blue lamp</title><script type="application/ld+json">${JSON.stringify({ "@graph": graph })}</script>${lamp}`;
    expect(source.length).toBeGreaterThan(10 * MEGABYTE);
    expect(productOf(source)?.variants).toMatchObject([{ price: { amount: 9.99, currency: "USD" } }]);
  });

  test("items that name each other by itemref, and 10,000 inside each other, do no harm", () => {
    const circle = `<div id="a" itemscope itemtype="https://schema.org/Product" itemref="b"><b itemprop="name">Blue lamp</b></div>
      <div id="b" itemprop="offers" itemscope itemtype="https://schema.org/Offer" itemref="a b"><b itemprop="price">9.99</b></div>`;
    const product = '<div itemscope itemprop="isRelatedTo" itemtype="https://schema.org/Product">';
    expect(productOf(`<title>Blue lamp</title>${circle}${lamp}`)?.title).toBe("Blue lamp");
    expect(() => productOf(product.repeat(10_000) + lamp)).not.toThrow();
  });

  test("entries of a state that refer to each other in a circle stay apart", () => {
    const entry = (id: number, name: string, price: number) => ({
      __typename: "Product",
      id: `${id}`,
      name,
      price,
      currency: "USD",
      related: [{ __ref: `Product:${3 - id}` }],
    });
    const state = { "Product:1": entry(1, "Blue lamp", 24.5), "Product:2": entry(2, "Green lamp", 99) };
    const page = `<title>Blue lamp</title><script>window.__APOLLO_STATE__=${JSON.stringify(state)}</script><h1>Blue lamp</h1><button>Add to cart</button>`;
    expect(productOf(page)).toMatchObject({
      title: "Blue lamp",
      variants: [{ price: { amount: 24.5, currency: "USD" } }],
    });
  });

  test.each(["__proto__", "constructor", "toString"])(
    "a property called %s is one like any other",
    (name) => {
      const json = `{"@type":"Product","name":"Blue lamp","${name}":{"price":1},"offers":{"${name}":"x","price":9.99}}`;
      const page = `<title>Blue lamp</title><script type="application/ld+json">${json}</script><script>price=${json}</script>${lamp}`;
      expect(() => productOf(page)).not.toThrow();
      expect(({} as { price?: number }).price).toBeUndefined();
    },
  );
});
