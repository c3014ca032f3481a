import { beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "./server.ts";
import { sendJsonParts } from "../packages/server/src/http/send-json.ts";
import { JsonParts } from "../packages/server/src/api/outgoing.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer((app) => {
    app.get("/v2/things/:id", async ({ params, id }) => ({ params, id }));
    app.put("/v2/things/:id", async ({ id }) => ({ id }));
    app.get("/v2/broken", async () => {
      throw new Error("of the test");
    });
    app.get("/v2/parts", (_request, reply) => sendJsonParts(reply, new JsonParts([Buffer.from("{}")])));
    app.get("/admin/api/teams", async () => ({ success: true }));
    app.get("/v2/notes", async (request) => {
      request.notes = { host: "shop.test" };
      return {};
    });
    app.get("/v2/about", async ({ ip, host, protocol }) => ({ ip, host, protocol }));
  });
});

const NOT_FOUND = { success: false, error: "Not Found" };
const END = "Host: x\r\nConnection: close\r\n\r\n";

/** The line that the log has of the last request. */
function lastLine(): Readonly<Record<string, unknown>> {
  return server.logged.findLast(({ msg }) => msg === "request") ?? {};
}

describe("every answer", () => {
  test.each([
    ["GET /v2/things/1", 200],
    ["GET /v2/parts", 200],
    ["GET /v2/nowhere", 404],
    ["GET /v2/broken", 500],
    ["PUT /v2/things/1", 200],
    ["OPTIONS /v2/things/1", 204],
    ["GET /v2/%ff", 400],
  ])("says how long it took, and is open to pages of all sites: %s", async (line, status) => {
    const answer = await server.ask(line);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-response-time")).toMatch(/^\d+ms$/);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test.each(["GET /admin/api/teams", "GET /admin/api/nowhere", "GET /admin/%ff", "OPTIONS /admin/api/teams"])(
    "of the operator's interface is closed to them: %s",
    async (line) => {
      const { headers } = await server.ask(line, { headers: { origin: "http://evil.test" } });
      expect(Array.from(headers.keys()).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.get("x-response-time")).toMatch(/^\d+ms$/);
    },
  );

  test.each([
    ["GET /v2/nowhere", 404],
    ["POST /v2/things/1", 404],
    ["PROPFIND /v2/things/1", 404],
    ["GET /V2/things/1", 404],
    ["GET /v2/things/1/2", 404],
  ])("to what is not there has the same body: %s", async (line, status) => {
    const answer = await server.ask(line);
    expect([answer.status, answer.body]).toEqual([status, NOT_FOUND]);
  });
});

describe("a preflight (contract, section 1.0)", () => {
  test.each(["/v2/things/1", "/v2/nowhere", "/v2/scrape"])("of %s allows every method", async (path) => {
    const headers = { origin: "http://page.test", "access-control-request-method": "PUT" };
    const answer = await server.ask(`OPTIONS ${path}`, { headers });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    const methods = answer.headers.get("access-control-allow-methods")?.split(",");
    expect(methods).toEqual(expect.arrayContaining(["GET", "POST", "PUT", "PATCH", "DELETE"]));
    const names = answer.headers.get("access-control-allow-headers")?.split(",");
    expect(names).toEqual(expect.arrayContaining(["authorization", "x-request-id", "x-idempotency-key"]));
    expect(Number(answer.headers.get("access-control-max-age"))).toBeGreaterThan(60);
  });

  test("allows the headers that the page wants to send", async () => {
    const headers = { "access-control-request-headers": "x-own, authorization" };
    const answer = await server.ask("OPTIONS /v2/things/1", { headers });
    expect(answer.headers.get("access-control-allow-headers")).toBe("x-own, authorization");
  });
});

describe("ids of requests", () => {
  const idOf = async (headers: Readonly<Record<string, string>> = {}) => {
    const { body } = await server.ask("GET /v2/things/1", { headers });
    return (body as { readonly id: string }).id;
  };

  test("follow the clock, and none comes twice", async () => {
    const ids = [await idOf(), await idOf(), await idOf()];
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(new Set(ids).size).toBe(3);
    expect(ids.map((id) => id.slice(0, 13))).toEqual(ids.map((id) => id.slice(0, 13)).toSorted());
  });

  test.each(["x-request-id", "request-id"])("are the service's own, whatever %s says", async (name) => {
    expect(await idOf({ [name]: "chosen-by-the-client" })).not.toContain("chosen");
  });

  test("stand in the log", async () => {
    const id = await idOf();
    expect(lastLine()).toMatchObject({ requestId: id, method: "GET", route: "/v2/things/:id", status: 200 });
  });
});

describe("a hostile path", () => {
  test.each([
    ["/v2/%", 400],
    ["/v2/%ff", 400],
    ["/v2/things/%E0%A4%A", 400],
    ["/v2/things/..%2f..%2fetc%2fpasswd", 200],
    ["/v2/things/%00", 200],
    ["/v2/things/__proto__", 200],
    [`/v2/things/${"x".repeat(129)}`, 400],
    [`/v2/${"x/".repeat(4000)}`, 404],
    [`/v2/things/1?${"a=1&".repeat(3000)}`, 200],
    ["/v2/things/1?__proto__[a]=1&constructor=2", 200],
    ["/v2/../admin/api/teams", 404],
    ["/v2/%2e%2e/admin/api/teams", 404],
    ["/v2/things/1;admin", 200],
    ["/\\admin/api/teams", 404],
    ["*", 404],
    ["http://elsewhere.test/", 404],
    ["http://elsewhere.test/v2/things/1", 200],
    ["http://elsewhere.test/admin/nowhere", 404],
  ])("%s is answered with %i", async (path, status) => {
    const answer = await server.talk(`GET ${path} HTTP/1.1\r\n${END}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const json = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { readonly success?: boolean };
    expect(json.success ?? true).toBe(status === 200);
  });

  test("may hold every name that a profile may have: 128 characters, of any script", async () => {
    for (const name of ["x".repeat(128), "漢".repeat(128), "🐎".repeat(64), "a/b?c#d%"]) {
      const { status, body } = await server.ask(`GET /v2/things/${encodeURIComponent(name)}`);
      expect([status, body]).toMatchObject([200, { params: { id: name } }]);
    }
  });
});

describe("a hostile header", () => {
  test.each([
    ["X-Bad: a\0b", 400],
    ["X-Bad\0: a", 400],
    ["X Bad: a", 400],
    [`X-Long: ${"x".repeat(20_000)}`, 431],
    ["Content-Length: -1", 400],
    ["Content-Length: 1e3", 400],
    ["Transfer-Encoding: gzip", 400],
    [": nameless", 400],
  ])("%j is refused before anything looks at it", async (line, status) => {
    const head = line.length > 100 ? `${line.slice(0, 8)}…` : line;
    const answer = await server.talk(`GET /v2/things/1 HTTP/1.1\r\n${line}\r\n${END}`);
    expect([head, answer.slice(0, 12)]).toEqual([head, `HTTP/1.1 ${status}`]);
  });

  test.each([
    "Origin: null",
    "Range: bytes=0-",
    "Accept: text/html",
    "Expect: 100-continue",
    "X-A: \xff\xfe",
  ])("%j changes nothing", async (line) => {
    const answer = await server.talk(`GET /v2/things/1 HTTP/1.1\r\n${line}\r\n${END}`);
    expect(answer).toMatch(/HTTP\/1\.1 200 [^]*"params":\{"id":"1"\}/);
  });

  test("that forwards is believed from no one, unless it is a proxy that is trusted", async () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
    };
    const { host } = new URL(server.url);
    const direct = await server.ask("GET /v2/about", { headers });
    expect(direct.body).toEqual({ ip: "127.0.0.1", host, protocol: "http" });
    const behind = await openTestServer(
      (app) => app.get("/v2/about", async ({ ip, host: name, protocol }) => ({ ip, name, protocol })),
      { trustedProxies: ["127.0.0.0/8"] },
    );
    const forwarded = await behind.ask("GET /v2/about", { headers });
    expect(forwarded.body).toEqual({ ip: "203.0.113.9", name: "evil.test", protocol: "https" });
    await behind.close();
  });
});

describe("the log", () => {
  test("has one line for each request, without its path, query and headers", async () => {
    const before = server.logged.length;
    const headers = { authorization: "Bearer fc-secret", cookie: "session=secret" };
    await server.ask("GET /v2/things/secret-id?token=secret", { headers });
    await server.ask("GET /v2/nowhere/secret", { headers });
    const lines = server.logged.slice(before);
    expect(lines).toMatchObject([
      { route: "/v2/things/:id", status: 200, durationMs: expect.any(Number) },
      { route: "unknown", status: 404 },
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  test("says beside the usual what the route noted", async () => {
    await server.ask("GET /v2/notes");
    expect(lastLine()).toMatchObject({ msg: "request", host: "shop.test" });
  });

  test("names parts that were sent past the framework, too", async () => {
    await server.ask("GET /v2/parts");
    expect(lastLine()).toMatchObject({ route: "/v2/parts", status: 200 });
  });
});

describe("the figures of requests", () => {
  const FIGURE = "pergamon_http_request_duration_seconds_count";

  test("are counted by route, not by path", async () => {
    const counted = `${FIGURE}{method="PUT",route="/v2/things/:id",status="200"} `;
    const count = async () => {
      const [line = ""] = await server.figures(counted);
      return Number(line.slice(counted.length));
    };
    const before = await count();
    for (let index = 0; index < 5; index += 1) await server.ask(`PUT /v2/things/${index}?x=${index}`);
    expect(await count()).toBe(before + 5);
  });

  test("do not grow with what clients make up", async () => {
    await server.ask("GET /v2/nowhere");
    const before = (await server.figures(FIGURE)).length;
    for (let index = 0; index < 20; index += 1) {
      await server.ask(`GET /v2/nowhere/${index}`, {
        headers: { host: `h${index}.test`, "x-a": `${index}` },
      });
      await server.talk(`M${index} /v2 HTTP/1.1\r\n${END}`);
    }
    const lines = await server.figures(FIGURE);
    expect(lines).toHaveLength(before);
    expect(lines.join("\n")).toContain('{method="GET",route="unknown",status="404"}');
  });
});
