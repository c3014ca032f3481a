import { statSync } from "node:fs";

import { expect, test } from "vitest";

import { shippedModel } from "./model.ts";
import { BATCH, Rows } from "./rows.ts";
import { hashOfToken } from "../tables/tokens.ts";

test("the model file is small enough to ship", () => {
  expect(statSync(new URL("model-data.json", import.meta.url)).size).toBeLessThanOrEqual(600_000);
});

test("rows are judged alike wherever they stand, and each for itself", () => {
  const { columns, score } = shippedModel();
  const rowsOf = (order: readonly number[]): Rows => {
    const rows = new Rows(columns, new Float32Array());
    for (const seed of order) {
      rows.begin();
      for (let column = 0; column < columns; column++) rows.put((column * (37 + seed)) % (11 + seed));
    }
    return rows;
  };
  const seeds = Array.from({ length: BATCH }, (_, seed) => seed % 9);
  const chances = score(rowsOf(seeds));
  expect(chances).toHaveLength(BATCH);
  seeds.forEach((seed, row) => {
    expect(score(rowsOf([seed]))[0]).toBe(chances[row]);
  });
  expect(new Set(chances).size).toBe(9);
  for (const chance of chances) expect(chance > 0 && chance < 1).toBe(true);
});

test.each([
  ["names", "footer", -1],
  ["names", "breadcrumbs", -1],
  ["words", "cookies", -1],
  ["words", "privacy_policy", -1],
] as const)("in %s, %s speaks against content", (kind, token, sign) => {
  expect(Math.sign(shippedModel().lexica[kind].oddsOf(hashOfToken(token)))).toBe(sign);
});
