import { describe, expect, test } from "vitest";

import { siteOf } from "./site.ts";

describe("the start's host", () => {
  test.each([
    ["http://site.test/", "http://site.test/a", true],
    ["http://site.test/", "https://www.site.test/a", true],
    ["http://www.site.test/", "http://site.test/a", true],
    ["http://site.test/", "http://blog.site.test/", false],
    ["http://site.test:8080/", "http://site.test/", false],
    ["http://127.0.0.1:4300/", "http://127.0.0.2:4300/", false],
  ])("of %s: %s %s", (start, url, isHost) => {
    expect(siteOf(new URL(start)).isHost(new URL(url))).toBe(isHost);
  });
});

describe("the start's domain", () => {
  test.each([
    ["http://site.test/", "http://a.b.site.test/", true],
    ["http://blog.site.co.uk/", "http://shop.site.co.uk/", true],
    ["http://one.co.uk/", "http://other.co.uk/", false],
    ["http://one.github.io/", "http://other.github.io/", false],
    ["http://site.test/", "http://mysite.test/", false],
    ["http://site.test:8080/", "http://blog.site.test/", false],
    ["http://127.0.0.1/", "http://127.0.0.2/", false],
    ["http://localhost/", "http://localhost/a", true],
    ["http://localhost/", "http://other.localhost/", false],
  ])("of %s: %s %s", (start, url, isDomain) => {
    expect(siteOf(new URL(start)).isDomain(new URL(url))).toBe(isDomain);
  });
});

describe("below the start's path", () => {
  test.each([
    ["/", "/anything/at/all", true],
    ["/docs", "/docs", true],
    ["/docs", "/docs/a", true],
    ["/docs/", "/docs", true],
    ["/docs", "/docsx", false],
    ["/docs", "/", false],
    ["/docs", "/Docs/a", false],
    ["/d%6Fcs", "/docs/%61", true],
    ["/guide/start.html", "/guide/next.html", true],
    ["/guide/start.html", "/guidebook", false],
    ["/start.html", "/anything", true],
  ])("%s: %s %s", (start, path, isBelow) => {
    const site = siteOf(new URL(start, "http://site.test"));
    expect(site.isBelow(new URL(path, "http://site.test"))).toBe(isBelow);
  });
});
