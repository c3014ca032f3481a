import { expect, test } from "vitest";

import { slicesOf } from "./time-slices.ts";

const stage = (name: string, startMs: number | null, durationMs: number) => ({ name, startMs, durationMs });

test("the inner of two stages counts, and the rest is told as not measured", () => {
  const stages = [stage("queue", 0, 100), stage("threads", 200, 300), stage("markdown", 400, 100)];
  expect(slicesOf(stages, 1000)).toEqual([
    { name: "queue", durationMs: 100 },
    { name: undefined, durationMs: 100 },
    { name: "threads", durationMs: 200 },
    { name: "markdown", durationMs: 100 },
    { name: undefined, durationMs: 500 },
  ]);
});

test("stages of old requests follow each other", () => {
  expect(slicesOf([stage("visit", null, 5), stage("html", null, 3)], 1500)).toEqual([
    { name: "visit", durationMs: 5 },
    { name: "html", durationMs: 3 },
    { name: undefined, durationMs: 1492 },
  ]);
});

test("a request of which nothing was measured says so", () => {
  expect(slicesOf([], 2000)).toEqual([{ name: undefined, durationMs: 2000 }]);
});
