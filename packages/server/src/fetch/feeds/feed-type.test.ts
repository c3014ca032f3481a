import { describe, expect, test } from "vitest";

import { feedTypeOf } from "./feed-type.ts";

const typeOf = (text: string) => feedTypeOf(Buffer.from(text));

describe("the type of a feed", () => {
  test.each([
    ["RSS", "<rss version='2.0'><channel>", "application/rss+xml"],
    ["RSS 1.0", "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", "application/rdf+xml"],
    ["Atom", "<feed xmlns='http://www.w3.org/2005/Atom'>", "application/atom+xml"],
    ["Atom with a prefix", "<a:feed xmlns:a='http://www.w3.org/2005/Atom'>", "application/atom+xml"],
    ["a sitemap", "<urlset>", "application/sitemap+xml"],
    ["an index of sitemaps", "<sitemapindex>", "application/sitemap+xml"],
    ["OPML", "<opml version='2.0'>", "text/x-opml"],
    ["an article", "<article>\n<!-- x --><front>", "application/jats+xml"],
    ["a JSON Feed", '{"version": "https://jsonfeed.org/version/1.1", "items": []}', "application/feed+json"],
    [
      "a JSON Feed that escapes slashes",
      '{"version":"https:\\/\\/jsonfeed.org\\/version\\/1"}',
      "application/feed+json",
    ],
  ])("is told by its root: %s", (_what, text, type) => {
    expect(typeOf(text)).toBe(type);
  });

  test.each([
    ["a declaration", '<?xml version="1.0"?>\n'],
    ["a comment with tags in it", "<!-- <html> -->\n"],
    ["a document type", "<!DOCTYPE rss>\n"],
    ["a document type with declarations", '<!DOCTYPE rss [\n<!ENTITY a "b">\n<!ELEMENT x (y)> ]>\n'],
    ["a style sheet and a comment", '<?xml-stylesheet href="a.xsl"?><!-- x -->'],
    ["white space", "\n\n  "],
    ["a byte order mark", "\u{feff}"],
  ])("is the one behind %s", (_what, prologue) => {
    expect(typeOf(`${prologue}<rss>`)).toBe("application/rss+xml");
  });

  test.each(["utf16le", "latin1"] as const)("does not depend on the encoding: %s", (encoding) => {
    expect(feedTypeOf(Buffer.from('<?xml version="1.0"?><rss><channel>', encoding))).toBe(
      "application/rss+xml",
    );
  });

  test.each([
    ["a page", "<!doctype html><html>"],
    ["RDF of another vocabulary", "<rdf:RDF xmlns='http://xmlns.com/foaf/0.1/'>"],
    ["a comment that does not end", "<!-- <rss>"],
    ["a part of a page", "<article><h1>News"],
    ["text that names RSS", "our rss feed: <rss>"],
    ["JSON of another kind", '{"version": "1"}'],
    ["a name of every object", "<constructor>"],
    ["nothing", ""],
    ["a root behind the first bytes", `${" ".repeat(20_000)}<rss>`],
  ])("is none for %s", (_what, text) => {
    expect(typeOf(text)).toBeUndefined();
  });
});
