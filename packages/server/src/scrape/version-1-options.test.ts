import { describe, expect, test } from "vitest";

import { jobOptionsOf } from "../jobs/version-1-options.ts";
import { asksForExtract, version2OptionsOf } from "./version-1-options.ts";
import { sitemapUse } from "../fetch/site/version-1-sitemaps.ts";

describe("options of version 1", () => {
  test("have the defaults of version 1, and keep what is given", () => {
    expect(version2OptionsOf({})).toEqual({ maxAge: 0, timeout: 30_000, skipTlsVerification: false });
    expect(version2OptionsOf({ timeout: 5, maxAge: 7, url: "https://a.test" })).toMatchObject({
      timeout: 5,
      maxAge: 7,
      url: "https://a.test",
    });
  });

  test.each([
    ["content", "markdown"],
    ["screenshot@fullPage", { type: "screenshot", fullPage: true }],
    ["links", "links"],
    ["a format that nobody knows", "a format that nobody knows"],
    [{ type: "json" }, { type: "json" }],
    ["constructor", "constructor"],
  ])("the format %j is %j", (given, format) => {
    expect(version2OptionsOf({ formats: [given] })["formats"]).toEqual([format]);
  });

  test("options of json and changeTracking move into their formats", () => {
    const body = {
      formats: ["json", "changeTracking"],
      jsonOptions: { schema: { type: "object" }, prompt: "p", systemPrompt: "s", agent: {} },
      changeTrackingOptions: { modes: ["git-diff"], type: "other" },
    };
    const options = version2OptionsOf(body);
    expect(options["formats"]).toEqual([
      { type: "json", schema: { type: "object" }, prompt: "s\n\np" },
      { type: "changeTracking", modes: ["git-diff"], hasDiffObject: true },
    ]);
    expect(options).not.toHaveProperty("jsonOptions");
    expect(options).not.toHaveProperty("changeTrackingOptions");
  });

  test("extract is json under its older name, and not both", () => {
    const body = { formats: ["extract"], extract: { prompt: "p" } };
    expect(version2OptionsOf(body)["formats"]).toEqual([{ type: "json", prompt: "p" }]);
    expect(asksForExtract(body)).toBe(true);
    expect(asksForExtract({ formats: "extract" })).toBe(false);
    expect(() => version2OptionsOf({ formats: ["json", "extract"], extract: {}, jsonOptions: {} })).toThrow(
      /same format/,
    );
  });

  test.each(["json", "extract"])("%s needs its options", (format) => {
    expect(() => version2OptionsOf({ formats: [format] })).toThrow(/options must be provided/);
  });

  test("fields of version 2 alone are refused by name", () => {
    expect(() => version2OptionsOf({ domainTools: true, toolDetail: "full" })).toThrow(
      /domainTools, toolDetail/,
    );
  });

  test("parsePDF: false is no parsers; true is nothing", () => {
    expect(version2OptionsOf({ parsePDF: false })).toMatchObject({ parsers: [] });
    expect(version2OptionsOf({ parsePDF: true })).not.toHaveProperty("parsers");
  });

  test("what is not a list of formats is left to version 2", () => {
    expect(version2OptionsOf({ formats: "markdown" })["formats"]).toBe("markdown");
    expect(version2OptionsOf({ formats: [7, null] })["formats"]).toEqual([7, null]);
  });

  test("extract has no place in jobs", () => {
    expect(() => jobOptionsOf({ formats: ["extract"], extract: {} })).toThrow(/works for single scrapes/);
    expect(jobOptionsOf({ formats: ["links"] })["formats"]).toEqual(["links"]);
  });
});

test.each([
  [{}, {}],
  [{ ignoreSitemap: false }, {}],
  [{ ignoreSitemap: true }, { sitemap: "skip" }],
  [{ sitemapOnly: true }, { sitemap: "only" }],
  [{ ignoreSitemap: true, sitemapOnly: true }, { sitemap: "only" }],
  [{ ignoreSitemap: "true" }, {}],
])("the flags %j are %j", (flags, use) => {
  expect(sitemapUse(flags)).toEqual(use);
});
