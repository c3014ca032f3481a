import { expect, test } from "vitest";

import { stillProcessing } from "./pdf-jobs.ts";

/** Ten pages a second, before the layout. */
const progress = { pages: 200, done: 100, spentMs: 10_000 };

test.each([
  ["nothing is known yet", undefined, 600, 5],
  ["the estimate is longer than the work so far", progress, 10_000, 16],
  ["the work has taken longer than its estimate says", progress, 31_200, 32],
  ["it takes hours", progress, 7_200_000, 600],
] as const)("clients ask again in good time when %s", (_when, known, elapsedMs, seconds) => {
  expect(stillProcessing(known, elapsedMs).retryAfterSeconds).toBe(seconds);
});

test("five questions reach work that takes a minute and a half, where it was thought to take no time", () => {
  let elapsedMs = 1000;
  for (let question = 1; question <= 5; question += 1) {
    elapsedMs += (stillProcessing(undefined, elapsedMs).retryAfterSeconds ?? 0) * 1000;
  }
  expect(elapsedMs).toBeGreaterThan(90_000);
});
