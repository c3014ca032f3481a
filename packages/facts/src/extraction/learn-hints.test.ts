import { expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { differences, learnHints } from "./learn-hints.ts";

const lamp = (name: string, price: string, colours: readonly string[], note = "") =>
  `<header><h1>Lamp shop</h1><b class="price">€ 5 off</b></header><main><div class="box css-8f3a2"><h2>${name}</h2>
  <p>${note}</p><b class="price css-${name.length}x9">${price}</b><time datetime="2024-05-0${name.length}">lately</time>
  <a class="next" href="/lamps/${name}">more</a></div><ul>${colours.map((one) => `<li class="colour">${one}</li>`).join("")}</ul>
  <dl><dt>Weight</dt><dd>3 kg</dd><dt>Height</dt><dd>${name.length}0 cm</dd></dl></main>`;

const PAGES = [
  { html: lamp("Alba", "€ 19,00", ["red", "blue"]), url: "https://shop.test/1" },
  { html: lamp("Bo", "€ 1.299,50", ["green"], "Price: € 1.299,50"), url: "https://shop.test/2" },
];

function learn(...values: readonly object[]) {
  return learnHints(
    PAGES.map(({ html, url }, at) => ({ tree: parseHtml(html), url, values: (values[at] ?? {}) as never })),
  );
}

test.each([
  ["a text", "Alba", "Bo", { type: "string", "x-selector": "h2" }],
  [
    "a number, inside of what tells it from another",
    19,
    1299.5,
    { type: "number", "x-selector": "div.box b.price" },
  ],
  [
    "an attribute",
    "2024-05-04",
    "2024-05-02",
    { type: "string", "x-selector": "time", "x-attribute": "datetime" },
  ],
  [
    "an address",
    "https://shop.test/lamps/Alba",
    "https://shop.test/lamps/Bo",
    { type: "string", "x-selector": "a.next", "x-attribute": "href" },
  ],
  [
    "a list",
    ["red", "blue"],
    ["green"],
    { type: "array", items: { type: "string" }, "x-selector-all": "li.colour" },
  ],
  [
    "a place without a name",
    "40 cm",
    "20 cm",
    { type: "string", "x-selector": expect.stringMatching(/dd:nth-of-type\(2\)$/) as string },
  ],
])("%s", (_name, one, other, property) => {
  expect(learn({ v: one }, { v: other })).toEqual({
    schema: { type: "object", properties: { v: property } },
    unlearned: [],
  });
});

test("what no selector gives on all pages is named", () => {
  expect(learn({ v: "Alba", w: "red" }, { v: "Lamp shop", w: "nowhere" }).unlearned).toEqual(["v", "w"]);
  expect(differences({ v: "Bo", w: 2, x: ["a"] }, { v: "bo ", w: 3, x: ["a"] })).toEqual(["w"]);
});
