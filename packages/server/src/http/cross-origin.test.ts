import { request as send } from "node:http";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import type { TrustedPages } from "./cross-origin.ts";

const TRUSTED: TrustedPages = {
  publicUrl: "https://scrape.test:8443/base",
  corsOrigins: ["https://app.test", "chrome-extension://abcdef"],
};

/** How often the work was done. */
let done = 0;
let open: TestServer;
let keyed: TestServer;

beforeAll(async () => {
  [open, keyed] = await Promise.all([serve(TRUSTED), serve(undefined)]);
});

afterAll(() => Promise.all([open.close(), keyed.close()]));

function serve(trustedPages: TrustedPages | undefined): Promise<TestServer> {
  return openTestServer(
    (app) => {
      app.post("/v2/scrape", async ({ body }) => {
        done += 1;
        return { body };
      });
      for (const path of ["/", "/docs", "/dashboard", "/v2/files/:name", "/v2/team/activity", "/healthz"])
        app.get(path, async () => ({ success: true }));
      app.get("/admin/api/teams", async () => ({ success: true }));
    },
    { trustedPages },
  );
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly error: string | undefined;
}

/** Sends these headers and no others, `Host` included. A line is `METHOD /path`. */
function ask(server: TestServer, line: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const [method = "", path = ""] = line.split(" ");
  return new Promise((resolve, reject) => {
    const request = send(`${server.url}${path}`, { method, headers, agent: false }, (answer) => {
      const { statusCode: status, headers: received } = answer;
      const toReply = (body: string): Reply => {
        const { error } = JSON.parse(body === "" ? "{}" : body) as { readonly error?: string };
        return { status, headers: received, error };
      };
      text(answer).then((body) => resolve(toReply(body)), reject);
    });
    request.on("error", reject);
    request.end(method === "POST" ? '{"url":"http://a.test"}' : "");
  });
}

describe("C-39 in open mode a page", () => {
  test.each([
    "http://localhost:5173",
    "http://127.0.0.1:3002",
    "https://127.1.2.3",
    "http://[::1]:80",
    "https://scrape.test:8443",
    "https://app.test",
    "chrome-extension://abcdef",
  ])("of %s may use the service, and its origin is told back", async (origin) => {
    const answer = await ask(open, "POST /v2/scrape", { origin, "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    const asked = await ask(open, "OPTIONS /v2/scrape", { origin, "access-control-request-method": "POST" });
    expect([asked.status, asked.headers["access-control-allow-origin"]]).toEqual([204, origin]);
  });

  test.each([
    "https://evil.test",
    "null",
    "http://app.test",
    "https://app.test:8080",
    "https://app.test.evil.test",
    "https://evil.test/https://app.test",
    "http://localhost.evil.test",
    "http://127.0.0.1.evil.test",
    "http://10.0.0.1",
    "chrome-extension://other",
    "x".repeat(5000),
  ])("R3 of %.60s may not, whatever it sends, and the refusal says what to set", async (origin) => {
    const before = done;
    for (const line of ["POST /v2/scrape", "GET /v2/team/activity", "OPTIONS /v2/scrape", "GET /healthz"]) {
      const answer = await ask(open, line, { origin, "content-type": "text/plain" });
      expect(answer.status).toBe(403);
      expect(answer.error).toMatch(
        /^Forbidden: pages from ".+ are not allowed .* CORS_ORIGINS, or set AUTH=keys\.$/,
      );
      expect(answer.error?.length).toBeLessThan(500);
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
    expect(done).toBe(before);
  });

  test("R3 that sends no origin may not either, unless it is of the same site", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    const answer = await ask(open, "GET /v2/team/activity", headers);
    expect([answer.status, answer.error]).toEqual([403, expect.stringContaining("CORS_ORIGINS")]);
    for (const site of ["same-origin", "same-site", "none"])
      expect((await ask(open, "GET /v2/team/activity", { "sec-fetch-site": site })).status).toBe(200);
  });

  test.each(["/", "/?x=1", "/docs", "/dashboard", "/v2/files/a.png?expires=1&signature=x"])(
    "of another site may lead to %s",
    async (path) => {
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
      expect((await ask(open, `GET ${path}`, headers)).status).toBe(200);
      expect((await ask(open, `GET ${path}`, { ...headers, "sec-fetch-mode": "no-cors" })).status).toBe(403);
    },
  );

  test.each(["GET /v2/team/activity", "POST /v2/scrape", "POST /docs", "GET /admin/api/teams"])(
    "of another site may not lead to %s",
    async (line) => {
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
      expect((await ask(open, line, headers)).status).toBe(403);
    },
  );

  test("that is good may still not read the operator's interface", async () => {
    const answer = await ask(open, "GET /admin/api/teams", { origin: "https://app.test" });
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
  });
});

describe("C-39 in open mode the service", () => {
  test("asks clients that are no browsers for nothing", async () => {
    const answer = await ask(open, "POST /v2/scrape", { "content-type": "text/plain" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ vary: "Origin" });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test.each([
    "127.0.0.1",
    "192.0.2.7:3002",
    "[2001:db8::1]:80",
    "localhost:3002",
    "LOCALHOST",
    "scrape.test",
    "app.test:81",
  ])("goes by the name %s", async (host) => {
    expect((await ask(open, "POST /v2/scrape", { host })).status).toBe(200);
  });

  test.each([
    "evil.test:3002",
    "localhost.evil.test",
    "127.0.0.1.evil.test",
    "a@evil.test",
    "localhost.",
    "x y",
    "[::1",
    "%",
  ])("R3 does not go by the name %j, which may be anybody's", async (host) => {
    for (const line of ["POST /v2/scrape", "GET /"]) {
      const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };
      const answer = await ask(open, line, { host, ...navigation });
      expect(answer.status).toBe(403);
      expect(answer.error).toMatch(/^Forbidden: .* PUBLIC_URL or CORS_ORIGINS\.$/);
    }
  });
});

test("C-39 with keys every page may use the service, by every name", async () => {
  const headers = { origin: "https://evil.test", host: "evil.test", "sec-fetch-site": "cross-site" };
  const answer = await ask(keyed, "POST /v2/scrape", headers);
  expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  expect(answer.headers).not.toHaveProperty("vary");
});
