import { describe, expect, test } from "vitest";

import { requestFor } from "../scrape.suite.ts";
import { planScrape } from "./plan.ts";

const planFor = (options: object = {}) => planScrape(requestFor(options));

describe("the formats of a plan", () => {
  test("are the first of each type, in the order of the request", () => {
    const formats = ["links", { type: "screenshot", fullPage: true }, "markdown", { type: "links" }];
    expect(planFor({ formats }).formats).toEqual([
      { name: "links", options: { type: "links" } },
      { name: "screenshot", options: { type: "screenshot", fullPage: true } },
      { name: "markdown", options: { type: "markdown" } },
    ]);
  });

  test("and the options of the page are the recipe, which names an answer", () => {
    const { recipe, page, formats } = planFor({ formats: ["links"], includeTags: ["main"] });
    expect(JSON.parse(recipe)).toEqual({ page, formats });
    expect(planFor({ formats: ["links"], includeTags: ["main"], timeout: 5000 }).recipe).toBe(recipe);
    const { recipe: waiting } = planFor({ formats: ["links"], includeTags: ["main"], waitFor: 5 });
    expect(JSON.parse(waiting)).toEqual({ page, formats, visit: { browserFeatures: ["waitFor"] } });
    expect(planFor({ formats: ["links"] }).recipe).not.toBe(recipe);
    expect(planScrape(requestFor({ formats: ["links"] }), ["Left out."]).recipe).toContain("Left out.");
  });
});

describe("the timeout", () => {
  test.each<readonly [object, number]>([
    [{}, 60_000],
    [{ timeout: 1000 }, 1000],
    [{ timeout: 300_000 }, 300_000],
    [{ waitFor: 20_000 }, 60_000],
    [{ waitFor: 60_000 }, 90_000],
  ])("of %j is %i ms", (options, timeoutMs) => {
    expect(planFor(options).timeoutMs).toBe(timeoutMs);
  });
});

describe("a browser", () => {
  test.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ waitFor: 1 }, ["waitFor"]],
    [{ mobile: true }, ["mobile"]],
    [{ profile: { name: "ann" } }, ["profile"]],
    [{ actions: [] }, []],
    [{ actions: [{ type: "scroll" }], mobile: true }, ["mobile", "actions"]],
    [{ formats: ["screenshot"] }, ["screenshot"]],
    [{ formats: ["markdown", "links", "images", "rawBase64"].slice(0, 3) }, []],
  ])("is needed for what only it can do: %j", (options, features) => {
    expect(planFor(options).visit.browserFeatures).toEqual(features);
  });

  test("is told what the format wants", () => {
    const formats = [{ type: "screenshot", quality: 50, viewport: { width: 800, height: 600 } }];
    expect(planFor({ formats }).visit.browser).toMatchObject({
      screenshot: { fullPage: false, quality: 50, viewport: { width: 800, height: 600 } },
    });
    expect(planFor().visit.browser).not.toHaveProperty("screenshot");
  });

  test.each<readonly [object, number]>([
    [{}, 8000],
    [{ timeout: 4000 }, 2000],
    [{ timeout: 4000, waitFor: 2000 }, 1000],
    [{ timeout: 300_000, waitFor: 60_000 }, 8000],
  ])("gives a page time to be ready that leaves half for the rest: %j, %i ms", (options, readyWithinMs) => {
    expect(planFor(options).visit.browser.readyWithinMs).toBe(readyWithinMs);
  });
});

describe("the visitor", () => {
  test("is in the United States, and a proxy anywhere, unless the request says otherwise", () => {
    expect(planFor().visit).toMatchObject({ country: "US", languages: [], proxyCountry: undefined });
    expect(planFor({ location: { country: "at", languages: ["de"] } }).visit).toMatchObject({
      country: "AT",
      languages: ["de"],
      proxyCountry: "AT",
    });
  });
});

describe("the cache", () => {
  const cacheOf = (options: object) => planFor(options).cache;

  test("is read and written, usually, up to two days back", () => {
    expect(cacheOf({})).toMatchObject({
      mayRead: true,
      mayWrite: true,
      maxAgeMs: 172_800_000,
      minAgeMs: undefined,
    });
    expect(cacheOf({})).not.toHaveProperty("missCode");
  });

  test.each<readonly [string, object]>([
    ["headers", { headers: { cookie: "a=b" } }],
    ["actions", { actions: [{ type: "scroll" }] }],
    ["a profile", { profile: { name: "ann" } }],
    ["a password in the URL", { url: "http://ann:secret@site.test/" }],
    ["a name in the URL", { url: "http://ann@site.test/" }],
    ["bytes as they are", { formats: ["rawBase64"] }],
    ["an image of its own size", { formats: [{ type: "screenshot", viewport: { width: 9, height: 9 } }] }],
    ["an image of its own quality", { formats: ["markdown", { type: "screenshot", quality: 9 }] }],
    ["a part of a PDF", { parsers: [{ type: "pdf", maxPages: 2 }] }],
    ["pages of a PDF", { parsers: [{ type: "pdf", pages: true }] }],
  ])("has no part in a page with %s", (_name, options) => {
    expect(cacheOf(options)).toMatchObject({ mayRead: false, mayWrite: false });
  });

  test.each<readonly [object, { mayRead: boolean; mayWrite: boolean }]>([
    [{ maxAge: 0 }, { mayRead: false, mayWrite: true }],
    [{ storeInCache: false }, { mayRead: true, mayWrite: false }],
    [{ formats: ["markdown", "changeTracking"] }, { mayRead: false, mayWrite: true }],
    [{ formats: ["branding"] }, { mayRead: false, mayWrite: true }],
    [
      { formats: ["branding"], storeInCache: false },
      { mayRead: false, mayWrite: false },
    ],
    [{ parsers: [] }, { mayRead: true, mayWrite: false }],
    [{ parsers: ["pdf"] }, { mayRead: true, mayWrite: true }],
    [
      { headers: {}, actions: [] },
      { mayRead: true, mayWrite: true },
    ],
    [{ formats: ["screenshot", "html"] }, { mayRead: true, mayWrite: true }],
    [{ lockdown: true }, { mayRead: true, mayWrite: false }],
    [
      { lockdown: true, headers: { a: "b" } },
      { mayRead: true, mayWrite: false },
    ],
    [
      { lockdown: true, maxAge: 0 },
      { mayRead: false, mayWrite: false },
    ],
  ])("with %j: %j", (options, part) => {
    expect(cacheOf(options)).toMatchObject(part);
  });

  test.each<readonly [object, object]>([
    [{ minAge: 5 }, { missCode: "SCRAPE_NO_CACHED_DATA", minAgeMs: 5, maxAgeMs: undefined }],
    [
      { minAge: 5, maxAge: 9 },
      { missCode: "SCRAPE_NO_CACHED_DATA", minAgeMs: 5, maxAgeMs: 9 },
    ],
    [{ lockdown: true }, { missCode: "SCRAPE_LOCKDOWN_CACHE_MISS", maxAgeMs: 63_072_000_000 }],
    [
      { lockdown: true, minAge: 5 },
      { missCode: "SCRAPE_LOCKDOWN_CACHE_MISS", maxAgeMs: 63_072_000_000 },
    ],
    [
      { lockdown: true, maxAge: 7 },
      { missCode: "SCRAPE_LOCKDOWN_CACHE_MISS", maxAgeMs: 7 },
    ],
  ])("alone answers with %j: %j", (options, part) => {
    expect(cacheOf(options)).toMatchObject(part);
  });

  test.each<readonly [object, string]>([
    [{}, "none"],
    [{ formats: ["screenshot"] }, "viewport"],
    [{ formats: [{ type: "screenshot", fullPage: true }] }, "full-page"],
    [{ formats: ["screenshot"], lockdown: true }, "none"],
    [{ actions: [{ type: "screenshot" }] }, "none"],
  ])("looks for a page with the image that %j wants: %s", (options, screenshot) => {
    expect(cacheOf(options).key.screenshot).toBe(screenshot);
  });

  test("tells pages apart by what makes them look different, and by nothing else", () => {
    const key = cacheOf({}).key;
    for (const other of [
      { mobile: true },
      { blockAds: false },
      { location: { country: "DE" } },
      { proxy: "enhanced" },
    ]) {
      expect(cacheOf(other).key).not.toEqual(key);
    }
    for (const same of [{ proxy: "basic" }, { formats: ["links"] }, { waitFor: 9 }, { location: {} }]) {
      expect(cacheOf(same).key).toEqual(key);
    }
  });
});

describe("files", () => {
  test.each([
    [undefined, ["pdf", "image"]],
    [["pdf"], ["pdf"]],
    [["image"], ["image"]],
    [[], []],
  ])("with the parsers %j: %j are turned into Markdown", (parsers, types) => {
    expect(planFor(parsers && { parsers }).page.parsers.map(({ type }) => type)).toEqual(types);
  });

  test("of any kind are accepted by the format that takes bytes as they are", () => {
    expect(planFor({ formats: ["rawBase64"] }).page.acceptsAnyFile).toBe(true);
    expect(planFor({ formats: ["rawHtml"] }).page.acceptsAnyFile).toBe(false);
  });
});
