import { expect, test } from "vitest";

import { parseRobots } from "./robots.ts";

function allows(text: string, place: string): boolean {
  return parseRobots(text, "Pergamon").allows(new URL(place, "http://site.test"));
}

const anybody = (...rules: readonly string[]) => ["User-agent: *", ...rules].join("\n");

test.each([
  ["nothing said", "", "/x", true],
  ["everything", anybody("Disallow: /"), "/x", false],
  ["an empty rule", anybody("Disallow:"), "/x", true],
  ["a folder", anybody("Disallow: /a/"), "/a/b?c", false],
  ["beside the folder", anybody("Disallow: /a/"), "/ab", true],
  ["the longer rule", anybody("Disallow: /a", "Allow: /a/b"), "/a/b/c", true],
  ["the longer rule, first", anybody("Allow: /a", "Disallow: /a/b"), "/a/b/c", false],
  ["equal rules", anybody("Disallow: /a", "Allow: /a"), "/a", true],
  ["a wildcard", anybody("Disallow: /*/private"), "/x/y/private/z", false],
  ["an end", anybody("Disallow: /*.pdf$"), "/x.pdf", false],
  ["more than the end", anybody("Disallow: /*.pdf$"), "/x.pdf?download", true],
  ["an end without wildcard", anybody("Disallow: /x$"), "/xy", true],
  ["a query", anybody("Disallow: /*?session="), "/a?session=1", false],
  ["an overlap", anybody("Disallow: /ab*ba$"), "/aba", true],
  ["another alphabet", anybody("Disallow: /bücher"), "/b%c3%bccher", false],
  ["comments, spaces and capitals", "USER-AGENT : *  # all\r\n  disallow:/x # no", "/x", false],
  ["another robot's group", "User-agent: other\nDisallow: /", "/x", true],
  ["our own group", "User-agent: *\nDisallow: /\n\nUser-agent: pergamon/1.0\nDisallow: /a", "/b", true],
  ["a shared group", "User-agent: other\nUser-agent: Pergamon\nDisallow: /a", "/a", false],
  [
    "two groups of ours",
    "User-agent: pergamon\nDisallow: /a\nUser-agent: pergamon\nDisallow: /b",
    "/b",
    false,
  ],
  ["lines of other kinds between", "User-agent: *\nSitemap: /s\nCrawl-delay: 3\nDisallow: /a", "/a", false],
  ["rules before any robot", "Disallow: /", "/x", true],
  ["what is no robots.txt", "<html><body>User-agent: nothing</body></html>", "/x", true],
])("%s", (_name, text, place, isAllowed) => {
  expect(allows(text, place)).toBe(isAllowed);
});

test("a rule made to take long does not", () => {
  const rule = `Disallow: /${"*a".repeat(2_000)}b$`;
  expect(allows(anybody(rule), `/${"a".repeat(16_000)}`)).toBe(true);
});

test.each([
  ["for any robot", anybody("Disallow: /a", "Crawl-delay: 3"), 3000],
  ["with decimals, before the rules", anybody("Crawl-delay: 0.4", "Disallow: /a"), 400],
  ["more than a minute", anybody("Crawl-delay: 3600"), 60_000],
  ["of another robot", "User-agent: other\nCrawl-delay: 9", 0],
  ["its own", "User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: pergamon\nCrawl-delay: 2", 2000],
  ["none of its own", "User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: pergamon\nDisallow: /", 0],
  ["no number", anybody("Crawl-delay: soon"), 0],
  ["less than nothing", anybody("Crawl-delay: -1"), 0],
])("a delay %s", (_name, text, delayMs) => {
  expect(parseRobots(text, "Pergamon").crawlDelayMs).toBe(delayMs);
});

test("sitemaps are told whatever group they are in", () => {
  const text =
    "Sitemap: http://site.test/a.xml # main\nUser-agent: other\nSITEMAP:/b.xml\nDisallow: /\nSitemap:\n";
  expect(parseRobots(text, "Pergamon").sitemaps).toEqual(["http://site.test/a.xml", "/b.xml"]);
});
