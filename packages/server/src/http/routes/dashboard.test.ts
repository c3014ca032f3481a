import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../../test/server.ts";
import { addDashboardPages } from "./dashboard.ts";

const SCRIPT = "console.log(1);".repeat(100);

let folder: string;
let server: TestServer;
let unbuilt: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, "web", name), content);
  await write("index.html", "<!doctype html><title>Pergamon</title>");
  await write("secret.js", "not an asset");
  await write("assets/main-ABC123.js", SCRIPT);
  await write("assets/main-ABC123.js.br", brotliCompressSync(SCRIPT));
  await write("assets/font-X.woff2", "font");
  await write("assets/notes.txt", "of the build");
  server = await openTestServer((app) => addDashboardPages(app, pathToFileURL(join(folder, "web/"))));
  unbuilt = await openTestServer((app) => addDashboardPages(app, pathToFileURL(join(folder, "absent/"))));
});

afterAll(async () => {
  await Promise.all([server.close(), unbuilt.close()]);
  await rm(folder, { recursive: true });
});

test.each(["/dashboard", "/dashboard/", "/dashboard/requests", "/dashboard/requests/some-id?tab=timing"])(
  "%s is the one page, which each visit asks for anew",
  async (path) => {
    const { status, headers, text } = await server.ask(`GET ${path}`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("<title>Pergamon</title>");
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await server.ask(`GET ${path}`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  },
);

test.each(["/dashboard", "/dashboard/assets/main-ABC123.js"])(
  "%s lets nothing in that comes from elsewhere, and nobody frame it",
  async (path) => {
    const { headers } = await server.ask(`GET ${path}`);
    const policy = headers.get("content-security-policy");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test.each([
  ["br", "br"],
  ["gzip, deflate, br", "br"],
  ["BR;q=0.5", "br"],
  ["gzip", null],
  ["br;q=0", null],
  ["br;q=0.0, gzip", null],
  ["brotli", null],
])("a file goes to who accepts %j as %s, and stays for a year", async (accepted, encoding) => {
  const path = "/dashboard/assets/main-ABC123.js";
  const { status, headers, text } = await server.ask(`GET ${path}`, {
    headers: { "accept-encoding": accepted },
  });
  expect([status, headers.get("content-encoding"), text]).toEqual([200, encoding, SCRIPT]);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("fonts have their type", async () => {
  const { headers } = await server.ask("GET /dashboard/assets/font-X.woff2");
  expect(headers.get("content-type")).toBe("font/woff2");
});

test.each([
  "absent.js",
  "notes.txt",
  "main-ABC123.js.br",
  "..%2fsecret.js",
  "%2e%2e%2findex.html",
  "__proto__",
  "%00",
])("%s is no file of the pages", async (name) => {
  expect((await server.ask(`GET /dashboard/assets/${name}`)).status).toBe(404);
});

test.each(["/dashboard", "/dashboard/assets/main-ABC123.js"])(
  "without a build %s says what to do",
  async (path) => {
    const { status, body } = await unbuilt.ask(`GET ${path}`);
    expect([status, body]).toEqual([
      404,
      { success: false, error: "The pages are not built. Run npm run build, then reload." },
    ]);
  },
);
