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

// Elsewhere the other threads of the tests count, too.
test.runIf(process.platform === "linux")("work that others took the processor from is begun again", () => {
  let tries = 0;
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  const work = () => {
    tries += 1;
    // Waits without computing anything, as a process does that is not let to the processor.
    if (tries < 3) for (let waits = 0; waits < 50; waits += 1) Atomics.wait(blocked, 0, 0, 20);
    return tries;
  };
  expect(runWithin(100, work)).toBe(3);
});
