import { describe, expect, test } from "vitest";

import { tally, weigh } from "./tally.ts";

describe("a tally", () => {
  const items = [
    ["a", 1],
    ["b", 5],
    ["a", 4],
    [undefined, 100],
    ["c", 5],
  ] as const;

  test("adds weights up; of equal ones the first comes first, and what has no value does not count", () => {
    const valueOf = ([value]: (typeof items)[number]) => value;
    const weightOf = ([, weight]: (typeof items)[number]) => weight;
    expect(tally(items, valueOf, weightOf)).toEqual(["a", "b", "c"]);
    expect([...weigh(items, valueOf, weightOf)]).toEqual([
      ["a", 5],
      ["b", 5],
      ["c", 5],
    ]);
  });
});
