import { statSync } from "node:fs";

import { expect, test } from "vitest";

import { shippedModel } from "./model.ts";
import { hashOfToken } from "./tokens.ts";

test("the model file is small enough to ship", () => {
  expect(statSync(new URL("model-data.json", import.meta.url)).size).toBeLessThanOrEqual(600_000);
});

test("rows are judged alike wherever they stand", () => {
  const { columns, score } = shippedModel();
  const row = Float32Array.from({ length: columns }, (_, column) => (column * 37) % 11);
  const rows = new Float32Array(columns * 7);
  for (let at = 0; at < 7; at++) rows.set(row, at * columns);
  const chances = score(rows);
  expect(new Set(chances).size).toBe(1);
  expect(chances[0]).toBeGreaterThan(0);
  expect(chances[0]).toBeLessThan(1);
});

test.each([
  ["names", "footer", -1],
  ["names", "breadcrumbs", -1],
  ["words", "cookies", -1],
  ["words", "privacy_policy", -1],
] as const)("in %s, %s speaks against content", (kind, token, sign) => {
  expect(Math.sign(shippedModel().lexica[kind].oddsOf(hashOfToken(token)))).toBe(sign);
});
