import { expect, test } from "vitest";

import { matchesGlob } from "./confined-page.ts";

test.each([
  ["https://a.test/", "https://a.test/", true],
  ["https://a.test/", "https://a.test/x", false],
  ["**/two", "https://a.test/one/two", true],
  ["**/two", "https://a.test/two/three", false],
  ["https://*/two", "https://a.test/two", true],
  ["https://*/two", "https://a.test/one/two", false],
  ["**/*.html?a=(1)", "https://a.test/x.html?a=(1)", true],
  ["*", "", true],
  ["*a*", "b/a", false],
  ["**a**b", "xaxxb", true],
  ["aa*aa", "aaa", false],
  ["", "a", false],
])("%s for %s: %s", (glob, text, isMatch) => {
  expect(matchesGlob(glob, text)).toBe(isMatch);
});

test("stars that an expression would try in billions of ways take no time", () => {
  expect(matchesGlob(`${"**a".repeat(30)}b`, "a".repeat(60_000))).toBe(false);
});

test("what would take long is refused", () => {
  expect(() => matchesGlob("*a".repeat(33), "a")).toThrow("at most 1000 characters and 32 stars");
});
