import { describe, expect, test } from "vitest";

import { chroma, contrast, differs, luminance } from "./brand-colors.ts";
import { tally, weigh } from "./tally.ts";

describe("colours", () => {
  test("contrast is that of WCAG, whichever comes first", () => {
    expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
    expect(contrast("#FFFFFF", "#000000")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#FFFFFF")).toBeCloseTo(4.48, 2);
    expect(contrast("#3366CC", "#3366CC")).toBe(1);
  });

  test("luminance goes from black to white, green weighs most", () => {
    expect([luminance("#000000"), luminance("#FFFFFF")]).toEqual([0, 1]);
    expect(luminance("#00FF00")).toBeGreaterThan(luminance("#FF0000"));
    expect(luminance("#FF0000")).toBeGreaterThan(luminance("#0000FF"));
  });

  test("chroma is 0 for every grey and 1 for a pure colour", () => {
    expect([chroma("#808080"), chroma("#FF0000"), chroma("#FFFF00")]).toEqual([0, 1, 1]);
  });

  test.each([
    ["#FFFFFF", "#FFFFFF", false],
    ["#FFFFFF", "#F5F5F5", false],
    ["#FFFFFF", "#F4F4F4", true],
    ["#000000", "#0000FF", true],
  ])("%s and %s can be told apart: %j", (one, other, isOther) => {
    expect([differs(one, other), differs(other, one)]).toEqual([isOther, isOther]);
  });
});

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
