import { expect, test } from "vitest";

import { ZipEntries } from "../../packages/documents/src/archives/zip-entries.ts";
import { isOleFile, oleStreamNames } from "../../packages/documents/src/archives/ole-streams.ts";
import { readOffice } from "../../packages/documents/src/office.ts";
import { findProduct } from "../../packages/facts/src/product/find-product.ts";
import { gatherEvidence } from "../../packages/facts/src/structured/evidence.ts";
import { redactMarkdown } from "../../packages/facts/src/redaction/redact.ts";
import { parseLooseJson } from "../../packages/facts/src/structured/loose-json.ts";
import { readXmlFeed } from "../../packages/server/src/fetch/feeds/feed.ts";
import { collectImages } from "../../packages/html/src/selection/images.ts";
import { extractMetadata } from "../../packages/html/src/selection/metadata.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { findCss } from "../../packages/html/src/selection/select-css.ts";
import { selectAll } from "../../packages/html/src/selection/selection.ts";
import type { StaticEvidence } from "../../packages/html/src/selection/static-evidence.ts";
import { serializeHtml } from "../../packages/html/src/selection/serialize.ts";
import { isHidden } from "../../packages/html/src/markdown/hidden.ts";
import { parseSrcset } from "../../packages/html/src/selection/srcset.ts";
import { ForeignThread } from "../../packages/kit/src/foreign/thread.ts";
import { findJson } from "../../packages/server/src/storage/models/find-json.ts";
import { judgeBlocked } from "../../packages/server/src/fetch/fallback/blocked.ts";
import { openChainCookies } from "../../packages/server/src/net/navigate.ts";
import { readSitemap, type SitemapEntry } from "../../packages/server/src/fetch/site/sitemaps.ts";
import { planCleaning } from "../../packages/server/src/scrape/answer/cleaning.ts";
import type { Ask } from "../../packages/server/src/scrape/formats/ask.ts";
import { expectLaw } from "./law.ts";

const NEVER = new AbortController().signal;
const MEGABYTE = 1024 * 1024;
/** Characters that are read of a reply of a language model. */
const MAX_REPLY = 4 * MEGABYTE;

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
    size: MEGABYTE / 8,
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
  await expectLaw({ size: MEGABYTE / 16, make, run: readXmlFeed, isOnMainThread: false });
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
  await expectLaw({ size: MEGABYTE / 8, make, run: parseLooseJson, isOnMainThread: false });
});

/** The most that is read of a script. */
const LONGEST_JSON = 4_000_000;

test.each<Texts>([
  ["lists that are not closed", (size) => "[".repeat(size)],
  ["lists", (size) => "[".repeat(size / 2) + "]".repeat(size / 2)],
  ["lists beside each other", (size) => `[${filled("[],", size)}[]]`],
  ["objects", (size) => `${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`],
])("JSON-LD of 4 MB within each other: %s", async (_name, make) => {
  const run = (text: string) => void parseLooseJson(text);
  await expectLaw({ size: LONGEST_JSON / 4, make, run, isOnMainThread: false });
});

test.each(["offers", "name", "image", "@type", "brand"])(
  "a product with 500,000 lists within each other as its %s",
  (property) => {
    const lists = "[".repeat(500_000) + "]".repeat(500_000);
    const json = `{"@type": "Product", "name": "Stool", "${property}": ${lists}}`;
    const source = `<script type="application/ld+json">${json}</script><h1>Stool</h1>`;
    const tree = parseHtml(source);
    const url = "http://a.test/";
    const metadata = () => extractMetadata(tree, url);
    const evidence = gatherEvidence({ tree, source: () => source, metadata });
    expect(() => findProduct(evidence, url)).not.toThrow();
  },
);

test.each<readonly [string, string, (count: number) => string]>([
  ["elements before", "p ~ p ~ p ~ b", (count) => "<p></p>".repeat(count)],
  [
    "elements around",
    "div div div div b",
    (count) => "<div>".repeat(Math.min(count, 400)).repeat(count / 400),
  ],
  ["elements within", ":has(b)", (count) => "<div><p></p></div>".repeat(count)],
  ["places", ":nth-last-of-type(3n+1)", (count) => "<p></p>".repeat(count)],
  ["classes", ".a.b.c.d", (count) => `<p class="${"a ".repeat(100)}"></p>`.repeat(count / 10)],
  ["what is not", ":not(:not(:not(p)))", (count) => "<p></p>".repeat(count)],
])("a CSS selector: %s", async (_name, selector, html) => {
  const make = (count: number) => html(count);
  const run = (page: string) => void findCss(parseHtml(page), selector);
  await expectLaw({ size: 2000, make, run, isOnMainThread: false });
});

test.each<Texts>([
  ["addresses", (size) => filled("background:url(a);", size)],
  ["addresses that are opened", (size) => `background:${filled("url(", size)}`],
  ["quotes that are opened", (size) => `background:${filled("url('", size)}`],
  ["addresses that are too long", (size) => filled(`background:url(${"a".repeat(2100)}`, size)],
  ["spaces", (size) => `display:${" ".repeat(size)}`],
  ["words", (size) => filled(";display :", size)],
])("CSS in a style: %s", async (_name, style) => {
  const make = (size: number) => `<p style="${style(size)}">a</p><img src="a" style="${style(size)}">`;
  await expectLaw({
    size: MEGABYTE / 16,
    make,
    isOnMainThread: false,
    run(html) {
      const page = selectAll(parseHtml(html));
      for (let node = 1; node < page.tree.size; node += 1) isHidden(page.tree, node);
      collectImages(page, "http://a.test/");
      serializeHtml(page, "http://a.test/");
    },
  });
});

test.each<Texts>([
  ["values", (size) => filled("a,", size)],
  ["lines", (size) => filled("a\n", size)],
  ["one long line, then short ones", (size) => `${filled("a,", size / 2)}\n${filled("a\n", size / 2)}`],
  ["quotes", (size) => filled('"', size)],
  ["a quote that is opened", (size) => `"${filled("a,\n", size)}`],
  ["quotes in quotes", (size) => filled('"a""b",', size)],
  ["separators in turn", (size) => filled(",;\t|\n", size)],
])("values between commas: %s", async (_name, text) => {
  const make = (size: number) => Buffer.from(text(size));
  await expectLaw({
    size: 8 * 1024,
    make,
    isOnMainThread: false,
    run: async (body) => void (await readOffice({ body, mimeType: "text/csv", url: "http://a.test/" })),
  });
});

test.each<Texts>([
  ["commas", (size) => ",".repeat(size)],
  ["commas and spaces", (size) => filled(", ", size)],
  ["spaces", (size) => `a${" ".repeat(size)}`],
  ["descriptors", (size) => `a ${filled("1w ", size)}`],
  ["digits", (size) => `a ${"1".repeat(size)}`],
  ["candidates", (size) => filled("a 1w,", size)],
])("a srcset: %s", async (_name, make) => {
  await expectLaw({ size: MEGABYTE / 8, make, run: parseSrcset, isOnMainThread: false });
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
    size: MEGABYTE / 8,
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
  await expectLaw({ size: MEGABYTE / 8, make: oleFile, run, isOnMainThread: false });
});

test.each<Texts>([
  ["brackets", (size) => filled("[{}]", size)],
  ["empty objects", (size) => `[${filled("{},", size)}{}]`],
  ["a fence, spaces and a word", (size) => `\`\`\`${filled(" ", size)}x`],
  ["fences", (size) => filled("```", size)],
  ["thoughts", (size) => filled("<think></think>", size)],
  ["thoughts without an end", (size) => filled("<think></reasoning>", size)],
  ["faults of syntax", (size) => `[${filled('"a\\n"ba\\n"b', size)}]`],
])("a reply of a language model: %s", async (_name, make) => {
  const thread = new ForeignThread();
  await expectLaw({ size: MAX_REPLY / 4, make, run: (text) => findJson(text, thread, NEVER) });
  await thread.close();
});

test.each(["Ann und ", "Smith, Ann, "])("personal data in one line: %s", async (names) => {
  const run = (text: string) => redactMarkdown(text, { mode: "accurate", replaceStyle: "tag" });
  await expectLaw({ size: 40_000, make: (size) => filled(names, size), run, isOnMainThread: false });
});

test("a text that is too long for a model to clean", async () => {
  const model = { maxOutputTokens: 16_000 } as Ask;
  await expectLaw({
    size: MEGABYTE,
    make: (size) => "漢".repeat(size),
    run: async (text) => void (await planCleaning(text, model)),
  });
});

test.each(["dd={", "<iframe _Incapsula_Resource", "<i id=captcha-container>", "digestMessage "])(
  "a page that begins like one that blocks, again and again: %s",
  async (mark) => {
    const evidence = { mainText: 0 } as StaticEvidence;
    const run = (html: string) => judgeBlocked({ capture: { statusCode: 200, headers: {} }, html, evidence });
    await expectLaw({ size: 24_000, make: (size) => `<script>${filled(mark, size - 20)}</script>`, run });
  },
);
