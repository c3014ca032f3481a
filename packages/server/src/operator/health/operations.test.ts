import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { openTestServer, type TestServer } from "../../../../../test/server.ts";
import { UnauthorizedError } from "../../api/errors.ts";
import { openMetrics } from "./metrics.ts";
import { addBehind } from "../../http/add-behind.ts";
import { addOperations } from "../../http/add-operations.ts";
import { healthOperations, readMetrics } from "./operations.ts";

let server: TestServer;
let checkDatabase: () => Promise<void>;
let checkBlobs: () => Promise<void>;
let admit = (): void => undefined;

beforeAll(async () => {
  const metrics = openMetrics({ fetching: () => 7, waiting: () => 0 });
  const parts = [
    { name: "database", ask: () => checkDatabase() },
    { name: "blobs", ask: () => checkBlobs() },
  ];
  server = await openTestServer((app) => {
    addOperations(app, healthOperations, { parts });
    addBehind(
      async () => admit(),
      app,
      (scope) => addOperations(scope, [readMetrics], metrics),
    );
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const PATH = "open '/srv/data/blobs/.unfinished/x'";

/** A check that fails with an error that names a path. */
function fails(code: string | undefined, cause?: Error) {
  return async (): Promise<void> => {
    throw Object.assign(new Error(PATH, { cause }), code !== undefined && { code });
  };
}

const works = async (): Promise<void> => undefined;
const never = () => new Promise<void>(() => undefined);

async function ready(database: () => Promise<void>, blobs: () => Promise<void> = works) {
  [checkDatabase, checkBlobs] = [database, blobs];
  const { status, body } = await server.ask("GET /readyz");
  return [status, body];
}

describe("/readyz", () => {
  test("is ready when every part works", async () => {
    expect(await ready(works)).toEqual([
      200,
      {
        status: "ready",
        parts: [
          { name: "database", ok: true },
          { name: "blobs", ok: true },
        ],
      },
    ]);
  });

  test("is not ready when one part does not work", async () => {
    expect(await ready(works, fails("EACCES"))).toEqual([
      503,
      {
        status: "not ready",
        parts: [
          { name: "database", ok: true },
          { name: "blobs", ok: false, code: "EACCES" },
        ],
      },
    ]);
    expect((await ready(works))[0]).toBe(200);
  });

  test.each([
    ["its own code", fails("ENOSPC"), "ENOSPC"],
    ["the code of its cause", fails(undefined, Object.assign(new Error(PATH), { code: "EIO" })), "EIO"],
    ["no code", fails(undefined), "FAILED"],
    ["a code that is a sentence", fails(PATH), "FAILED"],
    ["no error at all", async () => Promise.reject(PATH as unknown as Error), "FAILED"],
    [
      "an error thrown at once",
      () => {
        throw new Error(PATH);
      },
      "FAILED",
    ],
  ])(
    "R13 tells of %s the code alone; what it was, paths too, stands in the log",
    async (_what, check, code) => {
      const [status, body] = await ready(check);
      expect(status).toBe(503);
      expect(body).toMatchObject({
        parts: [
          { name: "database", ok: false, code },
          { name: "blobs", ok: true },
        ],
      });
      expect(JSON.stringify(body)).not.toContain(PATH);
      const told = server.logged.findLast(({ level }) => level === 40);
      expect(told).toMatchObject({ part: "database" });
      expect(JSON.stringify(told)).toContain(PATH);
    },
  );

  test("does not wait for a part that never answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const answer = ready(never, () => {
      asked();
      return works();
    });
    await isAsked;
    vi.advanceTimersByTime(2000);
    expect(await answer).toMatchObject([
      503,
      {
        parts: [
          { name: "database", ok: false, code: "TIMEOUT" },
          { name: "blobs", ok: true },
        ],
      },
    ]);
  });
});

describe("/healthz", () => {
  test("asks no part: the process lives", async () => {
    [checkDatabase, checkBlobs] = [never, never];
    const { status, body } = await server.ask("GET /healthz");
    expect([status, body]).toEqual([200, { status: "ok" }]);
  });
});

describe("/metrics", () => {
  test("is text for Prometheus, also where a base URL ends in a slash", async () => {
    for (const path of ["/metrics", "//metrics", "/metrics/"]) {
      const { status, headers, text } = await server.ask(`GET ${path}`);
      expect([status, headers.get("content-type")]).toEqual([
        200,
        "text/plain; version=0.0.4; charset=utf-8",
      ]);
      expect(text).toContain("\npergamon_pages_fetching 7\n");
    }
  });
});

test("R13 figures are for whom they are", async () => {
  admit = () => {
    throw new UnauthorizedError("Unauthorized");
  };
  const { status, headers, text } = await server.ask("GET /metrics");
  admit = () => undefined;
  expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect(text).not.toContain("pergamon_");
});

test.each(["/healthz", "/readyz", "/metrics"])("%s is only read", async (path) => {
  [checkDatabase, checkBlobs] = [works, works];
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect((await server.ask(`${method} ${path}`)).status).toBe(404);
  }
  expect((await server.ask(`HEAD ${path}`)).status).toBe(200);
});

test("the names of the public service lead to the same (F9)", async () => {
  const [status, body] = await ready(works);
  const readiness = await server.ask("GET /v0/health/readiness");
  expect([readiness.status, readiness.body]).toEqual([status, body]);
  checkBlobs = async () => {
    throw new Error("The disk is full.");
  };
  expect((await server.ask("GET /v0/health/readiness")).status).toBe(503);
  const liveness = await server.ask("GET /v0/health/liveness");
  expect([liveness.status, liveness.body]).toEqual([200, { status: "ok" }]);
});
