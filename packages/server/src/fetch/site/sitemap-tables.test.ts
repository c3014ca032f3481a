import { expect, test } from "vitest";

import { readSitemap } from "./sitemaps.ts";

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"';

/**
 * What the tests of crawler-commons (Apache 2.0) state, in cases of our own: a file, and the pages and sitemaps (>)
 * that it lists. Left out: places of a sitemap that may list only pages below it, dates, extensions, entries that are
 * cut off after their address, and addresses in an element of their own.
 */
const CASES: readonly (readonly [name: string, file: string, listed: string])[] = [
  [
    "names as characters",
    "<urlset><url><loc>http://w.test/?a=1&amp;b=2&#38;c=3</loc></url></urlset>",
    "http://w.test/?a=1&b=2&c=3",
  ],
  [
    "a part of an address as CDATA",
    "<sitemapindex><sitemap><loc>http://w.test/all<![CDATA[?y=1&z=2]]></loc></sitemap></sitemapindex>",
    ">http://w.test/all?y=1&z=2",
  ],
  [
    "an entity that is a file of this machine",
    '<!DOCTYPE urlset [<!ENTITY own SYSTEM "file:///etc/hostname">]><urlset><url><loc>http://w.test/1</loc></url><url><loc>&own;</loc></url></urlset>',
    "http://w.test/1",
  ],
  [
    "blanks before the declaration",
    '\uFEFF\n \t\r\n<?xml version="1.0"?><urlset><url><loc>http://w.test/1</loc></url></urlset>',
    "http://w.test/1",
  ],
  [
    "blanks of other scripts",
    "<sitemapindex><sitemap><loc>\n<![CDATA[\u00A0http://w.test/1 ]]> \u2000\n</loc></sitemap></sitemapindex>",
    ">http://w.test/1",
  ],
  [
    "an entry without an address",
    "<sitemapindex><sitemap><lastmod>2026</lastmod></sitemap><sitemap><loc>http://w.test/1</loc></sitemap></sitemapindex>",
    ">http://w.test/1",
  ],
  [
    "ends that begin nothing",
    "<urlset><url><!-- none --></url><url><loc>http://w.test/1</loc></url></url></urlset>",
    "http://w.test/1",
  ],
  [
    "an entry that is cut off",
    "<urlset><url><loc>http://w.test/1</loc></url><url><loc>http://w.test/2</lo",
    "http://w.test/1",
  ],
  [
    "another name space",
    '<urlset xmlns="http://w.test/none"><url><loc>http://w.test/1</loc></url></urlset>',
    "http://w.test/1",
  ],
  [
    "an address in pieces",
    "<urlset><url><loc>http://w.test/<!-- x -->1</loc></url></urlset>",
    "http://w.test/1",
  ],
  ["an anchor", "<urlset><url><loc>http://w.test/1#part</loc></url></urlset>", "http://w.test/1#part"],
  ["words", "nothing of a sitemap", ""],
  [
    "a list of lines with a mark",
    "\uFEFFhttp://w.test/1\r\nhttp://w.test/2\n",
    "http://w.test/1 http://w.test/2",
  ],
  [
    "RSS 1.0",
    `<rdf:RDF ${RDF}><channel rdf:about="http://w.test/feed"><link>http://w.test/</link><items><rdf:Seq><rdf:li resource="http://w.test/0"/></rdf:Seq></items></channel><image><link>http://w.test/i</link><url>http://w.test/i.gif</url></image><item rdf:about="http://w.test/1"><link>http://w.test/1</link></item></rdf:RDF>`,
    "http://w.test/1",
  ],
  [
    "RSS 2.0",
    '<rss version="2.0"><channel><link>http://w.test/</link><item><link>http://w.test/1</link><guid>9</guid></item><item><guid isPermaLink="true">http://w.test/2</guid></item><item><link><![CDATA[http://w.test/?a=1&b=2]]></link></item></channel></rss>',
    "http://w.test/1 http://w.test/2 http://w.test/?a=1&b=2",
  ],
  [
    "Atom",
    '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://w.test/"/><entry><link rel="edit" href="http://w.test/edit"/><link href="http://w.test/1"/></entry></feed>',
    "http://w.test/1",
  ],
];

test.each(CASES)("a sitemap with %s", async (_name, file, listed) => {
  const found: string[] = [];
  const listener = {
    onPage: ({ url }: { readonly url: string }) => void (URL.canParse(url) && found.push(url)),
    onSitemap: (url: string) => void found.push(`>${url}`),
  };
  await readSitemap(Buffer.from(file), listener, new AbortController().signal);
  expect(found.join(" ")).toBe(listed);
});
