import { test } from "vitest";

import { ZipEntries } from "../../src/documents/archives/zip-entries.ts";
import { isOleFile, oleStreamNames } from "../../src/documents/archives/ole-streams.ts";
import { parseLooseJson } from "../../src/facts/structured/loose-json.ts";
import { readXmlFeed } from "../../src/feeds/read-xml-feed.ts";
import { parseSrcset } from "../../src/page-content/html/srcset.ts";
import { openChainCookies } from "../../src/platform/net/chain-cookies.ts";
import { readSitemap } from "../../src/sitemaps/read-sitemap.ts";
import type { SitemapEntry } from "../../src/sitemaps/sitemap-entry.ts";
import { expectLaw } from "./law.ts";

const NEVER = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

function filled(piece: string, characters: number): string {
  return piece.repeat(Math.max(1, Math.floor(characters / piece.length)));
}

type Texts = readonly [name: string, make: (characters: number) => string];

test.each<Texts>([
  ["many entries", (size) => `<urlset>${filled("<url><loc>http://a.test/b</loc></url>", size)}`],
  [
    "long titles",
    (size) =>
      `<rss>${filled(`<item><link>http://a.test/</link><title>${"t".repeat(4000)}</title></item>`, size)}`,
  ],
  ["one long title", (size) => `<rss><item><title>${"t".repeat(size)}`],
  ["elements that are not closed", (size) => filled("<url>", size)],
  ["entities", (size) => `<urlset><url><loc>${filled("&amp;", size)}`],
  ["one long attribute", (size) => `<a b="${"c".repeat(size)}`],
  ["comments", (size) => `<urlset>${filled("<!-- -- -->", size)}`],
  ["lines", (size) => filled("http://a.test/b\n", size)],
  ["one line", (size) => "h".repeat(size)],
  ["ends of lines", (size) => `h${filled("\r\n", size)}`],
])("a sitemap: %s", async (_name, text) => {
  const make = (size: number) => Buffer.from(text(size));
  await expectLaw({
    size: MEGABYTE / 4,
    make,
    async run(file) {
      const entries: SitemapEntry[] = [];
      const onPage = (entry: SitemapEntry) => void entries.push(entry);
      await readSitemap(file, { onPage, onSitemap: () => undefined }, NEVER);
      return entries;
    },
  });
});

test.each<Texts>([
  [
    "many items",
    (size) => `<rss><channel>${filled("<item><link>http://a.test/</link><title>t</title></item>", size)}`,
  ],
  ["items within items", (size) => filled("<rss><channel><item>", size)],
  ["outlines within outlines", (size) => `<opml><body>${filled('<outline text="a">', size)}`],
  ["categories", (size) => `<rss><channel><item>${filled("<category>a</category>", size)}`],
  ["markup in markup", (size) => `<feed><entry><content type="xhtml">${filled("<b>x</b>", size)}`],
  ["dates", (size) => `<rss><channel><item><pubDate>${filled("Mon ", size)}`],
])("a feed: %s", async (_name, make) => {
  await expectLaw({ size: MEGABYTE / 8, make, run: readXmlFeed, isOnMainThread: false });
});

test.each<Texts>([
  ["one list", (size) => `[${filled("1,", size)}`],
  ["commas before brackets", (size) => filled(`,${" ".repeat(20)}`, size)],
  ["comments that are opened", (size) => filled("<!-- ", size)],
  ["comments that are closed", (size) => `{}${filled("-->", size)}`],
  ["white space", (size) => filled(" \n", size)],
  ["lists within lists", (size) => "[".repeat(size / 4)],
  ["a string without end", (size) => `"${filled("\\\\", size)}`],
])("JSON-LD: %s", async (_name, make) => {
  await expectLaw({ size: MEGABYTE / 4, make, run: parseLooseJson, isOnMainThread: false });
});

test.each<Texts>([
  ["commas", (size) => ",".repeat(size)],
  ["commas and spaces", (size) => filled(", ", size)],
  ["spaces", (size) => `a${" ".repeat(size)}`],
  ["descriptors", (size) => `a ${filled("1w ", size)}`],
  ["digits", (size) => `a ${"1".repeat(size)}`],
  ["candidates", (size) => filled("a 1w,", size)],
])("a srcset: %s", async (_name, make) => {
  await expectLaw({ size: MEGABYTE / 4, make, run: parseSrcset, isOnMainThread: false });
});

test.each<[string, (index: number) => string]>([
  ["many", (index) => `c${index}=v`],
  ["paths", (index) => `c${index}=v; Path=/${"a/".repeat(100)}${index}`],
  ["domains", (index) => `c${index}=v; Domain=${"a.".repeat(100)}site.test`],
  ["attributes", (index) => `c${index}=v${"; a=b".repeat(100)}`],
  ["semicolons", (index) => `c${index}=v${";".repeat(500)}`],
  ["dates", (index) => `c${index}=v; Expires=${"1:".repeat(200)}`],
])("cookies of an answer: %s", async (_name, cookie) => {
  const url = new URL(`http://${"a.".repeat(20)}site.test/${"a/".repeat(100)}`);
  const make = (count: number) =>
    Array.from({ length: count }, (_, index) => ["set-cookie", cookie(index)] as const);
  await expectLaw({
    size: 250,
    make,
    async run(headers) {
      const cookies = openChainCookies();
      await cookies.store(headers, url);
      return cookies.headerFor(url, undefined);
    },
  });
});

/** A directory of ZIP entries whose names are as long as they may be, or that all have one place. */
function zipDirectory(bytes: number, nameBytes: number): Buffer {
  const entry = Buffer.alloc(46 + nameBytes, "n");
  entry.writeUInt32LE(0x02014b50, 0);
  entry.fill(0, 4, 46);
  entry.writeUInt16LE(nameBytes, 28);
  const count = Math.floor(bytes / entry.length);
  const entries = Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const own = Buffer.from(entry);
      own.write(String(index), 46);
      return own;
    }),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(entries.length, 12);
  return Buffer.concat([entries, end]);
}

test.each<[string, (bytes: number) => Buffer]>([
  ["many names", (bytes) => zipDirectory(bytes, 8)],
  ["long names", (bytes) => zipDirectory(bytes, 60_000)],
  ["ends of directories", (bytes) => Buffer.from(filled("PK\u0005\u0006", bytes))],
])("a ZIP file: %s", async (_name, make) => {
  await expectLaw({
    size: MEGABYTE / 4,
    make,
    run: (file) => new ZipEntries(file).names(),
    isOnMainThread: false,
  });
});

/** Sectors that all name each other. */
function oleFile(bytes: number): Buffer {
  const file = Buffer.alloc(Math.max(1024, bytes), 1);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(file);
  file.writeUInt16LE(3, 26);
  file.writeUInt16LE(9, 30);
  for (let at = 44; at + 4 <= file.length; at += 4) file.writeUInt32LE((at / 4) % (file.length / 512), at);
  return file;
}

test("an OLE file whose sectors lead to each other", async () => {
  const run = (file: Buffer) => (isOleFile(file) ? oleStreamNames(file) : []);
  await expectLaw({ size: MEGABYTE / 4, make: oleFile, run, isOnMainThread: false });
});
