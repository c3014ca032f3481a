import { RE2JS } from "re2js";
import { expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { extractJson } from "./extract-json.ts";
import { modelSchema } from "./schema/model-schema.ts";

const URL = "https://shop.test/list/";
const PAGE = `<title>Lamps</title><h1>Lamps</h1>
  <div class="card" data-sku="A1"><a href="../a">Alba</a> <b class="price">€ 1.299,50</b> <i>red</i> <i>blue</i></div>
  <div class="card" data-sku="B2"><a href="../b">Bora</a> <b class="price">sold out</b></div>
  <p id="note">Order no. 4711, open since 5 May 2024</p>
  <img src="/a.png" alt="Alba">`;

const [STRING, NUMBER] = [{ type: "string" }, { type: "number" }];
const object = (properties: object, rest = {}) => ({ type: "object", properties, ...rest });

function extracted(schema: object, html = PAGE, isShown = (_text: string) => true) {
  const evidence = gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
  const { tree } = evidence;
  const compile = (pattern: string) => {
    if (pattern === "(") return undefined;
    const search = (text: string) => {
      const matcher = RE2JS.compile(pattern).matcher(text);
      return matcher.find() ? (matcher.group(Math.min(1, matcher.groupCount())) ?? undefined) : undefined;
    };
    return { size: pattern.length, search };
  };
  return extractJson(evidence, { schema }, URL, { tree, baseUrl: URL, compile, isShown });
}

const ITEM = object({
  name: { ...STRING, "x-selector": "a" },
  link: { ...STRING, "x-selector": "a", "x-attribute": "href" },
  sku: { ...STRING, "x-attribute": "data-sku" },
  price: { ...NUMBER, "x-selector": ".price" },
  colours: { type: "array", items: { ...STRING, "x-selector": "i" } },
});

test.each([
  ["the first match", object({ v: { ...STRING, "x-selector": "a" } }), { v: "Alba" }],
  ["a number", object({ v: { ...NUMBER, "x-selector": ".price" } }), { v: 1299.5 }],
  [
    "a day",
    object({ v: { ...STRING, format: "date", "x-selector": "#note", "x-pattern": "since (.+)" } }),
    { v: "2024-05-05" },
  ],
  [
    "an attribute",
    object({ v: { ...STRING, "x-selector": "img", "x-attribute": "src" } }),
    { v: "https://shop.test/a.png" },
  ],
  [
    "a pattern's group",
    object({ v: { type: "integer", "x-selector": "#note", "x-pattern": "no\\. (\\d+)" } }),
    { v: 4711 },
  ],
  [
    "a pattern's match",
    object({ v: { ...STRING, "x-selector": "#note", "x-pattern": "\\d+" } }),
    { v: "4711" },
  ],
  [
    "a list of texts",
    object({ v: { type: "array", items: STRING, "x-selector-all": ".card a" } }),
    { v: ["Alba", "Bora"] },
  ],
  [
    "a list whose items have the hint",
    object({ v: { type: "array", items: { ...STRING, "x-selector": ".card a" } } }),
    { v: ["Alba", "Bora"] },
  ],
  [
    "an object's own element",
    object({ v: object({ n: { ...STRING, "x-selector": "a" } }, { "x-selector": ".card + .card" }) }),
    { v: { n: "Bora" } },
  ],
  [
    "a reference",
    { ...object({ v: { $ref: "#/$defs/n" } }), $defs: { n: { ...STRING, "x-selector": "a" } } },
    { v: "Alba" },
  ],
  [
    "a list at the root",
    { type: "array", items: object({ n: { ...STRING, "x-selector": "a" } }), "x-selector-all": ".card" },
    [{ n: "Alba" }, { n: "Bora" }],
  ],
  [
    "a property without a hint beside one",
    object({ title: STRING, v: { ...STRING, "x-selector": "a" } }),
    { title: "Lamps", v: "Alba" },
  ],
  [
    "a property without a hint in a list",
    object({ v: { type: "array", "x-selector-all": ".card", items: object({ url: STRING }) } }),
    { v: [{ url: "https://shop.test/a" }, { url: "https://shop.test/b" }] },
  ],
])("%s", (_name, schema, value) => {
  expect(extracted(schema).value).toEqual(value);
});

test("one object per matching element, which lacks what its element lacks", () => {
  const { value, leftOut, hinted } = extracted(
    object({ cards: { type: "array", "x-selector-all": ".card", items: ITEM } }),
  );
  expect(value).toEqual({
    cards: [
      { name: "Alba", link: "https://shop.test/a", sku: "A1", price: 1299.5, colours: ["red", "blue"] },
      { name: "Bora", link: "https://shop.test/b", sku: "B2" },
    ],
  });
  expect([leftOut, hinted?.isAll]).toEqual([["cards[].price"], true]);
});

test("rules do not decide about a value that has a hint", () => {
  const { value, warnings } = extracted(object({ title: { ...STRING, "x-selector": ".none" } }));
  expect([value, warnings]).toEqual([
    {},
    ['Nothing on the page matches these selectors of the schema: ".none".'],
  ]);
});

test.each([
  [
    "a selector",
    { "x-selector": "a[" },
    'These selectors of the schema are not valid, or too much work: "a[".',
  ],
  [
    "a pattern",
    { "x-selector": "a", "x-pattern": "(" },
    'These patterns of the schema are not valid, or too large: "(".',
  ],
])("%s that is not valid is told", (_name, hint, warning) => {
  expect(extracted(object({ v: { ...STRING, ...hint } }))).toMatchObject({ value: {}, warnings: [warning] });
});

test("what was redacted is not shown", () => {
  const schema = object({
    v: { ...STRING, "x-selector": "#note", "x-pattern": "\\d+" },
    w: { ...STRING, "x-selector": "a" },
  });
  expect(extracted(schema, PAGE, (text) => !text.includes("4711"))).toMatchObject({
    value: { w: "Alba" },
    warnings: ["Values that redactPII may take out were left out."],
  });
});

test("models do not see hints", () => {
  const schema = object({ "x-selector": { ...STRING, "x-selector": "a", "x-pattern": "b" } });
  expect(modelSchema(schema)).toEqual(object({ "x-selector": STRING }));
});

test("a selector that matches a million elements gives the first thousand, and says so unless fewer were asked for", () => {
  const html = "<i>a</i>".repeat(1_000_000);
  const list = { type: "array", "x-selector-all": "i", items: STRING };
  const { value, warnings } = extracted(object({ v: list, few: { ...list, maxItems: 2 } }), html);
  const expected = { v: Array<string>(1000).fill("a"), few: ["a", "a"] };
  expect([value, warnings]).toEqual([
    expected,
    ["Lists of the schema have at most 1000 values, and more match their selectors."],
  ]);
}, 60_000);

test("a thousand hints, lists in lists and slow patterns end soon, and say that they did not end", () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`p${at}`, { ...STRING, "x-selector": `i:nth-child(${at})` }]),
  );
  const inner = { type: "array", "x-selector-all": "*", items: { ...STRING, "x-pattern": "(?:a+b?){40}c" } };
  const lists = { type: "array", "x-selector-all": "*", items: object({ inner, ...many }) };
  const html = `<div>${"<p><i>".repeat(200)}${`<i>${"a".repeat(500)}</i>`.repeat(5000)}</div>`;
  const start = performance.now();
  const { warnings } = extracted(object({ lists, ...many }), html);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(warnings).toContain("The hints of the schema are too much work for this page.");
});
