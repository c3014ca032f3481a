import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { openTestServer, type TestServer } from "../../../test/server.ts";
import { openMetrics } from "../metrics.ts";
import { addHealthRoutes } from "./health.ts";

let server: TestServer;
let checkDatabase: () => Promise<void>;
let checkBlobs: () => Promise<void>;

beforeAll(async () => {
  const metrics = openMetrics({ fetching: () => 7, waiting: () => 0 });
  const parts = [
    { name: "database", check: () => checkDatabase() },
    { name: "blobs", check: () => checkBlobs() },
  ];
  server = await openTestServer((app) => addHealthRoutes(app, parts, metrics));
});

afterAll(() => server.close());

afterEach(() => {
  vi.useRealTimers();
});

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

  test("is not ready when one part does not, and says which and why", async () => {
    const broken = async () => {
      throw new Error("The disk is full.");
    };
    expect(await ready(broken)).toEqual([
      503,
      {
        status: "not ready",
        parts: [
          { name: "database", ok: false, error: "The disk is full." },
          { name: "blobs", ok: true },
        ],
      },
    ]);
    expect((await ready(works, broken))[0]).toBe(503);
    expect((await ready(works))[0]).toBe(200);
  });

  test("survives a part that throws no error, or throws at once", async () => {
    const parts = [
      { name: "database", ok: false, error: "odd" },
      { name: "blobs", ok: false, error: "at once" },
    ];
    const odd = async (): Promise<void> => {
      throw "odd" as unknown;
    };
    const atOnce = (): Promise<void> => {
      throw new Error("at once");
    };
    expect(await ready(odd, atOnce)).toEqual([503, { status: "not ready", parts }]);
  });

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
          { name: "database", ok: false, error: "No answer within 2000 ms." },
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
