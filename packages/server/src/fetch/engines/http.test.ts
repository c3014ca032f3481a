import { describe, expect, test } from "vitest";

import {
  fixedResolver,
  listenDns,
  listenHttp,
  listenHttps,
  listenRaw,
  openTestClient,
} from "../../net/loopback.suite.ts";
import { openResolver } from "../../net/guard/resolver.ts";
import { type Attempt, type EngineResult, isRefusal, lacksOf, type Refusal } from "../engine.ts";
import { attemptOf, closedPort, never } from "../visit.suite.ts";
import type { Visit } from "../visit.ts";
import { httpEngine } from "./http.ts";

/** Every name leads to this machine, and all of it is open. */
const engine = httpEngine(openTestClient({ allow: ["127.0.0.1"], resolver: fixedResolver("127.0.0.1") }));

async function fetchBy(changes: Partial<Visit>, attempt: Partial<Attempt> = {}): Promise<EngineResult> {
  const result = await engine.visit({ ...attemptOf(changes), ...attempt }, never);
  if (isRefusal(result)) throw new Error(result.message);
  return result;
}

async function refusalBy(changes: Partial<Visit>, by = engine): Promise<Refusal> {
  const result = await by.visit(attemptOf(changes), never);
  if (!isRefusal(result)) throw new Error(`The page came with status ${result.capture.statusCode}.`);
  return result;
}

describe("a page by plain HTTP", () => {
  test("is captured as it came", async () => {
    const { port } = await listenHttp((_request, response) => {
      response.writeHead(404, "Not There", {
        "Content-Type": "text/html; charset=latin1",
        "Set-Cookie": ["a=1", "b=2"],
      });
      response.end(Buffer.from("<p>é", "latin1"));
    });
    const { capture } = await fetchBy({ url: `http://site.test:${port}/page` });
    expect(capture).toMatchObject({
      requestedUrl: `http://site.test:${port}/page`,
      url: `http://site.test:${port}/page`,
      statusCode: 404,
      reason: "Not Found",
      contentType: "text/html; charset=latin1",
      engine: "http",
      proxyUsed: "basic",
    });
    expect(capture.headers["set-cookie"]).toBe("a=1, b=2");
    expect(Buffer.from(capture.body).toString("latin1")).toBe("<p>é");
    expect(Math.abs(Date.now() - capture.capturedAtMs)).toBeLessThan(60_000);
  });

  test("R11 has headers of any name", async () => {
    const head = "HTTP/1.1 200 OK\r\nConstructor: a\r\nconstructor: b\r\nhas-own: c\r\ntoString: d\r\n\r\n";
    const { port } = await listenRaw((socket) => socket.end(`${head}words`));
    const { capture } = await fetchBy({ url: `http://site.test:${port}/` });
    expect(Object.entries(capture.headers)).toEqual(
      expect.arrayContaining([
        ["constructor", "a, b"],
        ["tostring", "d"],
      ]),
    );
  });

  test("has the reason of its server where the status has none of its own, and may have no type", async () => {
    const { port } = await listenRaw((socket) => socket.end("HTTP/1.1 299 Rather Fine\r\n\r\nwords"));
    const { capture } = await fetchBy({ url: `http://site.test:${port}/` });
    expect(capture).toMatchObject({ statusCode: 299, contentType: undefined });
    expect(Buffer.from(capture.body).toString()).toBe("words");
  });

  test("is where its redirects end, and hands over what was set on the way", async () => {
    const { port } = await listenHttp((request, response) => {
      if (request.url === "/start") {
        response.writeHead(302, { location: "/end", "set-cookie": ["a=1", "b=2; Path=/end"] });
        return response.end();
      }
      response.setHeader("set-cookie", "c=3");
      return response.end(`cookies: ${request.headers.cookie ?? "none"}`);
    });
    const url = `http://site.test:${port}/start`;
    const { capture, cookies } = await fetchBy({ url });
    expect(capture).toMatchObject({ requestedUrl: url, url: `http://site.test:${port}/end` });
    expect(Buffer.from(capture.body).toString()).toBe("cookies: b=2; a=1");
    expect(cookies).toEqual([
      { url, header: "a=1" },
      { url, header: "b=2; Path=/end" },
      { url: capture.url, header: "c=3" },
    ]);
  });

  test("is asked for as the visit says", async () => {
    const { port } = await listenHttp((request, response) => response.end(JSON.stringify(request.headers)));
    const url = `http://site.test:${port}/`;
    const headersOf = async (changes: Partial<Visit>, attempt: Partial<Attempt> = {}) => {
      const { capture } = await fetchBy({ url, ...changes }, attempt);
      return JSON.parse(Buffer.from(capture.body).toString()) as Record<string, string>;
    };
    const { browser } = attemptOf().visit;
    expect(await headersOf({ country: "DE" })).toMatchObject({
      "accept-language": "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
    });
    expect(await headersOf({ languages: ["fr"], headers: { "X-Name": "me" } })).toMatchObject({
      "accept-language": "fr",
      "x-name": "me",
    });
    expect((await headersOf({}))["user-agent"]).toMatch(/Linux x86_64|Macintosh|Windows/);
    expect((await headersOf({ browser: { ...browser, mobile: true } }))["user-agent"]).toContain("Android");
  });

  test("on the enhanced tier is told by its public name", async () => {
    const { port } = await listenHttp((_request, response) => response.end("words"));
    const { capture } = await fetchBy({ url: `http://site.test:${port}/` }, { tier: "enhanced" });
    expect(capture.proxyUsed).toBe("stealth");
  });

  test("is all that this engine offers", async () => {
    expect(await engine.isAvailable(never)).toBe(true);
    expect(lacksOf(engine, ["screenshot", "actions", "mobile"])).toEqual(["screenshot", "actions", "mobile"]);
  });
});

describe("section 4.2: a page that does not come", () => {
  test("because its host has no address", async () => {
    const resolver = openResolver({ servers: [await listenDns(() => undefined)] });
    const lost = httpEngine(openTestClient({ resolver }));
    expect(await refusalBy({ url: "http://nowhere.test/" }, lost)).toMatchObject({
      code: "SCRAPE_DNS_RESOLUTION_ERROR",
      message: 'DNS resolution failed for hostname "nowhere.test".',
    });
  });

  test("because its address is private", async () => {
    const { port } = await listenHttp((_request, response) => response.end("secret"));
    const careful = httpEngine(openTestClient());
    expect(await refusalBy({ url: `http://127.0.0.1:${port}/` }, careful)).toMatchObject({
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: expect.stringMatching(/^Connection violated security rules\./),
    });
  });

  test("because nobody listens", async () => {
    const url = `http://site.test:${await closedPort()}/`;
    expect(await refusalBy({ url })).toMatchObject({
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: "The connection was refused.",
    });
  });

  test.each([
    ["reset", "ERR_CONNECTION_RESET", (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
    ["ended without an answer", "ERR_EMPTY_RESPONSE", (socket: { end(): unknown }) => socket.end()],
  ])("because the connection was %s", async (_case, browserCode, act) => {
    const { port } = await listenRaw(act);
    expect(await refusalBy({ url: `http://site.test:${port}/` })).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: `The URL failed to load in the browser with error code "${browserCode}".`,
    });
  });

  test("because it redirects for ever", async () => {
    const { port } = await listenHttp((_request, response) => {
      response.writeHead(302, { location: "/again" }).end();
    });
    expect((await refusalBy({ url: `http://site.test:${port}/` })).message).toContain(
      "ERR_TOO_MANY_REDIRECTS",
    );
  });

  test("because its certificate does not hold, unless that was allowed", async () => {
    const { port } = await listenHttps((_request, response) => response.end("words"));
    const url = `https://site.test:${port}/`;
    expect(await refusalBy({ url, skipTlsVerification: false })).toMatchObject({
      code: "SCRAPE_SSL_ERROR",
      message: expect.stringContaining("Set skipTlsVerification to true"),
    });
    expect((await fetchBy({ url, skipTlsVerification: true })).capture.statusCode).toBe(200);
  });

  test("because it is larger than allowed", async () => {
    const { port } = await listenHttp((_request, response) => response.end("x".repeat(2000)));
    const url = `http://site.test:${port}/`;
    expect(await refusalBy({ url, maxBodyBytes: 1000 })).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("File exceeds size limit"),
    });
  });

  test("because nobody waits for it any more", async () => {
    const { port } = await listenHttp(() => undefined);
    const abort = new AbortController();
    const visiting = engine.visit(attemptOf({ url: `http://site.test:${port}/` }), abort.signal);
    setTimeout(() => abort.abort(new Error("Nobody waits.")), 20);
    await expect(visiting).rejects.toThrow("Nobody waits.");
  });

  test("because of a fault of ours, which is no refusal", async () => {
    const broken = httpEngine({
      request: () => Promise.reject(new TypeError("A fault.")),
      prepare: async () => undefined,
      close: async () => undefined,
    });
    await expect(broken.visit(attemptOf(), never)).rejects.toThrow("A fault.");
  });
});
