import { expect, test } from "vitest";

import { jsonProblem } from "./json-bounds.ts";

const bounds = { maxBytes: 2_000_000, maxValues: 50_000, maxMembers: 10_000 };
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
  ["50,000 items", `[${"1,".repeat(49_999)}1]`],
  ["25,000 empty objects in a list of one", `[[${"{ },".repeat(24_999)}{}]]`],
  ["broken JSON", '{"a": "'],
])("has nothing against %s", (_case, json) => {
  expect(jsonProblem(json, bounds)).toBeUndefined();
});

test.each([
  ["129 levels", nested(129), /deeper than 128 levels/],
  ["an endless opening", "[".repeat(1_000_000), /deeper than 128 levels/],
  ["levels after a string that ends in a backslash", `["\\\\",${nested(200)}]`, /deeper than 128 levels/],
  ["50,001 items", `[${"{},".repeat(50_000)}{}]`, /more than 50000 values/],
  ["lists in lists", `[${"[1],".repeat(30_000)}1]`, /more than 50000 values/],
  ["2,000,001 bytes", JSON.stringify({ text: "é".repeat(1_000_000) }), /longer than 2000000 bytes/],
  ["10,001 members", members(10_001), /more than 10000 members/],
])("refuses %s", (_case, json, problem) => {
  expect(jsonProblem(json, bounds)).toMatch(problem);
});
