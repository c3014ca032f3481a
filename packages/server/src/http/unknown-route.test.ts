import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer((app) => {
    app.post("/v2/scrape", async ({ body }) => ({ body }));
    app.get("/v2/browser/profiles", async () => ({}));
  });
});

afterAll(() => server.close());

const NOT_FOUND = { success: false, error: "Not Found" };
const FORM = "--x\r\ncontent-disposition: form-data; name=file\r\n\r\nabc\r\n--x--\r\n";
const TOO_MUCH = " ".repeat(11 * 1024 * 1024);

describe("a route that is not there (F2)", () => {
  test.each([
    ["a form", FORM, "multipart/form-data; boundary=x"],
    ["broken JSON", "{", "application/json"],
    ["no valid type", "{}", "garbage"],
    ["more than a body may have", TOO_MUCH, "application/json"],
  ])("is told before its body is looked at: %s", async (_what, body, type) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await server.ask(`${method} /v2/nowhere`, { body, headers: { "content-type": type } });
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("leaves the connection as it was: the next request on it is answered", async () => {
    const lost = `POST /v2/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{{{{{`;
    const end = "Host: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    const answers = await server.talk(`${lost}POST /v2/scrape HTTP/1.1\r\n${end}`);
    expect(answers).toMatch(/^HTTP\/1\.1 404 [^]*HTTP\/1\.1 200 [^]*\{"body":\{\}\}$/);
  });

  test.each([
    ["GET /v2/monitor/0199", "Monitor (/v2/monitor)"],
    ["POST /v2/agent", "Agent"],
    ["POST /v2/monitor", "Monitor"],
    ["POST /agent?x=1", "Agent"],
  ])("names the family, and what there is instead: %s", async (line, name) => {
    const answer = await server.ask(line, line.startsWith("GET") ? {} : { body: FORM });
    const error = expect.stringContaining(`Not Found: ${name}`);
    expect([answer.status, answer.body]).toEqual([404, { success: false, error }]);
    expect(answer.text).toMatch(/not available here\. .*POST \/v2\/scrape/);
  });

  test.each(["/v1/scrape", "/v0/scrape", "/v3/scrape"])(
    "names the version that there is: %s",
    async (path) => {
      const answer = await server.ask(`POST ${path}`, { body: "{" });
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining("POST /v2/scrape")]);
    },
  );

  test.each([
    "GET /v2/search/developer?query=x",
    "POST /v2/search/developer",
    "GET /v2/search/research/papers?query=x",
    "GET /v2/search/research/papers/1",
    "POST /v2/search/gov",
    "POST /v1/deep-research",
    "GET /v1/deep-research/0199",
    "POST /v1/llmstxt",
  ])("that is never served says so, and what there is instead (F-74, F-95): %s", async (line) => {
    const { status, body } = await server.ask(line, line.startsWith("GET") ? {} : { body: FORM });
    const error = expect.stringMatching(/^[A-Zl].{20,}\. ?.*\.$/) as string;
    expect([status, body]).toEqual([501, { success: false, code: "NOT_IMPLEMENTED", error }]);
  });

  test("A78 that the public service has removed is gone", async () => {
    const { status, body } = await server.ask("GET /v2/search/research/github?query=x");
    expect([status, body]).toEqual([
      410,
      { success: false, error: expect.stringMatching(/removed/) as string },
    ]);
  });

  test.each([
    ["/v2/browser/0199/pause", /^Not Found: unknown route of browser sessions/],
    ["/v2/interact/0199/replays", /^Not Found: unknown route of browser sessions/],
  ])("of a family that is served does not say that the family is missing: %s", async (path, error) => {
    const answer = await server.ask(`GET ${path}`);
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, error: expect.stringMatching(error) as string },
    ]);
  });

  test("of a family that this service serves does not say that the family is missing", async () => {
    const serving = await openTestServer((app) => {
      app.post("/v2/agent", async () => ({}));
    });
    const { status, body } = await serving.ask("GET /v2/agent/0199/pause/it");
    await serving.close();
    const error = "Not Found: unknown route of Agent. /docs lists its routes.";
    expect([status, body]).toEqual([404, { success: false, error }]);
  });

  test.each(["/v2/constructor", "/v2/__proto__/x", "/v2/toString", "/admin/agent"])(
    "is no family because objects have such a name: %s",
    async (path) => {
      const answer = await server.ask(`GET ${path}`);
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    },
  );
});
