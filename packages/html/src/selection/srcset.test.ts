import { describe, expect, test } from "vitest";

import { largestCandidate, parseSrcset } from "./srcset.ts";

describe("parseSrcset", () => {
  test.each([
    ["a.jpg", ["a.jpg"]],
    ["a.jpg 1x, b.jpg 2x", ["a.jpg", "b.jpg"]],
    [" a.jpg 100w ,\n b.jpg 1.5x,", ["a.jpg", "b.jpg"]],
    ["a.jpg, b.jpg", ["a.jpg", "b.jpg"]],
    ["/w_1,h_2/a.jpg 1x, /w_3,h_4/b.jpg 2x", ["/w_1,h_2/a.jpg", "/w_3,h_4/b.jpg"]],
    ["data:image/png;base64,AAAA 1x, b 2x", ["data:image/png;base64,AAAA", "b"]],
    ["", []],
    [" , ,, ", []],
  ])("%j", (srcset, urls) => {
    expect(parseSrcset(srcset).map((candidate) => candidate.url)).toEqual(urls);
  });

  test("descriptors", () => {
    expect(parseSrcset("a 200w, b 1.5x, c nonsense, d 10w 5h")).toEqual([
      { url: "a", width: 200, density: 1 },
      { url: "b", width: undefined, density: 1.5 },
      { url: "c", width: undefined, density: 1 },
      { url: "d", width: 10, density: 1 },
    ]);
  });

  test.each([",", " ", "a ", "a 1x,", "9", "a 9"])("megabytes of %j", (piece) => {
    expect(parseSrcset(piece.repeat(300_000)).length).toBeLessThanOrEqual(300_000);
  });
});

describe("largestCandidate", () => {
  test.each([
    ["a 100w, b 900w, c 400w", "b"],
    ["a 1x, b 3x, c 2x", "b"],
    ["a 3x, b 100w", "b"],
    ["a, b", "a"],
  ])("%s", (srcset, url) => {
    expect(largestCandidate(parseSrcset(srcset))?.url).toBe(url);
  });

  test("of none", () => {
    expect(largestCandidate([])).toBeUndefined();
  });
});
