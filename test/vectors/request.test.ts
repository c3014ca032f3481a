import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
/** Nothing private is open here. */
let closedWorld: World;
let url: string;

beforeAll(async () => {
  [world, closedWorld] = await Promise.all([openWorld(), openWorld({ EGRESS_ALLOW: "" })]);
  url = world.site.page("/page", htmlPage("<main><h1>Hello</h1><p>One paragraph of text.</p></main>"));
});

const UNRECOGNIZED =
  "Unrecognized key in body -- please review the v2 API documentation for request body changes";

test("A1 an empty object lacks the url", async () => {
  const { status, body } = await world.scrape({});
  expect(status).toBe(400);
  expect(body).toMatchObject({ success: false, code: "BAD_REQUEST", error: "Bad Request: url is missing" });
  expect(body.details).toEqual([
    {
      code: "invalid_type",
      expected: "string",
      path: ["url"],
      message: "Invalid input: expected string, received undefined",
    },
  ]);
});

test("A1 an empty body counts as an empty object", async () => {
  const { status, body } = await world.scrape("");
  expect(status).toBe(400);
  expect(body.details[0]?.path).toEqual(["url"]);
});

describe("A2 unknown keys", () => {
  test("one is named", async () => {
    const { status, body } = await world.scrape({ url, cache: 1 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: "BAD_REQUEST", error: UNRECOGNIZED });
    expect(body.details).toEqual([
      { code: "unrecognized_keys", keys: ["cache"], path: [], message: 'Unrecognized key: "cache"' },
    ]);
  });

  test("several are named together", async () => {
    const { body } = await world.scrape({ url, a: 1, b: 2 });
    expect(body.details[0]).toMatchObject({ keys: ["a", "b"], message: 'Unrecognized keys: "a", "b"' });
  });

  test("they win over other problems", async () => {
    const { body } = await world.scrape({ extract: {}, location: { country: "XX" } });
    expect(body.error).toBe(UNRECOGNIZED);
  });

  test.each([
    "extract",
    "jsonOptions",
    "changeTrackingOptions",
    "pageOptions",
    "agent",
    "geolocation",
    "onlyIncludeTags",
    "removeTags",
    "screenshot",
    "urls",
    "webhook",
    "maxConcurrency",
    "__unknown",
  ])("%s is one", async (key) => {
    const { status, body } = await world.scrape({ url, [key]: "x" });
    expect(status).toBe(400);
    expect(body.error).toBe(UNRECOGNIZED);
  });

  test.each([
    "__experimental_omce",
    "__experimental_omceDomain",
    "__experimental_cache",
    "__experimental_engpicker",
    "__searchPreviewToken",
    "__forceFirePDF",
    "__agentInterop",
    "useMock",
  ])("%s is none", async (key) => {
    const { status } = await world.scrape({ url, [key]: "x" });
    expect(status).toBe(200);
  });

  test("inside a nested object they are no top-level problem", async () => {
    const { status, body } = await world.scrape({ url, parsers: [{ type: "pdf", x: 1 }] });
    expect(status).toBe(400);
    expect(body.error).toBe("Bad Request: parsers[0] has no field x");
    expect(body.details[0]).toMatchObject({ code: "invalid_union", path: ["parsers", 0] });
  });
});

test("A3 malformed JSON", async () => {
  const { status, body } = await world.scrape('{"url": "http://');
  expect(status).toBe(400);
  expect(body).toEqual({
    success: false,
    code: "BAD_REQUEST_INVALID_JSON",
    error: "Bad request, malformed JSON",
  });
});

describe("A4 size of the body", () => {
  const LIMIT = 10 * 1024 * 1024;
  const sized = (bytes: number) => {
    const frame = JSON.stringify({ url, formats: [], origin: "" });
    return frame.replace('"origin":""', `"origin":"${"x".repeat(bytes - frame.length)}"`);
  };

  test("10 MB are accepted", async () => {
    const { status } = await world.scrape(sized(LIMIT));
    expect(status).toBe(200);
  });

  test("a byte more is refused", async () => {
    const { status, body } = await world.scrape(sized(LIMIT + 1));
    expect(status).toBe(413);
    expect(body).toEqual({ success: false, error: "Payload Too Large" });
  });
});

describe("A5 a URL without a scheme", () => {
  test("is fetched by http", async () => {
    const { status, body } = await world.scrape({ url: url.replace("http://", "") });
    expect(status).toBe(200);
    expect(body.data.metadata.sourceURL).toBe(url);
    expect(body.data.markdown).toContain("# Hello");
  });

  test("may be surrounded by white space", async () => {
    const { body } = await world.scrape({ url: `\n ${url}\t` });
    expect(body.data.metadata.sourceURL).toBe(url);
  });
});

test.each([
  ["ftp://site.test/file", "URL uses unsupported protocol"],
  ["mailto:me@site.test", "URL uses unsupported protocol"],
  ["http://http://x", "Invalid URL"],
  ["report.pdf", "URL must have a valid top-level domain or be an IP address"],
  ["localhost", "URL must have a valid top-level domain or be an IP address"],
  ["http://intranet/", "URL must have a valid top-level domain or be an IP address"],
  ["", "Invalid URL"],
  ["http://", "Invalid URL"],
  [`http://site.test/${"x".repeat(16_384)}`, "Invalid URL"],
])("A6 %s: %s", async (badUrl, message) => {
  const { status, body } = await closedWorld.scrape({ url: badUrl });
  expect(status).toBe(400);
  expect(body).toMatchObject({ success: false, code: "BAD_REQUEST", error: message });
  expect(body.details[0]).toMatchObject({ path: ["url"], message });
});

test.each(["localhost", "localhost:3000", "http://localhost:8080/page"])(
  "F6 %s, a newcomer's first try, is answered with what opens it",
  async (first) => {
    const { status, body } = await closedWorld.scrape({ url: first });
    expect(status).toBe(400);
    const hint = expect.stringContaining("EGRESS_ALLOW=localhost.") as string;
    expect(body.details[0]).toMatchObject({ path: ["url"], params: { hint } });
  },
);

test("F6 an address of this machine is answered with what opens it", async () => {
  const { status, body } = await closedWorld.scrape({ url: "http://127.0.0.1:3000/" });
  expect(status).toBe(500);
  expect(body.error).toContain("EGRESS_ALLOW=127.0.0.1.");
});

test("a mistaken file name gets no such advice", async () => {
  const { body } = await closedWorld.scrape({ url: "report.pdf" });
  expect(body.details[0]).not.toHaveProperty("params");
});

describe("A7 timeout", () => {
  test.each([
    [999, "Too small: expected number to be >=1000"],
    [300_001, "Too big: expected number to be <=300000"],
  ])("%i is refused", async (timeout, message) => {
    const { status, body } = await world.scrape({ url, timeout });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
    expect(body.details[0]).toMatchObject({ path: ["timeout"], message });
  });

  test.each([1000, 300_000])("%i is accepted", async (timeout) => {
    const { status } = await world.scrape({ url, timeout });
    expect(status).toBe(200);
  });
});

describe("A8 waitFor", () => {
  test.each([60_001, -1, 1.5])("%d is refused", async (waitFor) => {
    const { status, body } = await world.scrape({ url, waitFor });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
    expect(body.details[0]?.path).toEqual(["waitFor"]);
  });

  test("more than half of timeout is refused", async () => {
    const { status, body } = await world.scrape({ url, waitFor: 600, timeout: 1000 });
    expect(status).toBe(400);
    expect(body.error).toBe("waitFor must not exceed half of timeout");
    expect(body.details[0]).toMatchObject({ code: "custom", path: ["waitFor"] });
  });

  test("half of timeout is accepted", async () => {
    const { status } = await world.scrape({ url, waitFor: 500, timeout: 1000 });
    // A browser that has to be started first may need the other half.
    expect([200, 408]).toContain(status);
  });
});

describe("A9 actions", () => {
  const press = { type: "press", key: "Enter" };

  test("51 are too many", async () => {
    const { status, body } = await world.scrape({ url, actions: Array.from({ length: 51 }, () => press) });
    expect(status).toBe(400);
    expect(body.error).toBe("Number of actions cannot exceed 50");
  });

  test.each([
    [[{ type: "wait", milliseconds: 60_001 }], 0],
    [
      [
        { type: "wait", milliseconds: 59_001 },
        { type: "wait", selector: "h1" },
      ],
      0,
    ],
    [[{ type: "wait", milliseconds: 30_001 }], 30_000],
  ])("%j with waitFor %i wait too long together", async (actions, waitFor) => {
    const { status, body } = await world.scrape({ url, actions, waitFor });
    expect(status).toBe(400);
    expect(body.error).toBe("Total wait time (waitFor + wait actions) cannot exceed 60 seconds");
  });

  test.each([{ type: "wait", milliseconds: 1, selector: "h1" }, { type: "wait" }])(
    "%j needs one of both",
    async (action) => {
      const { status, body } = await world.scrape({ url, actions: [action] });
      expect(status).toBe(400);
      expect(body.error).toBe("Either 'milliseconds' or 'selector' must be provided, but not both.");
    },
  );

  test.each([
    { type: "wait", milliseconds: 0 },
    { type: "wait", milliseconds: 10, x: 1 },
    { type: "fly" },
    { type: "click" },
    { type: "scroll", direction: "left" },
    { type: "pdf", format: "B5" },
    { type: "pdf", scale: 0 },
  ])("%j is refused", async (action) => {
    const { status, body } = await world.scrape({ url, actions: [action] });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
  });

  test.each([
    { type: "click", selector: "a", unknown: true },
    { type: "wait", milliseconds: 60_000 },
    { type: "screenshot", fullPage: true, quality: 80, viewport: { width: 800, height: 600 } },
    { type: "pdf", format: "Ledger", landscape: true, scale: 0.5 },
  ])("%j is valid", async (action) => {
    const never = world.site.url("/never");
    const { body } = await world.scrape({ url: never, actions: [action], lockdown: true });
    expect(body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
  });

  test("an empty list is none", async () => {
    const { status } = await world.scrape({ url, actions: [] });
    expect(status).toBe(200);
  });
});

describe("A10 formats", () => {
  test.each([
    [["screenshot", { type: "screenshot", fullPage: true }], "You may only specify one screenshot format"],
    [["changeTracking"], "The changeTracking format requires the markdown format to be specified as well"],
    [["rawBase64", "markdown"], "The rawBase64 format cannot be combined with other formats"],
  ])("%j is refused", async (formats, message) => {
    const { status, body } = await world.scrape({ url, formats });
    expect(status).toBe(400);
    expect(body.error).toBe(message);
    expect(body.details[0]).toMatchObject({ code: "custom", path: ["formats"], message });
  });

  test.each([
    ["markdown", ["formats"]],
    [["foo"], ["formats", 0]],
    [
      ["markdown", "deterministicJson"],
      ["formats", 1],
    ],
    [[{ type: "markdown", x: 1 }], ["formats", 0]],
    [["attributes"], ["formats", 0]],
    [["question"], ["formats", 0]],
    [[{ type: "question", question: "" }], ["formats", 0]],
    [[{ type: "query", prompt: "x", mode: "loud" }], ["formats", 0]],
    [[{ type: "screenshot", viewport: { width: 0, height: 1 } }], ["formats", 0]],
    [[{ type: "json", prompt: "x".repeat(10_001) }], ["formats", 0]],
    [[null], ["formats", 0]],
  ])("%j does not fit", async (formats, path) => {
    const { status, body } = await world.scrape({ url, formats });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
    expect(body.details[0]?.path.slice(0, path.length)).toEqual(path);
  });

  test("an open object in a schema is refused", async () => {
    const schema = { type: "object", properties: { a: { type: "object", additionalProperties: true } } };
    const { status, body } = await world.scrape({ url, formats: [{ type: "json", schema }] });
    expect(status).toBe(400);
    expect(body.error).toMatch(
      /^Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true'/,
    );
  });

  test("a name and an object of the same type are one", async () => {
    const { status, body } = await world.scrape({ url, formats: ["markdown", { type: "markdown" }] });
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual(["markdown", "metadata"]);
  });

  test("an empty list gives nothing but metadata", async () => {
    const { status, body } = await world.scrape({ url, formats: [] });
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual(["metadata"]);
  });

  test("without a list there is markdown", async () => {
    const { body } = await world.scrape({ url });
    expect(body.data.markdown).toBe("# Hello\n\nOne paragraph of text.");
  });

  test("exactly what was asked for comes back", async () => {
    const formats = ["html", "links", "images", { type: "attributes", selectors: [] }];
    const { body } = await world.scrape({ url, formats });
    expect(Object.keys(body.data).toSorted()).toEqual(["attributes", "html", "images", "links", "metadata"]);
  });
});

describe("A11 proxy", () => {
  test("stealth is another name of enhanced", async () => {
    const { status, body } = await world.scrape({ url, proxy: "stealth" });
    expect(status).toBe(200);
    expect(body.data.metadata.proxyUsed).toBe("stealth");
  });

  test("basic is what auto starts with", async () => {
    const { body } = await world.scrape({ url });
    expect(body.data.metadata.proxyUsed).toBe("basic");
  });

  test("an unknown one is refused", async () => {
    const { status, body } = await world.scrape({ url, proxy: "x" });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
    expect(body.details[0]).toMatchObject({
      code: "invalid_value",
      values: ["basic", "stealth", "enhanced", "auto"],
      path: ["proxy"],
    });
  });
});

describe("A12 location", () => {
  test.each(["us", "US", "de", "us-generic", "US-whitelist"])("country %s is known", async (country) => {
    const { status } = await world.scrape({ url, location: { country } });
    expect(status).toBe(200);
  });

  test.each(["XX", "USA", "", "1"])("country %s is refused", async (country) => {
    const { status, body } = await world.scrape({ url, location: { country } });
    expect(status).toBe(400);
    expect(body.error).toBe("Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.");
    expect(body.details[0]).toMatchObject({ code: "custom", path: ["location", "country"] });
  });

  test("unknown keys inside are ignored", async () => {
    const { status } = await world.scrape({ url, location: { country: "FR", city: "Lyon" } });
    expect(status).toBe(200);
  });
});

test.each([
  [
    { formats: ["markdown", "links", { type: "changeTracking", schema: 3 }] },
    "formats[2].schema must be an object",
  ],
  [{ onlyMainContent: "yes" }, "onlyMainContent must be a boolean"],
  [{ timeout: 10 }, "timeout must be at least 1000"],
  [{ waitFor: 1.5 }, "waitFor must be an integer"],
  [{ proxy: "x" }, "proxy must be one of basic, stealth, enhanced, auto"],
  [{ formats: "markdown" }, "formats must be an array"],
  [{ formats: ["foo"] }, /^formats\[0\] must be one of audio, .*, video or an object$/],
  [{ formats: [{ type: "foo" }] }, /^formats\[0\] must have a type that is one of attributes, .*, video$/],
  [{ formats: ["question"] }, /^formats\[0\] must be one of audio, .* or an object$/],
  [{ formats: [{ type: "question" }] }, "formats[0].question is missing"],
  [{ formats: [{ type: "html", x: 1 }] }, "formats[0] has no field x"],
  [{ actions: [{ type: "fly" }] }, /^actions\[0\]\.type must be one of click, .*, write$/],
  [{ actions: [{ type: "wait", milliseconds: 10, x: 1 }] }, "actions[0] has no field x"],
  [{ redactPII: 5 }, "redactPII must be a boolean or an object"],
  [{ redactPII: { mode: "x" } }, "redactPII.mode must be one of accurate, aggressive, fast"],
  [{ profile: { name: "" } }, "profile.name must not be empty"],
  [{ includeTags: Array.from({ length: 201 }, () => "p") }, "includeTags must have at most 200 entries"],
  [{ headers: { "bad name": "x" } }, /^headers\["bad name"\] must have a name of letters, digits and /],
  [{ location: { languages: ["no tag"] } }, "location.languages[0] must be a locale tag, such as de-DE"],
])("A66 `error` says what is wrong with %j in one sentence", async (options, reason) => {
  const { status, body } = await world.scrape({ url, ...options });
  expect(status).toBe(400);
  const [, said = ""] = body.error.split(/^Bad Request: /);
  expect(said).toMatch(reason);
});

test("A66 `error` says that a scrape cannot stand beside provider tools", async () => {
  const alexandria = { provider: "wikipedia", capability: "summary" };
  const { status, body } = await world.scrape({ url, formats: ["markdown"], alexandria });
  expect(status).toBe(400);
  expect(body.code).toBe("BAD_REQUEST");
  expect(body.error).toMatch(/^Bad Request: alexandria .*url, formats cannot stand beside it/);
  expect(body.details).toEqual([
    {
      code: "unrecognized_keys",
      keys: ["url", "formats"],
      path: [],
      message: 'Unrecognized keys: "url", "formats"',
    },
  ]);
});

describe("A65 what cannot be sent is refused", () => {
  test.each([
    [{ "bad name": "x" }, ["headers", "bad name"]],
    [{ "": "x" }, ["headers", ""]],
    [{ ":path": "/admin" }, ["headers", ":path"]],
    [{ "X-Injected": "a\r\nHost: evil.test" }, ["headers", "X-Injected"]],
    [{ "X-Nul": "a\0b" }, ["headers", "X-Nul"]],
  ])("as headers: %j", async (headers, path) => {
    const { status, body } = await world.scrape({ url, headers });
    expect(status).toBe(400);
    expect(body.details[0]?.path).toEqual(path);
  });

  test.each(["not a tag", "", "de_DE", "x\r\nx-evil: 1", "de-DE,de"])(
    "as a language: %j",
    async (language) => {
      const { status, body } = await world.scrape({ url, location: { languages: ["en", language] } });
      expect(status).toBe(400);
      expect(body.details[0]?.path).toEqual(["location", "languages", 1]);
    },
  );

  test("but everything else that servers take is sent", async () => {
    const path = "/sendable";
    const target = world.site.page(path, htmlPage("<main><h1>Hello</h1><p>Text.</p></main>"));
    const headers = { "X-Tab": "a\tb", "x!#$%&'*+.^_`|~": "1", "X-Empty": "" };
    const location = { languages: ["de-CH", "*;q=0.1", " en ; q=0.8"] };
    const { status } = await world.scrape({ url: target, headers, location });
    expect(status).toBe(200);
    expect(world.site.hits(path)[0]?.headers).toMatchObject({
      "x-tab": "a\tb",
      "accept-language": "de-CH,*;q=0.9,en;q=0.8",
    });
  });
});

describe("A13 parsers", () => {
  test("all kinds may be named", async () => {
    const { status } = await world.scrape({ url, parsers: ["pdf", "image"] });
    expect(status).toBe(200);
  });

  test.each([0, 10_001, 1.5])("maxPages %d is refused", async (maxPages) => {
    const { status, body } = await world.scrape({ url, parsers: [{ type: "pdf", maxPages }] });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Bad Request: \S/);
  });
});

test.each([
  { origin: "mcp-fastmcp" },
  { integration: "cli" },
  { integration: null },
  { integration: "_partner" },
  { origin: "anything at all" },
])("A15 %j is accepted", async (labels) => {
  const { status } = await world.scrape({ url, ...labels });
  expect(status).toBe(200);
});
