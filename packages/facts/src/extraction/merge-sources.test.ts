import { describe, expect, test } from "vitest";

import { mergeSources } from "./merge-sources.ts";
import { completeValue, relaxSchema } from "./relax-schema.ts";

/** Values of pages `a`, `b`, `c` … in this order. */
function merged(...values: readonly unknown[]) {
  return mergeSources(values.map((value, index) => ({ value, url: "abcdef"[index] ?? "" })));
}

test("of single values the one that most pages say wins, and the first on a tie", () => {
  expect(merged({ city: "Bern" }, { city: "Basel" }, { city: "basel " })).toEqual({
    value: { city: "Basel" },
    sources: { city: ["b", "c"] },
  });
  expect(merged({ city: "Bern" }, { city: "Basel" }).value).toEqual({ city: "Bern" });
  expect(merged({ city: null }, { city: "Basel" }, {}).value).toEqual({ city: "Basel" });
  expect(merged({ city: null }, {}).value).toEqual({ city: null });
});

test("a page has one vote, however often it is named", () => {
  const value = (city: string, url: string) => ({ value: { city }, url });
  const values = [value("Bern", "a"), value("Basel", "b"), value("Basel", "b")];
  expect(mergeSources(values).value).toEqual({ city: "Bern" });
});

test("lists are united by what identifies their things", () => {
  const one = { products: [{ name: "Tea", price: 3 }, { name: "Pot" }] };
  const other = { products: [{ name: "tea", stock: 1 }, { name: "Cup" }] };
  expect(merged(one, other)).toEqual({
    value: { products: [{ name: "Tea", price: 3, stock: 1 }, { name: "Pot" }, { name: "Cup" }] },
    sources: { products: ["a", "b"], "products[0]": ["a", "b"], "products[1]": ["a"], "products[2]": ["b"] },
  });
  const addresses = merged([{ url: "/A" }], [{ url: "/a" }]);
  expect(addresses.value).toEqual([{ url: "/A" }, { url: "/a" }]);
});

test("objects are joined by their members, and paths name them", () => {
  expect(merged({ company: { name: "A" } }, { company: { phone: "1" } })).toEqual({
    value: { company: { name: "A", phone: "1" } },
    sources: { "company.name": ["a"], "company.phone": ["b"] },
  });
});

test("what differs in kind follows the first page that says something", () => {
  expect(merged({ x: [1] }, { x: 1 }, { x: { y: 1 } }).value).toEqual({ x: [1] });
  expect(merged({ x: 1 }, { x: [2] }).value).toEqual({ x: 1 });
  expect(merged(undefined, null)).toEqual({ value: null, sources: {} });
  expect(merged()).toEqual({ value: undefined, sources: {} });
});

test("names of the language are names like others", () => {
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": "y"}') as unknown;
  const { value } = merged(hostile, {});
  expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"constructor":"y"}');
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

describe("a relaxed schema", () => {
  const item = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

  test("requires nothing but of things in lists", () => {
    const schema = {
      type: "object",
      properties: { one: item, list: { type: "array", items: item } },
      required: ["one", "list"],
    };
    expect(relaxSchema(schema)).toEqual({
      type: "object",
      properties: {
        one: { type: "object", properties: { name: { type: "string" } } },
        list: { type: "array", items: item },
      },
    });
  });

  test("follows references, and ends where they lead in circles", () => {
    const circle = { $ref: "#/definitions/node", definitions: { node: { ...item, properties: {} } } };
    Object.assign(circle.definitions.node.properties, { next: { $ref: "#/definitions/node" } });
    expect(relaxSchema(circle)).not.toHaveProperty("required");
    expect(JSON.stringify(relaxSchema(circle)).length).toBeLessThan(10_000);
    expect(relaxSchema("text")).toBe("text");
  });
});

test("a value lacks by name what is required", () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, price: { type: "number" } },
    required: ["name", "price"],
  };
  expect(completeValue(schema, { name: "Tea", price: 3 })).toEqual({ value: { name: "Tea", price: 3 } });
  expect(completeValue(schema, { name: "Tea" })).toEqual({ missing: ["price"] });
  expect(completeValue(schema, undefined)).toEqual({ missing: ["name", "price"] });
  expect(completeValue(undefined, { a: 1 })).toEqual({ value: { a: 1 } });
});
