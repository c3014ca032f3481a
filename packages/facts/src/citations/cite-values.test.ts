import { describe, expect, test } from "vitest";

import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { findCss } from "@pergamon-dev/html/selection/select-css";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { extractJson } from "../extraction/extract-json.ts";
import { gatherEvidence } from "../structured/evidence.ts";
import { textOf } from "../structured/text-of.ts";
import { type CitedValues, citeValues } from "./cite-values.ts";

const URL = "https://shop.test/alba";
const PAGE = `<title>Alba lamp</title>
  <script type="application/ld+json">{"@type": "Product", "name": "Alba lamp", "sku": "AL-1", "mpn": "QX77"}</script>
  <header><a href="/">Lamps</a> from € 19</header>
  <main><h1>Alba lamp</h1>
  <p>An <b>Alba</b> lamp for € 19, or three for € 49.50. By <a href="mailto:jo@shop.test">Jo</a>.</p>
  <dl><dt>Height</dt><dd>49 cm</dd><dt>Width</dt><dd>49 cm</dd><dt>On sale since</dt><dd>5 May 2024</dd></dl>
  <table><tr><th>Size</th><th>Price</th></tr>
    <tr><td>Small</td><td>€ 19</td></tr><tr><td>Middle</td><td>€ 29</td></tr><tr><td>Large</td><td>€ 19</td></tr></table>
  <a class="shop" href="https://shop.test/buy">Buy</a></main>`;

const [STRING, NUMBER] = [{ type: "string" }, { type: "number" }];
const object = (properties: object) => ({ type: "object", properties });

function cite({ value, origins = new Map(), foundBy = "model" }: Partial<CitedValues>, html = PAGE) {
  const tree = parseHtml(html);
  const markdown = toMarkdown(selectAll(tree), URL);
  const cited = citeValues({ value, origins, foundBy }, { markdown, evidence: tree, tree });
  const shown = Object.entries(cited).map(([path, [citation]]) => {
    if (!citation) return [path, undefined] as const;
    const { markdownSpan: [start, end] = [0, 0], selector, ...rest } = citation;
    // The characters before a span tell which of several places it is.
    const place = markdown
      .slice(Math.max(0, start - 12), start)
      .replace(/\s+/g, " ")
      .trimStart();
    expect(markdown.slice(start, end)).toBe(end > 0 ? citation.text : "");
    const [node = -1] = selector === undefined ? [] : (findCss(tree, selector) ?? []);
    return [path, { ...rest, place, element: textOf(tree, node, 40) }] as const;
  });
  return Object.fromEntries(shown);
}

function citeByRules(schema: object, html = PAGE) {
  const evidence = gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
  const page = { tree: evidence.tree, baseUrl: URL, compile: () => undefined, isShown: () => true };
  const { value, origins = new Map() } = extractJson(evidence, { schema }, URL, page);
  return cite({ value, origins, foundBy: "data" }, html);
}

describe("values that rules find", () => {
  test.each([
    [
      "a label",
      object({ width: STRING }),
      "width",
      { foundBy: "label", text: "49 cm", place: expect.stringMatching(/Width/), element: "49 cm" },
    ],
    [
      "the same text at another label",
      object({ height: STRING }),
      "height",
      { foundBy: "label", text: "49 cm", place: expect.stringMatching(/Height/) },
    ],
    [
      "a title, in its heading",
      object({ title: STRING }),
      "title",
      { text: "Alba lamp", place: expect.stringMatching(/# $/), element: "Alba lamp" },
    ],
    [
      "structured data that readers do not see",
      object({ mpn: STRING }),
      "mpn",
      { foundBy: "data", text: "QX77", place: "" },
    ],
    ["the target of a link", object({ email: STRING }), "email", { foundBy: "link", text: "jo@shop.test" }],
    [
      "a row of a table",
      object({ sizes: { type: "array", items: object({ size: STRING, price: NUMBER }) } }),
      "sizes[2].price",
      { foundBy: "table", text: "19", place: expect.stringMatching(/Large \| € $/), element: "€ 19" },
    ],
    [
      "a selector",
      object({ price: { ...NUMBER, "x-selector": "tr:nth-child(2) td:last-child" } }),
      "price",
      {
        foundBy: "selector",
        confidence: 1,
        text: "19",
        place: expect.stringMatching(/Small \| € $/),
        element: "€ 19",
      },
    ],
    [
      "an attribute",
      object({ url: { ...STRING, "x-selector": ".shop", "x-attribute": "href" } }),
      "url",
      { foundBy: "selector", text: "https://shop.test/buy", element: "Buy" },
    ],
    [
      "a day, however it is written",
      object({ since: { ...STRING, format: "date", "x-selector": "dd:last-child" } }),
      "since",
      { text: "5 May 2024", element: "5 May 2024" },
    ],
  ])("%s", (_name, schema, path, citation) => {
    expect(citeByRules(schema)[path]).toMatchObject(citation);
  });
});

const NOWHERE = { nothing: undefined };

describe("values that a model says", () => {
  test.each([
    [
      "once on the page",
      { offer: 49.5 },
      "offer",
      { confidence: 0.9, text: "49.50", place: expect.stringMatching(/three for € $/) },
    ],
    [
      "as words between markup",
      { what: "An Alba lamp" },
      "what",
      { confidence: 0.9, text: "An **Alba** lamp" },
    ],
    [
      "after its label",
      { width: "49 cm" },
      "width",
      { confidence: 0.7, place: expect.stringMatching(/Width/) },
    ],
    [
      "near the rest of its thing",
      { sizes: [{ size: "Large", price: 19 }] },
      "sizes[0].price",
      { place: expect.stringMatching(/Large \| € $/) },
    ],
    ["in a heading", { name: "Alba lamp" }, "name", { place: expect.stringMatching(/# $/) }],
    ["as a day", { since: "2024-05-05" }, "since", { text: "5 May 2024" }],
    ["as an address", { link: "https://shop.test/buy" }, "link", { text: "https://shop.test/buy" }],
    ["nowhere", { colour: "magenta" }, "colour", NOWHERE],
    ["without words", { on: true }, "on", NOWHERE],
  ])("%s", (_name, value, path, citation) => {
    const cited = cite({ value })[path] ?? NOWHERE;
    expect(cited).toMatchObject(citation === NOWHERE ? NOWHERE : { foundBy: "model", ...citation });
  });
});

test.each([
  [
    "values",
    { list: Array.from({ length: 3000 }, (_, at) => `row ${at % 7}`) },
    "<p>row 1 row 2</p>".repeat(3000),
  ],
  ["equal words", { list: Array.from({ length: 1000 }, () => "yes") }, "<p>yes</p>".repeat(20_000)],
  ["numbers and dates", { list: [1, "2024-05-05"] }, "<p>1 2 3 5.5.2024</p>".repeat(10_000)],
  ["brackets", { list: ["x"] }, `<p>${"](".repeat(20_000)}</p>`],
])("many %s end soon", (_name, value, html) => {
  const start = performance.now();
  cite({ value }, html);
  expect(performance.now() - start).toBeLessThan(20_000);
});
