import { expect, test } from "vitest";

import { jsonProblem } from "./json-bounds.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const members = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));

test.each([
  ["an empty object", "{}"],
  ["128 levels", nested(128)],
  ["many siblings", `[${"[],".repeat(1000)}[]]`],
  ["brackets in a string", JSON.stringify({ text: "[".repeat(1000) })],
  ["colons in a string", JSON.stringify({ text: ":".repeat(20_000) })],
  ["escaped quotes before brackets", JSON.stringify({ text: `"${"[".repeat(1000)}` })],
  ["a string that ends in a backslash", JSON.stringify({ a: "\\", b: [1] })],
  ["10,000 members", members(10_000)],
  ["broken JSON", '{"a": "'],
])("has nothing against %s", (_case, json) => {
  expect(jsonProblem(json)).toBeUndefined();
});

test.each([
  ["129 levels", nested(129), /deeper than 128 levels/],
  ["an endless opening", "[".repeat(1_000_000), /deeper than 128 levels/],
  ["levels after a string that ends in a backslash", `["\\\\",${nested(200)}]`, /deeper than 128 levels/],
  ["10,001 members", members(10_001), /more than 10000 members/],
])("refuses %s", (_case, json, problem) => {
  expect(jsonProblem(json)).toMatch(problem);
});
