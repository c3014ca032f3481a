import { describe, expect, test } from "vitest";

import { findMenu } from "../../../packages/facts/src/menu/find-menu.ts";
import { extractJson } from "../../../packages/facts/src/extraction/extract-json.ts";
import { findProduct } from "../../../packages/facts/src/product/find-product.ts";
import { judge } from "../../quality/page-data/made-sets.ts";
import { makeFacts } from "./facts.ts";
import { makeMenus } from "./menus.ts";
import { makeProducts } from "./products.ts";
import { openPage } from "../product/labelled-pages.ts";

interface Card {
  readonly sections: readonly {
    readonly name: string;
    readonly items: readonly { readonly name: string; readonly price: number }[];
  }[];
}

const keysOf = ({ sections }: Card) =>
  sections.flatMap(({ name, items }) => items.map((item) => `${name}|${item.name}|${item.price}`));

describe("made pages", () => {
  test("of sixty restaurants, more than eight in ten dishes have their price and section", () => {
    const pages = makeMenus();
    let [hits, all] = [0, 0];
    for (const { name, html, expected } of pages) {
      const url = `https://${name}.test/card`;
      const menu = findMenu(openPage({ url, html: () => html })(), url);
      const found = (menu?.sections ?? []).flatMap((section) =>
        section.items.map((item) => `${section.name}|${item.name}|${item.price?.amount}`),
      );
      const wanted = new Set(keysOf(expected as Card));
      hits += found.filter((key) => wanted.has(key)).length;
      all += wanted.size + found.length;
    }
    expect(pages).toHaveLength(60);
    expect((2 * hits) / all).toBeGreaterThan(0.85);
  });

  test("of 25 shops without structured data give price, number, brand and stock of nine in ten products", () => {
    const pages = makeProducts();
    const right = { price: 0, sku: 0, brand: 0, stock: 0 };
    for (const { row, html } of pages) {
      const product = findProduct(openPage({ url: row.url, html: () => html })(), row.url);
      const [variant] = product?.variants ?? [];
      right.price += row.truth.price[0] === variant?.price?.amount ? 1 : 0;
      right.sku += row.truth.sku[0] === variant?.sku ? 1 : 0;
      right.brand += row.truth.brand[0] === product?.brand ? 1 : 0;
      right.stock += row.truth.inStock === variant?.inStock ? 1 : 0;
    }
    expect(pages).toHaveLength(100);
    for (const count of Object.values(right)) expect(count).toBeGreaterThanOrEqual(90);
  });

  test("of events, jobs, recipes and contacts fill the fields of a schema, and none wrongly", () => {
    const pages = makeFacts();
    let [right, wrong, missing] = [0, 0, 0];
    for (const page of pages) {
      const url = `https://${page.id}.test/`;
      const properties = Object.fromEntries(
        Object.keys(page.truth).map((name) => [name, { type: "string" }]),
      );
      const schema = { type: "object", properties };
      const { value } = extractJson(
        openPage({ url, html: () => page.html })(),
        { schema, prompt: undefined },
        url,
      );
      const found = judge(page, value as Readonly<Record<string, unknown>>);
      right += found.right;
      wrong += found.wrong;
      missing += found.missing;
    }
    expect(pages).toHaveLength(200);
    expect(right / (right + wrong + missing)).toBeGreaterThan(0.95);
    expect(wrong).toBe(0);
  });
});
