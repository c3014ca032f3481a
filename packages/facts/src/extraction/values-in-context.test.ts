import { describe, expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { extractJson } from "./extract-json.ts";
import { readNumber } from "./read-number.ts";

const URL = "https://site.test/page";

function valueFor(properties: object, body: string, language = "en", title = "x"): unknown {
  const html = `<!doctype html><html lang="${language}"><head><title>${title}</title></head><body><main>${body}</main></body></html>`;
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => extractMetadata(tree, URL) });
  return extractJson(evidence, { schema: { type: "object", properties } }, URL).value;
}

const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const DAY = { type: "string", format: "date" };

describe("units are not multipliers", () => {
  test.each([
    ["3.6 m", 3.6],
    ["12 m", 12],
    ["24 m²", 24],
    ["40m", 40],
    ["5 B", 5],
    [".5", 0.5],
    [".125", 0.125],
    ["300 K", 300],
    ["90 min", 90],
    ["1.2M", 1_200_000],
    ["12.4K", 12_400],
    ["12,4k", 12_400],
    ["$3.5 million", 3_500_000],
    ["€ 4 m", 4_000_000],
    ["USD 2 b", 2_000_000_000],
    ["3,5 Millionen", 3_500_000],
    ["2 Mrd. €", 2_000_000_000],
    ["2 milliards", 2_000_000_000],
    ["7 millones", 7_000_000],
  ])("%s", (text, number) => {
    expect(readNumber(text)).toBe(number);
  });
});

test("people that a paragraph links to have not written it", () => {
  const person = '<a href="/people/ann-lee">Ann Lee</a>';
  const more = "The slip was rebuilt over two winters, with oak sleepers from a siding. ".repeat(4);
  const authorOf = (line: string): unknown =>
    valueFor({ author: TEXT }, `<h1>The slip</h1>${line}<p>${more}</p>`);
  expect(authorOf(`<p>Harbour master ${person} opened it. ${more}</p>`)).not.toHaveProperty("author");
  expect(authorOf(`<div>${person}</div>`)).toEqual({ author: "Ann Lee" });
});

test.each([
  [
    "How slips are rebuilt in two winters | Harbour Post",
    '<h1><a href="/">Harbour Post</a></h1><h1>Slips are rebuilt</h1>',
  ],
  [
    "Slipanlage: zwei Winter Arbeit – Hafenbote",
    '<a href="https://bote.test/"><h1>Hafenbote</h1></a><h1>Zwei Winter Arbeit</h1>',
  ],
  ["Le slip est reconstruit — Le Quai", "<h1>Retour au site</h1><h2>Le slip est reconstruit</h2>"],
])("the headline of '%s' is not the name of its site", (title, headings) => {
  const [, wanted] = /.*<h\d>([^<]+)/.exec(headings) ?? [];
  expect(
    valueFor({ headline: TEXT }, `${headings}<p>Oak sleepers came from a siding.</p>`, "en", title),
  ).toEqual({
    headline: wanted,
  });
});

test.each([
  "in the spring of 2019, on 12 March 2019, when the ice had gone",
  "am 12. März 2019, nachdem das Eis gegangen war",
])("a day that a sentence tells of is not that of publication: %s", (words) => {
  const sentence = `<p>The slip behind the chandlery was rebuilt over two winters and opened again ${words}.</p>`;
  const dayOf = (line: string) => valueFor({ datePublished: DAY }, `<h1>The slip</h1>${line}${sentence}`);
  expect(dayOf("")).not.toHaveProperty("datePublished");
  expect(dayOf("<p>4 May 2021</p>")).toEqual({ datePublished: "2021-05-04" });
});

describe("a pair of label and value", () => {
  const head = "<tr><th>Name</th><th>Role</th><th>Phone</th></tr>";

  test.each([
    [
      "the last two cells of a row",
      `<table>${head}<tr><td>Martha Osei</td><td>Founder</td><td>+47 55 01</td></tr><tr><td>Per</td><td>Keeper</td><td>+47 55 02</td></tr></table>`,
    ],
    [
      "four cells",
      "<table><tr><td>1</td><td>Bergen</td><td>Founder</td><td>500,000</td></tr><tr><td>2</td><td>Oslo</td><td>Keeper</td><td>7</td></tr></table>",
    ],
  ])("is not %s", (_, table) => {
    expect(valueFor({ founder: TEXT }, `<h1>About</h1>${table}`)).not.toHaveProperty("founder");
  });

  test.each([
    [
      "a row of two cells",
      "<table><tr><td>Founder</td><td>Martha Osei</td></tr><tr><td>Seat</td><td>Bergen</td></tr></table>",
    ],
    ["a head and its cell", '<table><tr><th scope="row">Founder</th><td>Martha Osei</td></tr></table>'],
    [
      "a row of heads above one row of values",
      "<table><tr><th>Seat</th><th>Founder</th><th>Since</th></tr><tr><td>Bergen</td><td>Martha Osei</td><td>1891</td></tr></table>",
    ],
  ])("is %s", (_, table) => {
    expect(valueFor({ founder: TEXT }, `<h1>About</h1>${table}`)).toEqual({ founder: "Martha Osei" });
  });
});

describe("a price that is struck out", () => {
  test.each([
    ["by its element", '<p class="price"><s>$189.00</s> $149.00</p>'],
    ["as deleted", '<p class="price"><del>189,00 €</del> <ins>149,00 €</ins></p>'],
    [
      "by its style",
      '<div class="price"><span style="text-decoration: line-through">189 kr</span> <b>149 kr</b></div>',
    ],
    [
      "by its name",
      '<div class="price"><span class="text-sm line-through">£189</span><span>£149</span></div>',
    ],
    ["beside its label", "<p>Price: <s>$189.00</s> $149.00</p>"],
    ["in a cell", "<table><tr><td>Price</td><td><s>$189.00</s> $149.00</td></tr></table>"],
  ])("is never the price: %s", (_, price) => {
    expect(valueFor({ price: NUMBER }, `<h1>Trail Boot</h1>${price}`)).toEqual({ price: 149 });
  });
});

test.each(["Price: £ 44", "Preço: £ 44", "Prijs – £ 44", "Hinta: £ 44"])(
  "a price is asked for by its name: %s",
  (text) => {
    expect(valueFor({ price: NUMBER }, `<h1>Regatta</h1><p>Quay: North | ${text}</p><p>${text}</p>`)).toEqual(
      { price: 44 },
    );
  },
);

describe("digits of a day", () => {
  const page = "<h1>Regatta</h1><dl><dt>Event date</dt><dd>03/04/2024</dd></dl>";

  test.each([
    ["en-US", "2024-03-04"],
    ["es-US", "2024-03-04"],
    ["en-GB", "2024-04-03"],
    ["en", "2024-04-03"],
    ["de", "2024-04-03"],
  ])("are read as people write them: %s", (language, day) => {
    expect(valueFor({ event_date: DAY }, page, language)).toEqual({ event_date: day });
  });

  test.each([
    ["en", "en_US", "2024-03-04"],
    ["en", "en_GB", "2024-04-03"],
    ["en-GB", "en_US", "2024-04-03"],
    ["de", "en_US", "2024-04-03"],
  ])("are read by the language, else by the locale: %s, %s", (language, locale, day) => {
    const head = `<meta property="og:locale" content="${locale}">`;
    expect(valueFor({ event_date: DAY }, `${head}${page}`, language)).toEqual({ event_date: day });
  });

  test.each([
    ["03-04-2024", "2024-03-04"],
    ["03.04.2024", "2024-04-03"],
    ["2024-03-04", "2024-03-04"],
  ])("of the United States stand between slashes or dashes: %s", (written, day) => {
    expect(valueFor({ event_date: DAY }, page.replace("03/04/2024", written), "en-US")).toEqual({
      event_date: day,
    });
  });

  test("that can be no month are the day", () => {
    expect(valueFor({ event_date: DAY }, page.replace("03/04", "14/03"), "en-US")).toEqual({
      event_date: "2024-03-14",
    });
  });
});
