import { expect, test } from "vitest";

import { extractJson } from "../../../packages/facts/src/extraction/extract-json.ts";
import { findProduct } from "../../../packages/facts/src/product/find-product.ts";
import { judge } from "../../quality/page-data/made-sets.ts";
import { openPage } from "../product/labelled-pages.ts";
import { FACT_LAYOUTS_ABROAD, FACT_WORDS_ABROAD } from "./facts-abroad.ts";
import { FACT_LAYOUTS_ASIDE, makeFacts } from "./facts.ts";
import { PARTS_ABROAD } from "./goods-abroad.ts";
import { PARTS_ASIDE } from "./goods-aside.ts";
import { LAYOUTS_ASIDE } from "./menu-layouts-aside.ts";
import { makeMenus } from "./menus.ts";
import { makeProducts } from "./products.ts";

test("pages that are kept aside share no page with those that rules were written beside, and are the same each time", () => {
  const known = [...makeMenus(), ...makeFacts(), ...makeProducts()].map(({ html }) => html);
  const make = () =>
    [...makeMenus(LAYOUTS_ASIDE), ...makeFacts(FACT_LAYOUTS_ASIDE), ...makeProducts(PARTS_ASIDE)].map(
      ({ html }) => html,
    );
  const aside = make();
  expect(aside).toStrictEqual(make());
  expect(aside).toHaveLength(60 + 200 + 80);
  expect(new Set([...known, ...aside]).size).toBe(new Set(known).size + new Set(aside).size);
});

test("nine in ten facts of pages in languages and layouts that no rule was written beside are found, and none wrongly", () => {
  let [right, wrong, missing] = [0, 0, 0];
  for (const page of makeFacts(FACT_LAYOUTS_ABROAD, 12_001, FACT_WORDS_ABROAD)) {
    const properties = Object.fromEntries(Object.keys(page.truth).map((name) => [name, { type: "string" }]));
    const url = `https://${page.id}.test/`;
    const evidence = openPage({ url, html: () => page.html })();
    const { value } = extractJson(evidence, { schema: { type: "object", properties } }, url);
    const found = judge(page, value as Readonly<Record<string, unknown>>);
    right += found.right;
    wrong += found.wrong;
    missing += found.missing;
  }
  expect((2 * right) / (2 * right + 2 * wrong + missing)).toBeGreaterThan(0.9);
  expect(wrong).toBe(0);
});

test("so are prices, numbers and brands of their shops", () => {
  const pages = makeProducts(PARTS_ABROAD);
  const right = { price: 0, sku: 0, brand: 0 };
  for (const { row, html } of pages) {
    const product = findProduct(openPage({ url: row.url, html: () => html })(), row.url);
    const [variant] = product?.variants ?? [];
    right.price += row.truth.price[0] === variant?.price?.amount ? 1 : 0;
    right.sku += row.truth.sku[0] === variant?.sku ? 1 : 0;
    right.brand += row.truth.brand[0] === product?.brand ? 1 : 0;
  }
  for (const count of Object.values(right)) expect(count / pages.length).toBeGreaterThan(0.9);
});
