import { describe, expect, test } from "vitest";

import { isTrap, nextChain, shapeOf, TRAP_LIMITS } from "./traps.ts";

describe("a trap", () => {
  test.each([
    ["2,000 characters", `/${"x".repeat(2000 - "http://site.test/".length)}`, false],
    ["2,001 characters", `/${"x".repeat(2001 - "http://site.test/".length)}`, true],
    ["12 segments", "/a/b/c/d/e/f/g/h/i/j/k/l", false],
    ["12 segments and a slash", "/a/b/c/d/e/f/g/h/i/j/k/l/", false],
    ["13 segments", "/a/b/c/d/e/f/g/h/i/j/k/l/m", true],
    ["a segment twice", "/a/b/a/c", false],
    ["a segment for the third time", "/a/b/a/c/a", true],
    ["slashes alone", "/a///////////////", false],
  ])("%s", (_name, path, expected) => {
    expect(isTrap(new URL(path, "http://site.test"))).toBe(expected);
  });
});

test.each([
  ["/cal/2026/01", "/cal/2027/12"],
  ["/list?page=2", "/list?page=10"],
  ["/a9b", "/a123b"],
])("%s has the shape of %s", (one, other) => {
  const shape = (path: string) => shapeOf(new URL(path, "http://site.test"));
  expect(shape(one)).toBe(shape(other));
});

test.each([
  ["/list", "/list?page=2"],
  ["/p/1", "/p/1/a"],
  ["http://a.test/1", "https://a.test/1"],
])("%s has another shape than %s", (one, other) => {
  const shape = (path: string) => shapeOf(new URL(path, "http://site.test"));
  expect(shape(one)).not.toBe(shape(other));
});

test("a chain of stale pages ends, and one that brings news begins anew", () => {
  let chain: number | undefined = 0;
  let links = 0;
  while (chain !== undefined) {
    links += 1;
    chain = nextChain({ chain, isStale: true });
  }
  expect(links).toBe(TRAP_LIMITS.chain + 1);
  expect(nextChain({ chain: TRAP_LIMITS.chain, isStale: false })).toBe(0);
});
