import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { type ErrorCode, errorCodes } from "../api/error-codes.ts";
import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";

const SECRET = "sk-secret";

let server: TestServer;
/** What the route throws next. */
let thrown: unknown;

beforeAll(async () => {
  server = await openTestServer((app) => {
    app.get("/v2/async", async () => {
      throw thrown;
    });
    app.get("/v2/sync", () => {
      throw thrown;
    });
    app.get("/v2/sent", (_request, reply) => reply.send(thrown));
    const throwing = async (): Promise<void> => {
      throw thrown;
    };
    app.get("/v2/hook", { onRequest: throwing }, async () => "never");
    app.get("/admin/api/any", throwing);
    app.get("/v2/private", async (request) => {
      request.isPrivate = true;
      throw thrown;
    });
  });
});

afterAll(() => server.close());

async function answerTo(failure: unknown, path = "/v2/async") {
  thrown = failure;
  return server.ask(`GET ${path}`);
}

/** The line of the last unexpected failure, and that of its request. */
function lastLines() {
  const unexpected = server.logged.findLast(({ msg }) => msg === "A request failed unexpectedly.");
  return { unexpected, request: server.logged.findLast(({ msg }) => msg === "request") };
}

describe("a failure with a code (contract, section 4)", () => {
  const codes = Object.entries(errorCodes) as [ErrorCode, (typeof errorCodes)[ErrorCode]][];

  test.each(codes)("%s has its status, its code and its message", async (code, { status, message }) => {
    const answer = await answerTo(new ServiceError(code));
    expect([answer.status, answer.body]).toEqual([status, { success: false, code, error: message }]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.has("retry-after")).toBe(false);
    expect(lastLines().request).toMatchObject({ status, code });
  });

  test("may name its particulars; what caused it and what it costs stay inside", async () => {
    const cause = new Error(SECRET);
    const details = { state: "processing_continues" };
    const more = { message: "Soon.", details, retryAfterSeconds: 7, cause, creditsUsed: 3 };
    const answer = await answerTo(new ServiceError("SCRAPE_TIMEOUT", more));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([408, "7"]);
    expect(answer.body).toEqual({ success: false, code: "SCRAPE_TIMEOUT", error: "Soon.", details });
  });

  test("is expected, whatever its status: the log does not tell it as a fault", async () => {
    const before = server.logged.length;
    await answerTo(new ServiceError("SCRAPE_SITE_ERROR"));
    expect(server.logged.slice(before).map(({ msg }) => msg)).toEqual(["request"]);
  });
});

describe("a failure without a code (contract, section 4.1)", () => {
  test.each([
    [401, new UnauthorizedError("Unauthorized: Token missing")],
    [403, new ForbiddenError("Not here.")],
    [404, new NotFoundError("Job not found.")],
  ])("of status %i has nothing but its message", async (status, failure) => {
    const answer = await answerTo(failure);
    expect([answer.status, answer.body]).toEqual([status, { success: false, error: failure.message }]);
    expect(lastLines().request).not.toHaveProperty("code");
  });

  test("F12 for want of a key tells the scheme that is asked for, and others do not", async () => {
    const { headers } = await answerTo(new UnauthorizedError("Unauthorized"));
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect((await answerTo(new ForbiddenError("No."))).headers.has("www-authenticate")).toBe(false);
  });

  test("of a rate is the error alone, and says when to come back", async () => {
    const answer = await answerTo(new RateLimitError("Slow down.", 12));
    expect([answer.status, answer.body]).toEqual([429, { error: "Slow down." }]);
    expect(answer.headers.get("retry-after")).toBe("12");
  });
});

describe("a body that does not fit (contract, section 1.8)", () => {
  test("is told its first hundred faults: it may have ten thousand", async () => {
    const schema = z.record(z.string(), z.string());
    const body = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`k${index}`, {}]));
    const answer = await answerTo(schema.safeParse(body).error);
    expect(answer.body).toMatchObject({ details: { length: 100 } });
  });

  const schema = z.strictObject({
    url: z.string(),
    nested: z.strictObject({}).optional(),
    list: z.array(z.strictObject({})).optional(),
    custom: z.string().refine(() => false, "Invalid country code."),
  });

  async function answerToBody(body: unknown) {
    const { error } = schema.safeParse(body);
    const answer = await answerTo(error);
    return { ...answer, issues: JSON.parse(JSON.stringify(error?.issues)) as unknown };
  }

  test.each([
    ["a key that nobody knows", { url: "x", custom: 1, a: 1 }, /^Unrecognized key in body -- please review/],
    ["such a key behind another problem", { url: 1, custom: "x", a: 1 }, /^Unrecognized key in body/],
    [
      "such a key in an object of the body",
      { url: "x", nested: { a: 1 }, custom: 1 },
      /^Unrecognized key in body/,
    ],
    [
      "such a key in a list",
      { url: "x", custom: 1, list: [{ a: 1 }] },
      /^Bad Request: list\[0\] has no field a$/,
    ],
    ["a value of a wrong type", { url: 1, custom: 1 }, /^Bad Request: url must be a string$/],
    ["a rule of its own", { url: "x", custom: "x" }, /^Invalid country code\.$/],
    ["such a rule behind another problem", { url: 1, custom: "x" }, /^Bad Request: url must be a string$/],
    ["no object", null, /^Bad Request: the body must be an object$/],
  ])("for %s says which, with all that is wrong", async (_case, body, error) => {
    const answer = await answerToBody(body);
    expect(answer.status).toBe(400);
    const expected = { success: false, code: "BAD_REQUEST", details: answer.issues };
    expect(answer.body).toEqual({ ...expected, error: expect.stringMatching(error) });
  });
});

describe("what the framework cannot read", () => {
  test("has its own words", async () => {
    const answer = await server.ask("GET /v2/%ff");
    expect([answer.status, answer.body]).toMatchObject([400, { success: false, code: "BAD_REQUEST" }]);
    expect(answer.text).toContain("%ff");
  });

  test.each([200, 302, 400, 404, 413, 415, 499, 500, 503])(
    "is not what a library within says with %i: that is unexpected, and stays inside",
    async (statusCode) => {
      for (const code of [undefined, "ERR_BODY", "UND_ERR_RESPONSE"]) {
        const answer = await answerTo(Object.assign(new Error(SECRET), { statusCode, code }));
        expect([answer.status, answer.body]).toMatchObject([500, { code: "UNKNOWN_ERROR" }]);
        expect(answer.text).not.toContain(SECRET);
      }
    },
  );
});

describe("R19 a failure for want of files and connections", () => {
  const codes = ["EMFILE", "ENFILE"];
  const shortages = codes.map((code) => [code, Object.assign(new Error("failed"), { code })] as const);

  test.each(shortages)("%s says to try again, and the log says what to raise", async (_code, cause) => {
    for (const failure of [cause, new ServiceError("SCRAPE_SITE_ERROR", { cause })]) {
      const answer = await answerTo(failure);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(answer.body).toMatchObject({ success: false, code: "OVERLOADED" });
      expect(lastLines().request).toMatchObject({ status: 503, code: "OVERLOADED" });
      const warned = server.logged.findLast(({ level }) => level === 40);
      expect(warned?.["msg"]).toContain("ulimit -n");
    }
  });
});

describe("an unexpected failure", () => {
  const failures: readonly (readonly [string, unknown])[] = [
    ["an error", new TypeError(`no ${SECRET}`)],
    ["an error with a cause", new Error(`no ${SECRET}`, { cause: new Error(SECRET) })],
    ["an error with fields", Object.assign(new Error(`no ${SECRET}`), { code: SECRET, apiKey: SECRET })],
    ["several errors", new AggregateError([new Error(SECRET)], SECRET)],
    ["text", SECRET],
    ["a number", 404],
    ["nothing", undefined],
    ["null", null],
    ["an object with a status", { statusCode: 404, message: SECRET }],
    ["an object like an error of ours", { name: "ServiceError", code: "BAD_REQUEST", message: SECRET }],
  ];

  test.each(failures)("that is %s tells its id and nothing else", async (_what, failure) => {
    const answer = await answerTo(failure);
    expect(answer.status).toBe(500);
    const error = expect.stringMatching(/^An unexpected error occurred\. Error ID: [0-9a-f-]{36}$/);
    expect(answer.body).toEqual({ success: false, code: "UNKNOWN_ERROR", error });
    expect(JSON.stringify(Array.from(answer.headers))).not.toContain(SECRET);
  });

  test("is found in the log by the id of its answer", async () => {
    const answer = await answerTo(new TypeError(`no ${SECRET}`));
    const { unexpected, request } = lastLines();
    const requestId = String(unexpected?.["requestId"]);
    expect(answer.text).toContain(requestId);
    expect(unexpected).toMatchObject({ level: 50, err: { type: "TypeError", message: `no ${SECRET}` } });
    expect(request).toMatchObject({ requestId, status: 500, code: "UNKNOWN_ERROR" });
  });

  test.each([
    ["TypeError", new TypeError(`no ${SECRET}`)],
    ["string", SECRET],
  ])("of a request that leaves nothing is logged by its kind alone: %s", async (name, failure) => {
    const before = server.logged.length;
    expect((await answerTo(failure, "/v2/private")).status).toBe(500);
    expect(lastLines().unexpected).toMatchObject({ name, requestId: expect.any(String) });
    expect(JSON.stringify(server.logged.slice(before))).not.toContain(SECRET);
  });

  test.each(["/v2/sync", "/v2/sent", "/v2/hook"])(
    "is answered alike wherever it came up: %s",
    async (path) => {
      expect((await answerTo(new Error(SECRET), path)).text).toMatch(
        /"UNKNOWN_ERROR".*Error ID: [0-9a-f-]+"}$/,
      );
      expect((await answerTo(new ForbiddenError("No."), path)).body).toEqual({
        success: false,
        error: "No.",
      });
    },
  );

  test("has no body where none is wanted", async () => {
    thrown = new Error(SECRET);
    const answer = await server.ask("HEAD /v2/async");
    expect([answer.status, answer.text]).toEqual([500, ""]);
  });
});

test("a key that nobody knows is answered in the words of version 2, or of the operator's interface", async () => {
  thrown = z.strictObject({ name: z.string() }).safeParse({ name: "x", other: 1 }).error;
  const textAt = async (path: string) => (await server.ask(`GET ${path}`)).text;
  expect(await textAt("/v2/async")).toContain("please review the v2 API documentation");
  expect(await textAt("/admin/api/any")).toContain("Unrecognized key in body. See Operator at /docs");
});
