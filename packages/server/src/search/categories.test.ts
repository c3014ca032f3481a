import { describe, expect, test } from "vitest";

import { categoryOf, operatorsOf } from "./categories.ts";

const ALL = ["github", "research", "developer", "pdf", "gov"] as const;
const of = (url: string) => categoryOf(new URL(url), ALL);

describe("the category of a page", () => {
  test.each([
    ["https://github.com/a/b", "github"],
    ["https://gist.github.com/a", "github"],
    ["https://arxiv.org/abs/1", "research"],
    ["https://www.nature.com/a.pdf", "research"],
    ["https://a.readthedocs.io/", "developer"],
    ["https://a.test/paper.PDF?x=1", "pdf"],
    ["https://www.usa.gov/", "gov"],
    ["https://www.legislation.gov.uk/", "gov"],
  ])("of %s is %s", (url, category) => {
    expect(of(url)).toBe(category);
  });

  test.each([
    "https://notgithub.com/",
    "https://github.com.evil.test/",
    "https://a.test/?file=a.pdf",
    "https://a.test/pdf",
    "https://mygov.test/",
    "https://gov.test/",
    "https://a.gov.evil.test/",
  ])("of %s is none", (url) => {
    expect(of(url)).toBeUndefined();
  });

  test("is the first of those that were asked for", () => {
    const page = new URL("https://github.com/a.pdf");
    expect([categoryOf(page, ["pdf", "github"]), categoryOf(page, ["gov"]), categoryOf(page, [])]).toEqual([
      "pdf",
      undefined,
      undefined,
    ]);
  });

  test("asks engines for each operator once", () => {
    expect(
      operatorsOf(["github", "developer", "pdf"]).filter((one) => one === "site:github.com"),
    ).toHaveLength(1);
    expect(operatorsOf([])).toEqual([]);
  });
});
