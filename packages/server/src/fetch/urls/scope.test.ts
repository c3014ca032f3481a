import { describe, expect, test } from "vitest";

import { type CrawlScope, refusalOf, refusalOfArrival } from "./scope.ts";
import { siteOf } from "./site.ts";

function scopeOf(changes: Partial<CrawlScope> = {}): CrawlScope {
  return {
    site: siteOf(new URL("http://site.test/docs")),
    hasAllPaths: false,
    hasSubdomains: false,
    hasExternalLinks: false,
    maxDepth: undefined,
    fitsPatterns: ({ pathname }) => !pathname.includes("excluded"),
    robotsRule: ({ pathname }) => (pathname.includes("private") ? "Disallow: /private" : undefined),
    ...changes,
  };
}

function refusal(href: string, changes: Partial<CrawlScope> = {}, from = { depth: 1, isFromSite: true }) {
  return refusalOf({ url: new URL(href, "http://site.test"), ...from }, scopeOf(changes));
}

describe("a link", () => {
  test.each([
    ["below the start", "/docs/a", undefined],
    ["to a mail", "mailto:a@site.test", "scheme"],
    ["to a picture", "/docs/a.PNG", "kind"],
    ["to a picture by its query", "/docs/a?file=b.png", undefined],
    ["to a document", "/docs/a.pdf", undefined],
    ["to another host", "http://other.test/docs/a", "host"],
    ["to a subdomain", "http://blog.site.test/docs/a", "host"],
    ["to another path", "/about", "path"],
    ["that is excluded", "/docs/excluded", "pattern"],
    ["that robots may not follow", "/docs/private", "robots"],
    ["nested in itself", "/docs/a/a/a", "trap"],
    ["out of its path, and a trap", "/a/a/a", "path"],
  ])("%s: %s is refused by %s", (_name, href, expected) => {
    expect(refusal(href)).toBe(expected);
  });

  test("to other paths belongs to a crawl of the entire domain", () => {
    expect(refusal("/about", { hasAllPaths: true })).toBeUndefined();
  });

  test("to subdomains belongs to a crawl of them, whatever its path", () => {
    expect(refusal("http://blog.site.test/about", { hasSubdomains: true })).toBeUndefined();
    expect(refusal("http://blog.site.test/private", { hasSubdomains: true })).toBe("robots");
  });

  test("deeper than wanted is refused", () => {
    expect(refusal("/docs/a", { maxDepth: 1 }, { depth: 1, isFromSite: true })).toBeUndefined();
    expect(refusal("/docs/a", { maxDepth: 1 }, { depth: 2, isFromSite: true })).toBe("depth");
  });
});

describe("links to other sites, where they are wanted", () => {
  const external = { hasExternalLinks: true };

  test("are followed from pages of the site alone", () => {
    expect(refusal("http://other.test/a", external)).toBeUndefined();
    expect(refusal("http://other.test/a", external, { depth: 2, isFromSite: false })).toBe("host");
  });

  test("lead to no home pages", () => {
    expect(refusal("http://other.test/", external)).toBe("external-home");
    expect(refusal("http://other.test/?a=1", external)).toBeUndefined();
    expect(refusal("http://other.test/", external, { depth: 2, isFromSite: false })).toBe("host");
  });

  test("are not asked of robots, and may lead back", () => {
    expect(refusal("http://other.test/private", external)).toBeUndefined();
    expect(refusal("/docs/a", external, { depth: 2, isFromSite: false })).toBeUndefined();
    expect(refusal("/about", external, { depth: 2, isFromSite: false })).toBe("path");
  });
});

describe("where a visit ended", () => {
  test.each([
    ["/docs/b", undefined],
    ["/docs/b.png", undefined],
    ["http://other.test/docs", "host"],
    ["/about", "path"],
    ["/docs/excluded", "pattern"],
    ["/docs/private", "robots"],
  ])("%s: %s", (href, expected) => {
    const url = new URL(href, "http://site.test");
    expect(refusalOfArrival(url, { wasOfSite: true }, scopeOf())).toBe(expected);
  });

  test("may be on any host after a link to another site", () => {
    const scope = scopeOf({ hasExternalLinks: true });
    expect(refusalOfArrival(new URL("http://third.test/"), { wasOfSite: false }, scope)).toBeUndefined();
  });
});
