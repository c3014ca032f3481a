import { expect, test } from "vitest";

import { ageInMonths, ageWarning } from "./browser-age.ts";

const APRIL = Date.UTC(2026, 3, 20);
const NOVEMBER = Date.UTC(2026, 10, 23);

test.each([
  ["147.0.7727.0", APRIL, 0],
  ["147.0.7727.0", NOVEMBER, 7],
  ["153.0.8010.0", NOVEMBER, 2],
  ["160.0.0.0", NOVEMBER, 0],
])("version %s is so old: %i, %i months", (version, nowMs, months) => {
  expect(ageInMonths(version, nowMs)).toBe(months);
});

test("a browser of more than a quarter is warned of, with what to do", () => {
  expect(ageWarning("147.0.7727.0", NOVEMBER)).toMatch(
    /^Chromium 147\.0\.7727\.0 is about 7 months old .* Install/,
  );
  expect(ageWarning("153.0.8010.0", NOVEMBER)).toBeUndefined();
});
