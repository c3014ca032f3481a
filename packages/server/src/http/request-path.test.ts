import { describe, expect, test } from "vitest";

import { normalPath } from "./request-path.ts";

describe("whatever base URL a client was given", () => {
  test.each([
    ["/v2/scrape", "nothing behind the host"],
    ["//v2/scrape", "a slash"],
    ["/v2/v2/scrape", "the version"],
    ["/v2//v2/scrape", "the version and a slash"],
    ["/v2/v2/v2/scrape", "the version twice"],
    ["/scrape", "the version, and paths without it"],
    ["/v2/scrape/", "a path that ends in a slash"],
    ["///v2///scrape//", "many slashes"],
  ])("%s is /v2/scrape (%s)", (path) => {
    expect(normalPath(path)).toBe("/v2/scrape");
    expect(normalPath(`${path}?a=//b/&c=/v2/v2/`)).toBe("/v2/scrape?a=//b/&c=/v2/v2/");
  });
});

describe("the whole URL of a request stands for its path", () => {
  test.each([
    ["http://host.test/v2/scrape", "/v2/scrape"],
    ["HTTPS://user@host.test:8080//v2/v2/scrape/?a=b", "/v2/scrape?a=b"],
    ["http://host.test", "/"],
    ["http://host.test?a=b", "/?a=b"],
    ["http:///v2/scrape", "/v2/scrape"],
    ["/http://host.test/x", "/v2/http:/host.test/x"],
    ["ftp://host.test/x", "/v2ftp:/host.test/x"],
    ["*", "/v2*"],
  ])("%s is %s", (url, meant) => {
    expect(normalPath(url)).toBe(meant);
  });
});

describe("paths of the service itself", () => {
  test.each([
    "/",
    "/docs",
    "/docs/start.js",
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/metrics",
    "/e2e-test",
    "/is-production",
  ])("%s stays", (path) => {
    expect(normalPath(path)).toBe(path);
    expect(normalPath(`${path}?x=1`)).toBe(`${path}?x=1`);
  });

  test.each(["/admin", "/admin/api/teams", "/v1/scrape", "/v22/x", "/v2"])("%s stays", (path) => {
    expect(normalPath(path)).toBe(path);
  });

  test.each([
    ["//", "/"],
    ["/docs/", "/docs"],
    ["//admin//api/teams/", "/admin/api/teams"],
    ["/v2/v2", "/v2"],
    ["/v2/", "/v2"],
  ])("%s is %s", (path, meant) => {
    expect(normalPath(path)).toBe(meant);
  });
});

test.each([
  ["/administrator", "/v2/administrator"],
  ["/docsx", "/v2/docsx"],
  ["/healthz/x", "/v2/healthz/x"],
  ["/openapi.jsonx", "/v2/openapi.jsonx"],
  ["/version", "/v2/version"],
  ["/v2x/scrape", "/v2/v2x/scrape"],
  ["/%61dmin/api/teams", "/v2/%61dmin/api/teams"],
  ["/ADMIN/api", "/v2/ADMIN/api"],
  ["/v2/v2x", "/v2/v2x"],
  ["/v2/scrape/v2/v2/x", "/v2/scrape/v2/v2/x"],
])("%s only looks like one of them: %s", (path, meant) => {
  expect(normalPath(path)).toBe(meant);
});

test.each(["/v2/scrape", "//x//", "/v2/v2/v2", "/", "/a/b?c=//d", "/v2/../admin/api"])(
  "what was made normal is normal: %s",
  (path) => {
    expect(normalPath(normalPath(path))).toBe(normalPath(path));
  },
);

test("a path of a megabyte of slashes and versions takes no time worth a word", () => {
  // A search that begins again at each character would take minutes.
  const startMs = performance.now();
  normalPath("/".repeat(1_000_000));
  normalPath(`${"/v2".repeat(300_000)}x`);
  normalPath("/v2/".repeat(250_000));
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
