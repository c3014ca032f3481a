import { expect, test } from "vitest";

import { describesValues } from "./describes-values.ts";

const DIALECT = { $schema: "https://json-schema.org/draft/2020-12/schema" };

test.each<[boolean, unknown]>([
  [false, DIALECT],
  [false, { ...DIALECT, title: "Shop" }],
  [false, { type: "object", properties: {}, additionalProperties: false }],
  [true, undefined],
  [true, {}],
  [true, { ...DIALECT, type: "object", properties: { name: { type: "string" } } }],
  [true, { type: "array", items: { type: "string" } }],
  [true, { anyOf: [{ type: "string" }] }],
  [true, { type: "object", required: ["name"] }],
])("%s: %j", (describes, schema) => {
  expect(describesValues(schema)).toBe(describes);
});
