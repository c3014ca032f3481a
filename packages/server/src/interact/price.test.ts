import { expect, test } from "vitest";

import { priceOfSession } from "./price.ts";

test.each([
  [0, 2, 7],
  [1, 2, 7],
  [60_000, 2, 7],
  [60_001, 3, 8],
  [61_000, 3, 8],
  [90_000, 3, 11],
  [91_000, 4, 11],
  [120_000, 4, 14],
  [3_600_000, 120, 420],
])("%i ms cost %i credits, with a prompt %i", (durationMs, usual, prompted) => {
  expect(priceOfSession(durationMs, false)).toBe(usual);
  expect(priceOfSession(durationMs, true)).toBe(prompted);
});
