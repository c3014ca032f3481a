import { expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { adjustChances } from "./adjust.ts";
import { shippedModel } from "./model/model.ts";
import { readPage } from "./tables/page-tables.ts";

const CARDS = ["stool", "lamp", "rug"]
  .map((name) => `<li class="card"><a href="/${name}"><b>Woven ${name}</b></a><p>€ 12</p></li>`)
  .join("");
const TEXT = "<p>This chair is made of ash, its seat of paper cord, and it carries more than it weighs.</p>";
const data = (...types: readonly string[]) =>
  types.map((type) => `<script type="application/ld+json">{"@type":"${type}"}</script>`).join("");

/** How likely the parts of a page are that were all as likely before. */
function chancesOf(head: string, body: string) {
  const tree = parseHtml(
    `<html><head>${head}</head><body><main><h1>Chair</h1>${TEXT.repeat(3)}${body}</main><ul>${CARDS}</ul></body></html>`,
  );
  const page = readPage(selectAll(tree), "https://shop.test/chair", shippedModel().lexica);
  const adjusted = adjustChances(page, new Float32Array(page.blocks.size).fill(0.8));
  const of = (text: string) =>
    Array.from(page.blocks.first).findIndex((node) => tree.text(node).includes(text));
  return { chair: adjusted[of("made of ash")] ?? 0, others: adjusted[of("Woven lamp")] ?? 0 };
}

test.each([
  ["data of one product", data("Product"), ""],
  ["data of a product with variants", data("ProductGroup", "Product", "Product", "Product"), ""],
  ["markup of one product", "", `<div itemscope itemtype="https://schema.org/Product"></div>`],
  ["a form to buy it", "", `<form action="/cart" id="add-to-cart"><button>Kaufen</button></form>`],
])("cards beside the product of a page are doubted: %s", (_, head, body) => {
  const { chair, others } = chancesOf(head, body);
  expect(others).toBeLessThan(chair / 2);
});

test.each([
  ["no product", "", ""],
  ["a list of products", data("ItemList", "Product"), ""],
  ["several products", data("Product", "Product", "Product"), ""],
  ["several products in markup", "", `<i itemtype="https://schema.org/Product"></i>`.repeat(2)],
])("cards of a page are as likely as before: %s", (_, head, body) => {
  const { chair, others } = chancesOf(head, body);
  expect(others).toBe(chair);
});
