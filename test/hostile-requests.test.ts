import { connect } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld();
let url: string;

beforeAll(async () => {
  url = world.site.page("/page", htmlPage("<h1>Hello</h1>"));
});

/** Sends bytes and gives back all that comes until the end. */
function talk(bytes: string): Promise<string> {
  const { port, hostname } = new URL(world.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
}

describe("bodies that are no request", () => {
  test.each(["[]", "null", "1", '"x"', "true", "[[]]"])("%s is no object", async (text) => {
    const { status, body } = await world.scrape(text);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      code: "BAD_REQUEST",
      error: "Bad Request: the body must be an object",
    });
  });

  test.each(["formats", "actions", "parsers", "includeTags", "excludeTags"])(
    "2,000,000 wrong entries of %s are told in few words",
    async (name) => {
      const { status, body } = await world.scrape(`{"url":"${url}","${name}":[${"0,".repeat(2_000_000)}0]}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body).length).toBeLessThan(10_000);
    },
  );
});

describe("encoded bodies", () => {
  const SPACES = Buffer.alloc(50 * 1024 * 1024, " ");

  test.each([
    ["gzip", () => gzipSync(SPACES, { level: 1 })],
    ["br", () => brotliCompressSync(SPACES, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])("that are %s bombs are too large", async (coding, bomb) => {
    const { status, body } = await world.scrape(bomb(), { "content-encoding": coding });
    expect(status).toBe(413);
    expect(body).toEqual({ success: false, error: "Payload Too Large" });
  });
});

describe("names of the prototype", () => {
  test.each([
    '{"url": "URL", "__proto__": {"polluted": 1}}',
    '{"url": "URL", "constructor": {"prototype": {"polluted": 1}}}',
    '{"url": "URL", "location": {"__proto__": {"polluted": 1}, "country": "DE"}}',
    '{"url": "URL", "headers": {"__proto__": "polluted", "constructor": "x"}}',
    '{"url": "URL", "formats": [{"type": "__proto__"}]}',
    '{"url": "URL", "formats": ["constructor", "toString"]}',
    '{"url": "URL", "proxy": "__proto__"}',
    '{"url": "URL", "location": {"country": "constructor"}}',
  ])("%s changes nothing", async (text) => {
    const { status, body } = await world.scrape(text.replace("URL", url));
    expect([200, 400]).toContain(status);
    expect(body.success).toBe(status === 200);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("are unknown keys like others", async () => {
    const { status, body } = await world.scrape(`{"url": "${url}", "__proto__": {"formats": []}}`);
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Unrecognized key in body/);
  });
});

describe("wrong types", () => {
  const VALUES = [null, 1.5, -1, "x", true, [], {}, [null], { a: { b: [] } }, 1e308];
  /** Field → the values above that are right for it, as JSON. */
  const FIELDS: Readonly<Record<string, readonly string[]>> = {
    url: [],
    formats: ["[]"],
    onlyMainContent: ["true"],
    onlyCleanContent: ["true"],
    includeTags: ["[]"],
    excludeTags: ["[]"],
    maxAge: [],
    minAge: [],
    storeInCache: ["true"],
    lockdown: ["true"],
    headers: ["{}"],
    waitFor: [],
    mobile: ["true"],
    skipTlsVerification: ["true"],
    timeout: [],
    parsers: ["[]"],
    actions: ["[]"],
    location: ["{}", '{"a":{"b":[]}}'],
    removeBase64Images: ["true"],
    blockAds: ["true"],
    proxy: [],
    redactPII: ["true", "{}"],
    profile: [],
    threatProtection: ["{}"],
    auditMetadata: [],
    zeroDataRetention: ["true"],
    domainTools: ["true"],
    toolDetail: [],
    fastMode: ["true"],
    checkPromptInjection: ["true"],
    safeMode: ["true"],
    origin: ['"x"'],
    integration: ["null", '"x"'],
    useMock: ['"x"'],
  };

  test.each(Object.entries(FIELDS))("of %s are refused", async (name, right) => {
    const wrong = VALUES.filter((value) => !right.includes(JSON.stringify(value)));
    // "x" is a URL without a scheme whose host is no public one; the rest is of a wrong type.
    for (const value of wrong) {
      const { status, body } = await world.scrape({ url, [name]: value });
      expect(body, `${name}: ${JSON.stringify(value)}`).toMatchObject({
        success: false,
        code: "BAD_REQUEST",
      });
      expect(status).toBe(400);
      expect(body.details[0]?.path[0]).toBe(name);
    }
  });

  test("of header values are refused", async () => {
    const { status, body } = await world.scrape({ url, headers: { a: 1 } });
    expect(status).toBe(400);
    expect(body.details[0]).toMatchObject({ code: "invalid_type", path: ["headers", "a"] });
  });

  test.each([
    { "X-A": "line\r\nInjected: 1" },
    { "bad name": "x" },
    { "": "x" },
    { "X-Nul": "a\0b" },
    { "X-Ünï": "x" },
    { "X-Value": "žluťoučký 🐎" },
  ])("of headers %j inject nothing", async (headers) => {
    const before = world.site.hits("/page").length;
    const { status, body } = await world.scrape({ url, headers });
    expect([200, 400, 500]).toContain(status);
    expect(body.code).not.toBe("UNKNOWN_ERROR");
    for (const hit of world.site.hits("/page").slice(before))
      expect(hit.headers).not.toHaveProperty("injected");
    const request = JSON.stringify({ urls: [url], webhook: { url, headers } });
    const started = await fetch(`${world.baseUrl}/v2/batch/scrape`, { method: "POST", body: request });
    expect(started.status).toBe(status);
  });

  test.each([Number.MAX_SAFE_INTEGER + 2, 1e21])("maxAge %d is beyond the integers", async (maxAge) => {
    const { status } = await world.scrape({ url, maxAge });
    expect(status).toBe(400);
  });
});

describe("a client that goes away", () => {
  test("ends the visit of its target", async () => {
    let closed = false;
    const slow = world.site.page("/slow", (request, response) => {
      const drip = setInterval(() => response.write("<p>"), 50);
      request.socket.on("close", () => {
        clearInterval(drip);
        closed = true;
      });
    });
    const controller = new AbortController();
    const scrape = world.scrape({ url: slow }, {}, controller.signal);
    await expect.poll(() => world.site.hits("/slow")).toHaveLength(1);
    controller.abort();
    await expect(scrape).rejects.toThrow(/abort/i);
    await expect.poll(() => closed).toBe(true);
    await expect.poll(() => world.metric("pergamon_pages_fetching")).toBe(0);
  });

  test("does not end the visit for another who waits for it", async () => {
    let finish = () => {};
    const shared = world.site.page("/shared", (_request, response) => {
      finish = () => response.end("<h1>Shared</h1>");
    });
    const controller = new AbortController();
    const gone = world.scrape({ url: shared }, {}, controller.signal);
    await expect.poll(() => world.site.hits("/shared")).toHaveLength(1);
    const stays = world.scrape({ url: shared });
    await expect.poll(() => world.metric("pergamon_pages_fetching")).toBe(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    controller.abort();
    await expect(gone).rejects.toThrow(/abort/i);
    finish();
    expect((await stays).body.data.markdown).toBe("# Shared");
    expect(world.site.hits("/shared")).toHaveLength(1);
  });
});

describe("broken HTTP", () => {
  test.each([
    ["no request", "hello\r\n\r\n"],
    ["a huge head", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
    [
      "two lengths",
      "POST /v2/scrape HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ],
    [
      "a length and chunks",
      "POST /v2/scrape HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("%s is refused", async (_case, bytes) => {
    expect(await talk(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await world.get("/healthz")).status).toBe(200);
  });

  test.each(["/v2/%ff", "/%", "/v2/scrape/%00", "/v2/scrape/..%2f..%2fetc"])(
    "the path %s is refused",
    async (path) => {
      const answer = await talk(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(answer).toContain('"success":false');
    },
  );
});
