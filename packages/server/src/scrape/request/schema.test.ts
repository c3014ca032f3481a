import { describe, expect, test } from "vitest";

import { requestFor } from "../scrape.suite.ts";
import { scrapeRequestSchema } from "./schema.ts";

const schema = scrapeRequestSchema(() => false);
const issuesOf = (body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
const withOptions = (options: object) => issuesOf({ url: "http://site.test/", ...options });

test("a URL is enough; everything else has its default", () => {
  expect(requestFor()).toEqual({
    url: "http://site.test/",
    formats: [{ type: "markdown" }],
    onlyMainContent: true,
    onlyCleanContent: false,
    includeTags: [],
    excludeTags: [],
    storeInCache: true,
    lockdown: false,
    headers: {},
    waitFor: 0,
    mobile: false,
    skipTlsVerification: true,
    parsers: [{ type: "pdf", mode: "auto" }, { type: "image" }],
    actions: [],
    removeBase64Images: true,
    blockAds: true,
    proxy: "auto",
    redactPII: false,
    zeroDataRetention: false,
    domainTools: false,
    toolDetail: "summary",
    fastMode: false,
    checkPromptInjection: false,
    origin: "api",
  });
});

describe("types are strict", () => {
  test.each([
    "onlyMainContent",
    "storeInCache",
    "lockdown",
    "mobile",
    "blockAds",
    "zeroDataRetention",
    "fastMode",
  ])("%s is a boolean, nothing that looks like one", (name) => {
    for (const value of ["true", 1, null, {}, []]) expect(withOptions({ [name]: value })).toHaveLength(1);
  });

  test.each(["maxAge", "minAge", "waitFor", "timeout"])("%s is a whole number, not its text", (name) => {
    for (const value of ["2000", 2000.5, null, Number.MAX_SAFE_INTEGER + 1, -1]) {
      expect(withOptions({ [name]: value })?.[0]).toMatch(new RegExp(`^${name}: `));
    }
    expect(withOptions({ [name]: 2000 })).toBeUndefined();
  });

  test.each([
    { headers: { a: 1 } },
    { headers: ["a"] },
    { includeTags: "main" },
    { excludeTags: [1] },
    { includeTags: ["x".repeat(501)] },
    { excludeTags: Array.from({ length: 201 }, () => "a") },
    { proxy: "tor" },
    { toolDetail: "all" },
    { origin: 1 },
    { integration: "x".repeat(101) },
    { auditMetadata: {} },
    { auditMetadata: { username: "x".repeat(1025) } },
    { auditMetadata: { username: "ann", team: "x" } },
    { profile: { name: "" } },
    { profile: { name: "x".repeat(129) } },
    { profile: { name: "x", path: "/" } },
    { redactPII: { mode: "slow" } },
    { redactPII: { entities: ["NAME"] } },
    { redactPII: { style: "tag" } },
    { threatProtection: { blacklist: ["http://a.test"] } },
    { threatProtection: { colour: "red" } },
  ])("%j does not fit", (options) => {
    expect(withOptions(options)?.length).toBeGreaterThan(0);
  });

  test.each([
    { integration: null },
    { origin: "" },
    { redactPII: true },
    { redactPII: { entities: [] } },
    { maxAge: 0, minAge: 0 },
    { minAge: 10, maxAge: 5 },
    { threatProtection: { blacklist: ["*.a.test"], blockedTlds: ["zip"] } },
    { useMock: "x", __experimental_omce: { a: 1 }, __agentInterop: true },
  ])("%j fits", (options) => {
    expect(withOptions(options)).toBeUndefined();
  });
});

describe("parsers", () => {
  test("are objects with their defaults", () => {
    expect(
      requestFor({ parsers: ["image", "pdf", { type: "pdf", mode: "ocr", maxPages: 3 }] }).parsers,
    ).toEqual([{ type: "image" }, { type: "pdf", mode: "auto" }, { type: "pdf", mode: "ocr", maxPages: 3 }]);
    expect(requestFor({ parsers: [] }).parsers).toEqual([]);
  });

  test.each([
    ["docx"],
    [{ type: "image", mode: "fast" }],
    [{ type: "pdf", maxPages: 0 }],
    [{ mode: "fast" }],
  ])("%j is no parser", (parser) => {
    expect(withOptions({ parsers: [parser] })).toEqual(["parsers.0: Invalid input"]);
  });
});

test("an element that is waited for counts a second, a click counts nothing", () => {
  const clicks = Array.from({ length: 50 }, () => ({ type: "click", selector: "a" }));
  expect(withOptions({ waitFor: 60_000, actions: clicks })).toBeUndefined();
});

test("bodies that are no object, or have strange members, are refused in words", () => {
  for (const body of [null, [], 1, "x", true]) expect(issuesOf(body)).toHaveLength(1);
  expect(issuesOf(JSON.parse('{"url":"http://a.test","__proto__":{"x":1}}'))).toEqual([
    ': Unrecognized key: "__proto__"',
  ]);
  expect(withOptions({ constructor: 1, toString: 2 })).toEqual([
    ': Unrecognized keys: "constructor", "toString"',
  ]);
});
