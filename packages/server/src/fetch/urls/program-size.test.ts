import { RE2JS } from "re2js";
import { expect, test } from "vitest";

import { programSizeOf } from "./program-size.ts";

test.each([
  "^/blog/.*",
  "^/[\\w-]+/\\d{4}/\\d{2}/\\d{2}/",
  "(a?){500}a{500}",
  "((a{10}b){10}c){5}",
  "(?:one|two|three){20}",
  "[^/]{1,200}\\.html$",
  "[]a]{3}[[:alpha:]]{3}",
  "\\Qa.b\\E{3}",
  "\\p{Greek}{10}\\x{10FFFF}{10}",
  "a{,5}{}",
  `(${"a".repeat(100)}){50}`,
])("the size of %s is told without compiling it", (pattern) => {
  const real = RE2JS.compile(pattern).programSize();
  expect(programSizeOf(pattern)).toBeGreaterThan(real / 3);
  expect(programSizeOf(pattern)).toBeLessThan(real * 3);
});

test.each([
  ["counts of counts", "((a{900}){900}){900}", 100_000_000],
  ["a count of much", `(${"a".repeat(1900)}){1000}`, 1_000_000],
  ["counts one after the other", "(a?){1000}".repeat(200), 500_000],
  ["groups that do not end", "(((a{1000}", 1000],
])("%s is seen", (_name, pattern, least) => {
  expect(programSizeOf(pattern)).toBeGreaterThanOrEqual(least);
});

test("a pattern made to take long does not", () => {
  expect(programSizeOf("[".repeat(1000) + "\\Q".repeat(500))).toBeGreaterThan(0);
  expect(programSizeOf("\\p{".repeat(600))).toBeGreaterThan(0);
});
