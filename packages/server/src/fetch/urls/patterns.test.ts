import { describe, expect, test } from "vitest";

import { compilePatterns, type PatternFault, type PatternOptions, type UrlPatterns } from "./patterns.ts";

const NONE: PatternOptions = { include: [], exclude: [], areOfWholeUrl: false };

function fits(path: string, lists: Partial<PatternOptions>): boolean {
  const patterns = compilePatterns({ ...NONE, ...lists }) as UrlPatterns;
  return patterns.ruleAgainst(new URL(path, "http://site.test")) === undefined;
}

function faults(lists: Partial<PatternOptions>): readonly PatternFault[] {
  const patterns = compilePatterns({ ...NONE, ...lists });
  return "ruleAgainst" in patterns ? [] : patterns;
}

describe("patterns", () => {
  test("that are not there leave nothing out", () => {
    expect(fits("/a", {})).toBe(true);
  });

  test("include what one of them matches anywhere", () => {
    const include = ["^/blog/", "news"];
    expect(fits("/blog/a", { include })).toBe(true);
    expect(fits("/my-news/b", { include })).toBe(true);
    expect(fits("/other", { include })).toBe(false);
  });

  test("exclude even what is included", () => {
    expect(fits("/blog/old", { include: ["^/blog"], exclude: ["old$"] })).toBe(false);
  });

  test("are held against the path, or the whole URL without its fragment", () => {
    expect(fits("/a?page=2", { include: ["page"] })).toBe(false);
    expect(fits("/a?page=2", { include: ["test/a\\?page=\\d$"], areOfWholeUrl: true })).toBe(true);
    expect(fits("/a#page", { include: ["page"], areOfWholeUrl: true })).toBe(false);
  });

  test.each([
    "\\/blog\\/.*",
    "(?i)BLOG",
    "^/[\\w-]+/\\d{4}/\\d{2}/",
    "\\p{L}+",
    "(?P<year>a)",
    "(?<year>a)",
    "a{2,5}",
  ])("%s is supported", (pattern) => {
    expect(faults({ include: [pattern] })).toEqual([]);
  });

  test.each([
    ["look-ahead", "(?!a)b"],
    ["look-behind", "(?<=a)b"],
    ["a back reference", "(a)\\1"],
    ["a group without end", "(a"],
    ["a repetition of nothing", "*a"],
    ["more than 1,000 repetitions", "a{1001}"],
    ["repetitions of repetitions", "((a{100}){100}){100}"],
    ["repetitions of much", `(${"a".repeat(1900)}){1000}`],
    ["many large repetitions", "(a?){1000}".repeat(200)],
  ])("%s is refused", (_name, pattern) => {
    expect(faults({ exclude: ["a", pattern] })).toMatchObject([{ list: "exclude", index: 1 }]);
  });

  test.each(["(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)x", "(?:a|b|ab)*c"])(
    "%s does not explode",
    (pattern) => {
      const before = process.cpuUsage();
      fits(`/${"a".repeat(1900)}!`, { include: [pattern] });
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
    },
  );
});
