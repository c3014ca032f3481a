import { describe, expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { extractJson } from "./extract-json.ts";

const URL = "https://site.test/page";

function evidenceOf(body: string, title = "") {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
  const tree = parseHtml(html);
  return gatherEvidence({ tree, source: () => html, metadata: () => extractMetadata(tree, URL) });
}

function valueFor(schema: unknown, body: string, title = ""): unknown {
  return extractJson(evidenceOf(body, title), { schema }, URL).value;
}

const TEXT = { type: "string" };
const NUMBER = { type: "number" };

function object(properties: object, more: object = {}) {
  return { type: "object", properties, ...more };
}

function data(value: object): string {
  return `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
}

const ARTICLE = {
  "@type": "Article",
  headline: "The harbour of Elmstad",
  author: { "@type": "Person", name: "Ann Smith", url: "/ann" },
  datePublished: "2024-05-06T10:00:00Z",
  publisher: { "@type": "Organization", name: "Daily" },
  keywords: ["ships", "timber"],
};

describe("values for a schema", () => {
  test("come from the page's data, in nested objects and behind references", () => {
    const schema = object(
      { article: { $ref: "#/$defs/article" } },
      {
        $defs: {
          article: object({
            title: TEXT,
            author: object({ name: TEXT, url: { type: "string", format: "uri" } }),
            published_at: { type: "string", format: "date" },
            tags: { type: "array", items: TEXT },
            publisher: TEXT,
          }),
        },
      },
    );
    expect(valueFor(schema, `<h1>The harbour of Elmstad</h1>${data(ARTICLE)}`)).toEqual({
      article: {
        title: "The harbour of Elmstad",
        author: { name: "Ann Smith", url: "https://site.test/ann" },
        published_at: "2024-05-06",
        tags: ["ships", "timber"],
        publisher: "Daily",
      },
    });
  });

  test("come from what readers see: the heading, the line below it, labels and links", () => {
    const page = `<h1>Kayaks of the north</h1><p class="byline">By Jane Roe | 3 March 2024</p>
      <dl><dt>Founded</dt><dd>1987</dd><dt>Head office</dt><dd>Berlin, Germany</dd></dl>
      <p><strong>Employees</strong>: 1,200</p><a href="mailto:info@acme.test">Write</a>`;
    const schema = object({
      headline: TEXT,
      writtenBy: TEXT,
      publicationDate: { type: "string", format: "date" },
      founded: { type: "integer" },
      headOffice: TEXT,
      employees: { type: "integer" },
      email: { type: "string", format: "email" },
      fax: TEXT,
    });
    expect(valueFor(schema, page, "Kayaks of the north | Site")).toEqual({
      headline: "Kayaks of the north",
      writtenBy: "Jane Roe",
      publicationDate: "2024-03-03",
      founded: 1987,
      headOffice: "Berlin, Germany",
      employees: 1200,
      email: "info@acme.test",
    });
  });

  test("are lists of objects where tables have headings", () => {
    const page =
      "<h1>Plans</h1><table><tr><th>Plan</th><th>Price</th><th>Users</th></tr><tr><td>Free</td><td>$0</td><td>1</td></tr><tr><td>Pro</td><td>$1,250.50</td><td>10</td></tr></table>";
    const plan = object({ name: TEXT, price: NUMBER, users: { type: "integer" } });
    expect(valueFor(object({ plans: { type: "array", items: plan } }), page)).toEqual({
      plans: [
        { name: "Free", price: 0, users: 1 },
        { name: "Pro", price: 1250.5, users: 10 },
      ],
    });
  });

  test("are a root list where blocks are alike", () => {
    const cards = ["A", "B", "C"].map(
      (name, index) =>
        `<li class="card"><a href="/p/${name}"><h3>Lamp ${name}</h3></a><img src="/${name}.png"><span class="price">€${index}.50</span></li>`,
    );
    const item = object({ title: TEXT, price: NUMBER, currency: TEXT, url: TEXT }, { required: ["title"] });
    expect(valueFor({ type: "array", items: item }, `<h1>Lamps</h1><ul>${cards.join("")}</ul>`)).toEqual(
      ["A", "B", "C"].map((name, index) => ({
        title: `Lamp ${name}`,
        price: index + 0.5,
        currency: "EUR",
        url: `https://site.test/p/${name}`,
      })),
    );
  });

  test("are the items of the list below the heading that is asked for", () => {
    const page =
      "<h1>Pancakes</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>Milk</li></ul><h2>Directions</h2><ol><li>Mix.</li><li>Fry.</li></ol>";
    const list = { type: "array", items: TEXT };
    expect(valueFor(object({ ingredients: list, instructions: list }), page)).toEqual({
      ingredients: ["2 eggs", "Milk"],
      instructions: ["Mix.", "Fry."],
    });
  });

  test("go on over the sections of a list and know them, or are those of the section that is asked for", () => {
    const part = (title: string, ...names: string[]) =>
      `<h2>${title}</h2><ul>${names.map((name) => `<li><b>${name}</b> <i>€5.00</i></li>`).join("")}</ul>`;
    const body = `<h1>Fleet</h1>${part("Barges", "Anna", "Berta")}${part("Ferries", "Clara")}${part("Tugs", "Dora", "Else")}`;
    const entry = object({ name: TEXT, price: TEXT, section: TEXT }, { required: ["name", "price"] });
    const list = { type: "array", items: entry };
    const named = (...rows: string[][]) => rows.map(([name, section]) => ({ name, price: "€5.00", section }));
    const tugs = named(["Dora", "Tugs"], ["Else", "Tugs"]);
    const all = [...named(["Anna", "Barges"], ["Berta", "Barges"], ["Clara", "Ferries"]), ...tugs];
    expect(valueFor(object({ ships: list }), body)).toEqual({ ships: all });
    expect(valueFor(object({ tugs: list }), body)).toEqual({ tugs });
  });

  test("keep to what a schema allows", () => {
    const page =
      "<h1>Phone</h1><p>Condition: used</p><p>Code: AB-12</p><p>Weight: 900 g</p><p>Colour: red</p>";
    const schema = object({
      condition: { type: "string", enum: ["NEW", "USED"] },
      code: { type: "string", pattern: "^[A-Z]{2}-\\d+$" },
      weight: { type: "number", maximum: 500 },
      colour: { type: ["string", "null"], enum: ["blue", "green"] },
    });
    expect(valueFor(schema, page)).toEqual({ condition: "USED", code: "AB-12" });
  });

  test("are none where the page does not say all that is required, and empty where nothing is", () => {
    expect(valueFor(object({ isbn: TEXT }, { required: ["isbn"] }), "<p>Nothing.</p>")).toBeUndefined();
    expect(valueFor(object({ isbn: TEXT }), "<p>Nothing.</p>")).toEqual({});
  });

  test("of months in other languages are read", () => {
    const schema = object({ datePublished: { type: "string", format: "date" } });
    const page = (date: string) => `<h1>Titre de la page</h1><time>${date}</time>`;
    const dates = [
      "6 mai 2024",
      "6. Mai 2024",
      "6 de mayo de 2024",
      "6 мая 2024",
      "2024年5月6日",
      "May 6th, 2024",
    ];
    const read = dates.map((date) => valueFor(schema, page(date)));
    expect(read).toEqual(dates.map(() => ({ datePublished: "2024-05-06" })));
  });
});

describe("without a schema", () => {
  test("a prompt names what is wanted", () => {
    const evidence = evidenceOf("<h1>Elm</h1><p>Publisher: Faber</p><p>Colour: red</p>", "Elm");
    const prompt = "Extract the title and the publisher of this book.";
    expect(extractJson(evidence, { prompt }, URL).value).toEqual({ title: "Elm", publisher: "Faber" });
  });

  test("the page's own thing is told", () => {
    const evidence = evidenceOf(`<h1>The harbour of Elmstad</h1>${data(ARTICLE)}<p>Opened: 1874</p>`);
    expect(extractJson(evidence, {}, URL).value).toMatchObject({
      type: "Article",
      title: "The harbour of Elmstad",
      author: { name: "Ann Smith" },
      facts: { Opened: "1874" },
    });
  });
});

describe("hostile schemas end soon", () => {
  const page = Array.from(
    { length: 500 },
    (_, index) => `<div class="a"><p>x${index}: <b>y</b></p><p>z</p></div>`,
  );
  const self = { $ref: "#/$defs/node" };
  const node = object({ name: TEXT, left: self, right: self, children: { type: "array", items: self } });
  const many = Array.from({ length: 500 }, (_, index) => [
    `property${index}`,
    { type: "array", items: node },
  ]);

  test.each<readonly [string, unknown]>([
    ["recursion", { ...self, $defs: { node } }],
    ["references that lead to each other", { $ref: "#/a", a: { $ref: "#/b" }, b: { $ref: "#/a" } }],
    ["500 properties", object(Object.fromEntries(many))],
    ["contradictions", object({ a: { allOf: [TEXT, NUMBER], enum: [] }, b: { const: 1, type: "string" } })],
    ["names that objects inherit", object({ constructor: TEXT, toString: NUMBER, hasOwnProperty: TEXT })],
    [
      "an expression that explodes",
      object({ x1: { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" } }),
    ],
    ["numbers for words", { type: 1, properties: [1], required: 7, items: true, anyOf: 3 }],
  ])(
    "%s",
    (_name, schema) => {
      const value = valueFor(schema, `<h1>T</h1>${page.join("")}`);
      expect(JSON.stringify(value ?? null).length).toBeLessThan(1_000_000);
    },
    20_000,
  );
});
