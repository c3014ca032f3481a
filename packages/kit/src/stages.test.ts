import { setTimeout as wait } from "node:timers/promises";

import { expect, test } from "vitest";

import { coveredMs, Stages } from "./stages.ts";

test("a stage is measured however it ends, and while it is under way", async () => {
  const stages = new Stages();
  const failing = stages.time("failing", async () => {
    await wait(20);
    throw new Error("No.");
  });
  expect(stages.list()).toMatchObject([{ name: "failing" }]);
  await expect(failing).rejects.toThrow("No.");
  expect(stages.list()[0]?.durationMs).toBeGreaterThanOrEqual(15);
  stages.note("noted", 5);
  expect(stages.list().map(({ name }) => name)).toEqual(["failing", "noted"]);
  stages.restart();
  expect(stages.list()).toEqual([]);
});

test.each([
  [[], 0],
  [[[0, 10]], 10],
  [
    [
      [0, 10],
      [5, 10],
    ],
    15,
  ],
  [
    [
      [0, 100],
      [20, 10],
    ],
    100,
  ],
  [
    [
      [50, 10],
      [0, 10],
    ],
    20,
  ],
])("stages %j cover %i ms", (given, expected) => {
  const stages = given.map(([startMs = 0, durationMs = 0]) => ({ name: "x", startMs, durationMs }));
  expect(coveredMs(stages)).toBe(expected);
});
