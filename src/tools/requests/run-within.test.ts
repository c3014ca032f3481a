import { expect, test } from "vitest";

import { openRunWithin, OutOfTime } from "./run-within.ts";

const runWithin = openRunWithin();

test("gives back what the work returns, and throws what it throws", () => {
  expect(runWithin(1000, () => [1])).toEqual([1]);
  const failure = new Error("no");
  expect(() =>
    runWithin(1000, () => {
      throw failure;
    }),
  ).toThrow(failure);
});

test.each([
  [
    "a loop",
    () => {
      for (;;);
    },
  ],
  ["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(60)}b`)],
])("%s without an end is ended", (_what, work) => {
  expect(() => runWithin(20, work)).toThrow(OutOfTime);
  // The process goes on as before.
  expect(runWithin(1000, () => 1)).toBe(1);
});
