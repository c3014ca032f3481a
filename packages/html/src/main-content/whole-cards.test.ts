import { expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { chooseBlocks } from "./choose.ts";
import { shippedModel } from "./model/model.ts";
import { readPage } from "./tables/page-tables.ts";

/** The texts kept of a page where titles are sure, facts unlikely and furniture impossible. */
function keptTexts(body: string, head = ""): string {
  const tree = parseHtml(`<html><head>${head}</head><body>${body}</body></html>`);
  const page = readPage(selectAll(tree), "https://site.test/", shippedModel().lexica);
  const texts = Array.from(page.blocks.first, (node) => tree.text(node));
  const chanceOf = (text: string) => (text.startsWith("Title") ? 0.9 : text.startsWith("Fact") ? 0.2 : 0.01);
  const kept = chooseBlocks(page, Float32Array.from(texts, chanceOf));
  return texts.filter((_, block) => kept[block] === 1).join(" ");
}

const THINGS = ["oak stool", "blue lamp", "wool rug"];
const card = (thing: string, at: number) =>
  `<div class="card c${at}"><h3><a href="/${at}">Title of the ${thing}</a></h3><p>Fact ${at}</p><div>Sponsor</div></div>`;
const CARDS = `<section>${THINGS.map(card).join("")}</section>`;

test("items of a list keep the facts shown with them, and nothing that is surely none", () => {
  expect(keptTexts(CARDS)).toBe(
    "Title of the oak stool Fact 0 Title of the blue lamp Fact 1 Title of the wool rug Fact 2",
  );
});

test("cards beside a long text, and those of a page that is one product, are not completed", () => {
  const text = `<p>${"Title of a text that goes on and on. ".repeat(20)}</p>`;
  expect(keptTexts(text + CARDS)).not.toContain("Fact");
  expect(keptTexts(CARDS, `<meta property="og:type" content="product">`)).not.toContain("Fact");
});

test.each([
  ["titles are completed, however long their text is", "Title of a card", 2, true],
  ["authors are replies", "Title", 1, false],
])("cards whose only links are %s", (_, name, times, isCompleted) => {
  const cards = THINGS.map((thing, at) => {
    const heading = `<h3><a href="/${at}">${name}</a></h3>`;
    const shown = `<h4>Title of ${thing} that is kept</h4>`.repeat(times);
    return `<div class="c">${heading}${shown}<p>Fact of a story with ${at} links in it</p><i>${at}</i></div>`;
  });
  expect(keptTexts(cards.join("")).includes("Fact")).toBe(isCompleted);
});

const goods = (price: string) =>
  ["oak stool", "blue lamp", "wool rug", "ash chair"]
    .map((name, at) => `<div class="g"><a href="/${at}">Fact: ${name}</a><p>${price}</p></div>`)
    .join("");

test.each([
  ["goods are kept beside a long text", goods("£ 12"), "", true],
  ["cards without prices are not", goods("12"), "", false],
  ["other products are not", goods("£ 12"), `<form id="add-to-cart"></form>`, false],
])("%s", (_, cards, form, isKept) => {
  const text = `<p>${"Title of a text that goes on and on. ".repeat(20)}</p>`;
  expect(keptTexts(`${text}${form}<h2>Goods</h2><section>${cards}</section>`).includes("Fact")).toBe(isKept);
});

test("replies that hardly link anywhere are not completed", () => {
  expect(keptTexts(CARDS.replaceAll(/<\/?a[^>]*>/g, ""))).not.toContain("Fact");
});
