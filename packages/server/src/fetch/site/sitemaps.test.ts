import zlib from "node:zlib";

import { describe, expect, test } from "vitest";

import { MAX_SITE_FILE_BYTES } from "./site-file.ts";
import { readSitemap, SITEMAP_LIMITS, type SitemapEntry, walkSitemaps } from "./sitemaps.ts";

const NEVER = new AbortController().signal;

async function read(file: string | Uint8Array) {
  const pages: SitemapEntry[] = [];
  const sitemaps: string[] = [];
  const listener = {
    onPage: (entry: SitemapEntry) => void pages.push(entry),
    onSitemap: (url: string) => void sitemaps.push(url),
  };
  await readSitemap(typeof file === "string" ? Buffer.from(file) : file, listener, NEVER);
  return { pages, sitemaps };
}

async function urls(file: string | Uint8Array): Promise<readonly string[]> {
  return (await read(file)).pages.map(({ url }) => url);
}

function urlset(...entries: readonly string[]): string {
  const list = entries.map((url) => `<url><loc>${url}</loc><priority>0.5</priority></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${list}</urlset>`;
}

describe("a sitemap", () => {
  test("lists pages", async () => {
    expect(await urls(urlset("http://a.test/1", "\n http://a.test/2?b=1&amp;c=2 "))).toEqual([
      "http://a.test/1",
      "http://a.test/2?b=1&c=2",
    ]);
  });

  test("may be packed, whatever it is called", async () => {
    expect(await urls(zlib.gzipSync(urlset("http://a.test/1")))).toEqual(["http://a.test/1"]);
  });

  test("may name other sitemaps", async () => {
    const index = `<sitemapindex><sitemap><loc>http://a.test/a.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>`;
    expect(await read(index)).toEqual({ pages: [], sitemaps: ["http://a.test/a.xml.gz"] });
  });

  test("may have several addresses in one entry", async () => {
    const entry = "<url><loc>http://a.test/1</loc><loc>http://a.test/2</loc></url>";
    const index = "<sitemap><loc>http://a.test/a.xml</loc><loc>http://a.test/b.xml</loc></sitemap>";
    expect(await urls(`<urlset>${entry}</urlset>`)).toEqual(["http://a.test/1", "http://a.test/2"]);
    const { sitemaps } = await read(`<sitemapindex>${index}</sitemapindex>`);
    expect(sitemaps).toEqual(["http://a.test/a.xml", "http://a.test/b.xml"]);
  });

  test("may use prefixes, CDATA and a mark for the order of bytes", async () => {
    const text = `\uFEFF<?xml version="1.0"?><s:urlset xmlns:s="x"><s:url><s:loc><![CDATA[http://a.test/1?a&b]]></s:loc></s:url></s:urlset>`;
    expect(await urls(text)).toEqual(["http://a.test/1?a&b"]);
    expect(await urls(Buffer.from(text, "utf16le"))).toEqual(["http://a.test/1?a&b"]);
  });

  test("in an older encoding is read as it says", async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>http://a.test/é</loc></url></urlset>`;
    expect(await urls(Buffer.from(text, "latin1"))).toEqual(["http://a.test/é"]);
  });

  test("has pages, not their pictures and translations", async () => {
    const entry = `<url><image:image><image:loc>http://a.test/p.png</image:loc></image:image><loc>http://a.test/1</loc>
      <xhtml:link rel="alternate" href="http://a.test/de"/><video:video><video:title>Film</video:title></video:video></url>`;
    expect((await read(`<urlset>${entry}</urlset>`)).pages).toEqual([{ url: "http://a.test/1" }]);
  });

  test("of news has titles", async () => {
    const entry = `<url><loc>http://a.test/1</loc><news:news><news:publication><news:name>Paper</news:name></news:publication><news:title>Tea &amp; pots</news:title></news:news></url>`;
    expect((await read(`<urlset>${entry}</urlset>`)).pages).toEqual([
      { url: "http://a.test/1", title: "Tea & pots" },
    ]);
  });

  test("may be a list of lines", async () => {
    expect(
      await urls("http://a.test/1\r\n\nHTTPS://a.test/2 \nftp://a.test\nnothing\nhttp://a.test/3"),
    ).toEqual(["http://a.test/1", "HTTPS://a.test/2", "http://a.test/3"]);
  });
});

describe("a feed", () => {
  test("of RSS lists an item by its id, which is its address unless it says otherwise", async () => {
    const named = "<item><guid>http://a.test/1</guid></item>";
    const numbered = '<item><guid isPermaLink="false">http://a.test/2</guid></item>';
    expect(await urls(`<rss><channel>${named}${numbered}</channel></rss>`)).toEqual(["http://a.test/1"]);
  });

  test("of RSS lists its items", async () => {
    const feed = `<rss version="2.0"><channel><title>Feed</title><link>http://a.test/</link>
      <item><title>One</title><link>http://a.test/1</link><description>First</description></item></channel></rss>`;
    expect((await read(feed)).pages).toEqual([
      { url: "http://a.test/1", title: "One", description: "First" },
    ]);
  });

  test("of Atom lists its entries", async () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/"/><entry><title>One</title>
      <link rel="edit" href="http://a.test/edit"/><link href="http://a.test/1"/><summary>First</summary></entry></feed>`;
    expect((await read(feed)).pages).toEqual([
      { url: "http://a.test/1", title: "One", description: "First" },
    ]);
  });
});

describe("what is broken", () => {
  const good = urlset("http://a.test/1", "http://a.test/2");

  test("counts as far as it can be read", async () => {
    expect(await urls(good.replace("</urlset>", "<url><loc>http://a.test/3"))).toHaveLength(2);
    expect(await urls(good.replace("<priority>0.5</priority>", "<b>&nbsp; & "))).toContain("http://a.test/1");
    expect(await urls(urlset("http://a.test/?a=1&b=2", "http://a.test/3"))).toHaveLength(2);
    expect(await urls(zlib.gzipSync(good).subarray(0, -12))).toContain("http://a.test/1");
  });

  test.each([
    ["a page", "<!doctype html><html><body><a href='http://a.test/1'>x</a></body></html>"],
    ["nothing", ""],
    ["bytes", Buffer.from([0, 1, 2, 0xff, 0xfe, 60, 62])],
    ["a damaged archive", Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ["another kind of XML", "<urlset><loc>http://a.test/1</loc></urlset>"],
    ["names of objects", "<constructor><loc>http://a.test/1</loc></constructor>"],
  ])("%s has no pages", async (_name, file) => {
    expect(await read(file)).toEqual({ pages: [], sitemaps: [] });
  });

  test("entities of the file's own are not expanded", async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(1000)}"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;
    const [page] = (
      await read(`<?xml version="1.0"?>${laughs}<urlset><url><loc>http://a.test/&b;&c;</loc></url></urlset>`)
    ).pages;
    expect(page?.url.length).toBeLessThan(100);
  });

  test("an archive that grows without end is read up to its limit", async () => {
    const page = "<url><loc>http://a.test/1</loc></url>".padEnd(1024);
    const bomb = zlib.gzipSync("<urlset>" + page.repeat((MAX_SITE_FILE_BYTES * 1.2) / 1024), { level: 1 });
    const found = await urls(bomb);
    expect(found.length).toBeGreaterThan(50_000);
    expect(found.length).toBeLessThanOrEqual(MAX_SITE_FILE_BYTES / 1024);
  });

  test("elements within elements without end are not read: what comes before them counts", async () => {
    const first = "<urlset><url><loc>http://a.test/1</loc></url>";
    const startedMs = process.cpuUsage().user / 1000;
    expect(await urls(first + "<a>".repeat(3_000_000) + first)).toEqual(["http://a.test/1"]);
    // Each of them used to take longer than the one before, all together minutes.
    expect(process.cpuUsage().user / 1000 - startedMs).toBeLessThan(2000);
  });

  test("texts and elements without end are cut", async () => {
    const deep = "<url>".repeat(20_000);
    const long = `<item><title>${"x".repeat(1_000_000)}</title><link>http://a.test/1</link></item>`;
    const [page] = (await read(`<rss>${long}${deep}</rss>`)).pages;
    expect(page?.title?.length).toBeLessThan(10_000);
  });
});

test("reading ends when enough was read, and when it is called off", async () => {
  const file = Buffer.from(urlset(...Array.from({ length: 5000 }, (_, index) => `http://a.test/${index}`)));
  let pages = 0;
  const listener = { onPage: () => void (pages += 1), onSitemap: () => undefined, isDone: () => pages > 0 };
  await readSitemap(file, listener, NEVER);
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(2000);
  await expect(readSitemap(file, listener, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

const indexOf = (...names: readonly string[]) =>
  `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join("")}</sitemapindex>`;
const list = (...paths: readonly string[]) => paths.map((path) => `http://a.test${path}`).join("\n");

async function walk(
  files: Readonly<Record<string, string>>,
  roots: readonly string[],
  most = Infinity,
  maxPages?: number,
) {
  const asked: string[] = [];
  const pages: string[] = [];
  const count = await walkSitemaps(
    {
      roots: roots.map((path) => `http://a.test${path}`),
      maxPages,
      async fetch(url) {
        const { pathname } = new URL(url);
        asked.push(pathname);
        const file = files[pathname];
        return file === undefined ? undefined : Buffer.from(file);
      },
      onPage({ url }) {
        pages.push(new URL(url).pathname);
        return pages.length < most;
      },
    },
    NEVER,
  );
  return { asked, pages, count };
}

test("sitemaps are read in the order in which they are named", async () => {
  const files = {
    "/index.xml": indexOf("/b.txt", "c.txt"),
    "/b.txt": list("/1", "/2"),
    "/c.txt": list("/3"),
    "/d.txt": list("/4"),
  };
  const { pages, count } = await walk(files, ["/index.xml", "/missing.xml", "/d.txt"]);
  expect(pages).toEqual(["/4", "/1", "/2", "/3"]);
  expect(count).toBe(4);
});

test("each is asked for once, also where they name each other", async () => {
  const { asked, pages } = await walk(
    {
      "/a.xml": indexOf("/b.xml", "/a.xml", "/c.txt"),
      "/b.xml": indexOf("/a.xml", "/b.xml"),
      "/c.txt": list("/1"),
    },
    ["/a.xml", "/a.xml"],
  );
  expect(asked).toEqual(["/a.xml", "/b.xml", "/c.txt"]);
  expect(pages).toEqual(["/1"]);
});

test("indexes within indexes end, and so do their files", async () => {
  const deep = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/${at}.xml`, indexOf(`/${at + 1}.xml`)]),
  );
  expect((await walk(deep, ["/0.xml"])).asked).toHaveLength(SITEMAP_LIMITS.depth + 1);
  const many = { "/index.xml": indexOf(...Array.from({ length: 200 }, (_, at) => `/${at}.txt`)) };
  expect((await walk(many, ["/index.xml"])).asked).toHaveLength(SITEMAP_LIMITS.files);
  expect((await walk(many, ["/index.xml"], Infinity, 1_000_000)).asked).toHaveLength(100);
});

test("reading ends when enough pages were told", async () => {
  const { asked, pages } = await walk(
    { "/a.txt": list("/1", "/2", "/3"), "/b.txt": list("/4") },
    ["/a.txt", "/x.txt", "/y.txt", "/b.txt"],
    2,
  );
  expect(pages.length).toBeLessThanOrEqual(3);
  expect(asked).not.toContain("/b.txt");
});

test("addresses of other schemes are not asked for", async () => {
  expect(
    (await walk({ "/a.xml": indexOf("file:///etc/passwd", "ftp://a.test/b.xml", "http://") }, ["/a.xml"]))
      .asked,
  ).toEqual(["/a.xml"]);
});
