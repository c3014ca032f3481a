import { expect, test } from "vitest";

import { parseHtml } from "../../parser/parse.ts";
import { selectAll } from "../../selection/selection.ts";
import { findCards } from "./cards.ts";
import { Lexicon } from "./lexicon.ts";
import { readPage } from "./page-tables.ts";

const EMPTY = { names: new Lexicon([], []), words: new Lexicon([], []) };

/** The texts in each family of cards of a page. */
function familiesOf(html: string): readonly string[] {
  const page = readPage(selectAll(parseHtml(html)), "https://site.test/", EMPTY);
  const { familyAt, chars } = findCards(page);
  const texts = chars.map(() => "");
  page.blocks.owner.forEach((owner, block) => {
    const family = familyAt[owner] ?? -1;
    if (family >= 0) texts[family] += page.tree.text(page.blocks.first[block] ?? 0).replace(/\D/g, "");
  });
  return texts;
}

const card = (at: number, name = `post-${at} type-${at % 2}`) =>
  `<article class="${name}"><h2><a href="/${at}">Title ${at}</a></h2><p>Text ${at}</p></article>`;

test("siblings whose classes begin alike, numbers apart, are cards of one family", () => {
  expect(familiesOf(`<main>${card(1)}${card(2)}${card(3)}</main>`)).toEqual(["112233"]);
});

test("cards in several containers are one family", () => {
  const shelf = `<section class="shelf"><h2>Shelf</h2>${card(1)}${card(2)}${card(3)}</section>`;
  expect(familiesOf(`<main>${shelf}<p>Between</p>${shelf}</main>`)).toEqual(["112233112233"]);
});

test("two of a kind, siblings of other kinds, and lines of a menu are no cards", () => {
  const menu = `<ul>${[1, 2, 3, 4].map((at) => `<li class="m"><a href="/${at}">Page ${at}</a></li>`).join("")}</ul>`;
  expect(familiesOf(`${menu}<main>${card(1)}${card(2)}${card(3, "box")}${card(4, "note")}</main>`)).toEqual(
    [],
  );
});

test("an item with a picture and one text is a card", () => {
  const item = (at: number) => `<li class="tile"><img src="/${at}.jpg"><a href="/${at}">Thing ${at}</a></li>`;
  expect(familiesOf(`<ul>${item(1)}${item(2)}${item(3)}</ul>`)).toEqual(["123"]);
});
