import { describe, expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { findProduct } from "./find-product.ts";

const PAGE = "http://shop.test/p/blue-lamp-84512";

function productOf(body: string, head = "", url = PAGE) {
  const source = `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
  const tree = parseHtml(source);
  return findProduct(
    gatherEvidence({ tree, source: () => source, metadata: () => extractMetadata(tree, url) }),
    url,
  );
}

const TITLE = "<title>Blue desk lamp | Lampery</title>";
const BODY = `<h1>Blue desk lamp</h1><div class="product-price">$24.50</div><button>Add to cart</button>
  <p>A lamp for desks. It is blue, has a long arm and is made of steel.</p>`;

function jsonLd(data: unknown): string {
  return `${TITLE}<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

const LAMP = {
  "@context": "https://schema.org",
  "@type": "Product",
  name: "Blue desk lamp",
  sku: "L-84512",
  brand: { "@type": "Brand", name: "Lampery" },
  offers: {
    "@type": "Offer",
    price: "24.50",
    priceCurrency: "USD",
    availability: "https://schema.org/InStock",
  },
};

describe("what data states", () => {
  test("JSON-LD gives title, brand, sku, price, stock", () => {
    expect(productOf(BODY, jsonLd(LAMP))).toMatchObject({
      title: "Blue desk lamp",
      brand: "Lampery",
      url: PAGE,
      variants: [
        { sku: "L-84512", price: { amount: 24.5, currency: "USD", formatted: "$24.50" }, inStock: true },
      ],
    });
  });

  test.each([
    ["OutOfStock", undefined],
    ["InStock", 0],
  ])("a price of nothing is one only of what can be had: %s", (availability, amount) => {
    const offers = { ...LAMP.offers, price: "0", availability: `https://schema.org/${availability}` };
    const body = `<h1>Blue desk lamp</h1><p>${"A lamp for desks. ".repeat(9)}</p><button>Add to cart</button>`;
    const variant = productOf(body, jsonLd({ ...LAMP, offers }))?.variants[0];
    expect([variant?.inStock, variant?.price?.amount]).toEqual([availability === "InStock", amount]);
  });

  test.each([
    ["Blue desk", "Blue desk"],
    ["Blue desk,", "Blue desk lamp"],
    ["Blue de sk lamp", "Blue desk lamp"],
    ["Blue desk lamp, long arm", "Blue desk lamp, long arm"],
    ["Lamp of the year,", "Lamp of the year,"],
  ])("a name is the page's where data have cut or parted it: %s", (name, title) => {
    expect(productOf(BODY, jsonLd({ ...LAMP, name }))?.title).toBe(title);
  });

  test.each([
    ["Blue desk lamp", "Blue desk lamp — Lampery", "Blue desk lamp"],
    ["Blue lamp with arm", "Blue lamp – a gift for desks in blue", "Blue lamp with arm"],
    ["Blue desk lamp Details: more", "Blue desk lamp", "Blue desk lamp"],
    ["Lamps", "Blue desk lamp — Lamps — Lampery", "Blue desk lamp — Lamps — Lampery"],
    ["Our new things", "Blue desk lamp — Lampery", "Blue desk lamp — Lampery"],
    ["Lamp & Son", "Lamp & Son: Blue desk lamp", "Lamp & Son: Blue desk lamp"],
    ["Lamp House", "Lamp House: Blue desk lamp", "Lamp House: Blue desk lamp"],
    ["Lamp Store", "Blue desk lamp | Lamp Store", "Blue desk lamp | Lamp Store"],
  ])("under the heading %s a name that is the document's title, %s, is %s", (heading, name, title) => {
    const data = jsonLd({ ...LAMP, name, brand: "Lamp & Son" }).replace(TITLE, `<title>${name}</title>`);
    const head = `${data}<meta property="og:site_name" content="Lamp House">`;
    expect(productOf(BODY.replace("Blue desk lamp", heading), head)?.title).toBe(title);
  });

  test("a picture has the words that the page says in its place", () => {
    const images = ["/lamp.jpg", "/other.jpg"];
    const shown = `<img src="blank.gif" data-src="/lamp.jpg" alt="The lamp on a desk"><img src="/logo.png" alt="Shop">`;
    const product = productOf(shown + BODY, jsonLd({ ...LAMP, image: images }));
    const [lamp, other] = images.map((image) => new URL(image, PAGE).href);
    expect(product?.variants[0]?.images).toEqual([{ url: lamp, alt: "The lamp on a desk" }, { url: other }]);
  });

  test("microdata gives the same", () => {
    const body = `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue desk lamp</h1>
      <span itemprop="brand">Lampery</span><meta itemprop="sku" content="L-84512">
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD">
      <span class="price" itemprop="price" content="24.50">$24.50</span>
      <link itemprop="availability" href="https://schema.org/OutOfStock"></div><button>Add to cart</button></div>`;
    expect(productOf(body, TITLE)).toMatchObject({
      brand: "Lampery",
      variants: [{ sku: "L-84512", price: { amount: 24.5, currency: "USD" }, inStock: false }],
    });
  });

  test("RDFa gives the same", () => {
    const body = `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Blue desk lamp</h1>
      <span property="brand">Lampery</span><meta property="sku" content="L-84512">
      <div property="offers" typeof="Offer"><meta property="priceCurrency" content="USD">
      <span class="price" property="price" content="24.50">$24.50</span></div><button>Add to cart</button></div>`;
    expect(productOf(body, TITLE)).toMatchObject({
      brand: "Lampery",
      variants: [{ sku: "L-84512", price: { amount: 24.5, currency: "USD" } }],
    });
  });

  test("the state of scripts gives variants with their options", () => {
    const state = `<script>window.__STATE__ = {page: {product: {title: 'Blue desk lamp', vendor: 'Lampery', price: 24.5,
      options: ['Size'], variants: [
        {id: 1, sku: 'L-1', option1: 'Small', price: 24.5, available: true},
        {id: 2, sku: 'L-2', option1: 'Large', price: 34.5, available: false},
      ]}}}</script>`;
    const product = productOf(BODY + state, TITLE + '<meta property="og:type" content="product">');
    expect(product?.brand).toBe("Lampery");
    expect(product?.variants).toMatchObject([
      { id: "1", sku: "L-1", values: { Size: "Small" }, price: { amount: 24.5 }, inStock: true },
      { id: "2", sku: "L-2", values: { Size: "Large" }, price: { amount: 34.5 }, inStock: false },
    ]);
  });

  test("a group has the variants that it lists, each with its own price", () => {
    const hasVariant = ["Small", "Large"].map((size, index) => ({
      "@type": "Product",
      name: `Blue desk lamp ${size}`,
      sku: `L-84512-${size}`,
      size,
      offers: { "@type": "Offer", price: 24.5 + index * 10, priceCurrency: "EUR" },
    }));
    const group = { "@type": "ProductGroup", name: "Blue desk lamp", productGroupID: "L-84512", hasVariant };
    expect(productOf(BODY, jsonLd(group))?.variants).toMatchObject([
      { values: { size: "Small" }, price: { amount: 24.5, currency: "EUR" } },
      { values: { size: "Large" }, price: { amount: 34.5, currency: "EUR" } },
    ]);
  });

  test("what is said of another product is not mixed in", () => {
    const other = {
      "@type": "Product",
      name: "Green garden chair",
      brand: "Chairy",
      gtin13: "4006381333931",
    };
    const product = productOf(BODY, jsonLd([{ ...LAMP, brand: undefined, isRelatedTo: other }, other]));
    expect(product?.title).toBe("Blue desk lamp");
    expect(JSON.stringify(product)).not.toMatch(/Chairy|4006381333931/);
  });
});

describe("what the page shows", () => {
  const shown = (price: string, head = "") =>
    productOf(
      `<h1>Blue desk lamp</h1><div class="product-info">Brand: Lampery<br>SKU: L-84512
       <div class="price-box">${price}</div><form><input name="quantity" value="1"><button>Add to cart</button></form></div>
       <p>A lamp for desks. It is blue, has a long arm and is made of steel.</p>`,
      `${TITLE}<meta property="og:type" content="product">${head}`,
    )?.variants[0];

  test.each([
    ["in an element of its own", "<span>Item no.</span> <span>L-84512</span>"],
    ["behind a label without a colon", "<li>Item no. L-84512</li>"],
    ["behind a sign", "<small>SKU# L-84512</small>"],
  ])("gives the number %s", (_, number) => {
    expect(productOf(`${BODY}${number}`, TITLE)?.variants[0]?.sku).toBe("L-84512");
  });

  test.each([
    ["as a logo", '<img src="/l.png" alt="Lampery" class="brand-logo">'],
    ["as a vendor", '<div class="vendor">Lampery</div>'],
    ["after by", '<p>by <a href="/l">Lampery</a></p><p>$24.50 a piece</p>'],
  ])("gives the brand %s", (_, brand) => {
    const body = BODY.replace("</h1>", `</h1>${brand}`);
    expect(productOf(body, "<title>Blue desk lamp</title>")?.brand).toBe("Lampery");
  });

  test("gives price, brand and number where there is no data", () => {
    expect(shown('<span class="price">$24.50</span>')).toMatchObject({
      sku: "L-84512",
      price: { amount: 24.5, currency: "USD", formatted: "$24.50" },
      inStock: true,
    });
  });

  test.each([
    ["of payments, behind", '<span class="price">$120.00</span> <span>or 12 x $10.00</span>', 120],
    [
      "of payments, before",
      '<div class="installments">12 x $10.00 per month</div><div class="price">$120.00</div>',
      120,
    ],
    [
      "of payments, in words",
      '<p>4 interest-free payments of $6.12</p><span class="price">$24.48</span>',
      24.48,
    ],
    ["a month", '<span class="price">120,00 €</span><span>oder ab 10,00 € monatlich</span>', 120],
    ["a kilogram, behind", '<div class="price">€24.50 <small>€49.00 / kg</small></div>', 24.5],
    ["100 grams, before", '<div>(€4.90 / 100 g)</div><span class="price">€24.50</span>', 24.5],
    ["a range, whose lowest counts", '<span class="price">$24.50 – $39.00</span>', 24.5],
    ["a beginning", '<span class="price">from $24.50</span>', 24.5],
  ])("the price is the whole one beside that of %s", (_, price, amount) => {
    expect(shown(price)?.price?.amount).toBe(amount);
  });

  test("a price by the metre is the product's where there is no other", () => {
    expect(shown('<span class="price">$24.50 / m</span>')?.price?.amount).toBe(24.5);
  });

  test("a price that is struck out is the one before the discount", () => {
    const { price, originalPrice } =
      shown('<del class="old-price">€30,00</del> <span class="price">€24,50</span>') ?? {};
    expect(price).toMatchObject({ amount: 24.5, currency: "EUR" });
    expect(originalPrice).toMatchObject({ amount: 30, currency: "EUR" });
  });
});

describe("pages that sell no single product have none:", () => {
  const cards = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<li class="card"><a href="/p/${index}">Lamp number ${index}</a><span class="price">$${index + 10}.00</span><button>Add to cart</button></li>`,
    ).join("");

  test.each([
    ["a category", `<h1>Desk lamps</h1><ul>${cards(30)}</ul>`],
    ["300 products", `<h1>Desk lamps</h1><ul>${cards(300)}</ul>`],
    [
      "an article that names prices",
      `<h1>Are lamps dear?</h1><p>${"Lamps cost from $10 to $300 in most shops. ".repeat(40)}</p>`,
    ],
    ["nothing", ""],
    ["a heading", "<h1>About us</h1><p>We are a company.</p>"],
  ])("%s", (_, body) => {
    expect(productOf(body, "<title>Desk lamps | Lampery</title>", "http://shop.test/lamps")).toBeUndefined();
  });

  test("a list of several products in data", () => {
    const list = Array.from({ length: 12 }, (_, index) => ({
      ...LAMP,
      name: `Lamp number ${index}`,
      sku: `${index}`,
    }));
    expect(
      productOf(`<h1>Desk lamps</h1><ul>${cards(12)}</ul>`, jsonLd(list), "http://shop.test/lamps"),
    ).toBeUndefined();
  });
});
