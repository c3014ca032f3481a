import { describe, expect, test } from "vitest";

import { conform } from "./conform.ts";
import { mergeValues } from "./merge.ts";
import { modelSchema } from "./schema/model-schema.ts";
import { saidBy } from "./on-page.ts";
import { readSchema } from "./schema/read-schema.ts";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    isNew: { type: "boolean" },
    state: { enum: ["IN_STOCK", "SOLD_OUT"] },
    tags: { type: "array", items: { type: "string" } },
    note: { type: ["string", "null"] },
  },
  required: ["name", "price"],
};

function conformed(value: unknown) {
  return conform(value, readSchema(SCHEMA));
}

describe("a value that a model made", () => {
  test.each<readonly [string, object, object]>([
    ["text that is a number", { name: "A", price: "$12.50" }, { name: "A", price: 12.5 }],
    ["yes", { name: "A", price: 1, isNew: "yes" }, { name: "A", price: 1, isNew: true }],
    ["a single value for a list", { name: "A", price: 1, tags: "x" }, { name: "A", price: 1, tags: ["x"] }],
    ["another way of writing a name", { Name: "A", "price ": 1 }, { name: "A", price: 1 }],
    [
      "a choice in other words",
      { name: "A", price: 1, state: "in stock" },
      { name: "A", price: 1, state: "IN_STOCK" },
    ],
    ["what nobody asked for", { name: "A", price: 1, more: 2 }, { name: "A", price: 1 }],
    ["null where nothing is known", { name: "A", price: 1, state: null }, { name: "A", price: 1 }],
    ["null where that may be", { name: "A", price: 1, note: null }, { name: "A", price: 1, note: null }],
  ])("is brought into form: %s", (_name, value, wanted) => {
    expect(conformed(value)).toEqual({ value: wanted, problems: [] });
  });

  test.each<readonly [unknown, string]>([
    ["text", "The value must be an object."],
    [{ price: 1 }, "/name is required."],
    [{ name: "A", price: "dear" }, "/price must be a number within the limits of the schema."],
    [{ other: 1 }, "The value has none of the properties of the schema."],
  ])("%j is told what is wrong", (value, problem) => {
    expect(conformed(value).problems).toContain(problem);
  });
});

test("a value that knows nothing is empty, and no other thing", () => {
  const schema = readSchema({ type: "object", properties: { name: { type: "string" } } });
  expect(conform({ name: null }, schema)).toEqual({ value: {}, problems: [] });
  expect(conform({ name: "A" }, schema, () => false)).toEqual({ value: {}, problems: [] });
});

test("what a page says is believed, and days that it writes in another way", () => {
  const isSaid = saidBy("The harbour of Elmstad was opened on 6 May 1874. Ships: 1,240.");
  const said = ["Elmstad", "harbour of Elmstad", 1240, "1874-05-06", 1874];
  const invented = ["Oakville", 1241, "1999-05-06", "https://evil.test/"];
  expect(said.map(isSaid)).toEqual(said.map(() => true));
  expect(invented.map(isSaid)).toEqual(invented.map(() => false));
});

test("what the parts of a page gave is joined: values once, lists together, equal things once", () => {
  expect(
    mergeValues([
      { title: "A", items: [{ name: "x", price: 1 }] },
      { title: "B", author: "Ann", items: [{ name: "x", color: "red" }, { name: "y" }] },
    ]),
  ).toEqual({ title: "A", author: "Ann", items: [{ name: "x", price: 1, color: "red" }, { name: "y" }] });
});

test("models get an object outside, and only names that there are required", () => {
  const list = { type: "array", items: { $ref: "#/$defs/a" }, $defs: { a: { type: "string" } } };
  expect(modelSchema(list)).toEqual({
    $defs: { a: { type: "string" } },
    type: "object",
    properties: { items: { type: "array", items: { $ref: "#/$defs/a" } } },
    required: ["items"],
  });
  const open = { type: "object", properties: { a: {} }, required: ["a", "b"], additionalProperties: true };
  expect(modelSchema(open)).toEqual({ type: "object", properties: { a: {} }, required: ["a"] });
});
