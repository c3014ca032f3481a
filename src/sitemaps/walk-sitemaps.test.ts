import { expect, test } from "vitest";

import { SITEMAP_LIMITS, walkSitemaps } from "./walk-sitemaps.ts";

const NEVER = new AbortController().signal;

const index = (...names: readonly string[]) =>
  `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join("")}</sitemapindex>`;
const list = (...paths: readonly string[]) => paths.map((path) => `http://a.test${path}`).join("\n");

async function walk(files: Readonly<Record<string, string>>, roots: readonly string[], most = Infinity) {
  const asked: string[] = [];
  const pages: string[] = [];
  const count = await walkSitemaps(
    {
      roots: roots.map((path) => `http://a.test${path}`),
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
    "/index.xml": index("/b.txt", "c.txt"),
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
      "/a.xml": index("/b.xml", "/a.xml", "/c.txt"),
      "/b.xml": index("/a.xml", "/b.xml"),
      "/c.txt": list("/1"),
    },
    ["/a.xml", "/a.xml"],
  );
  expect(asked).toEqual(["/a.xml", "/b.xml", "/c.txt"]);
  expect(pages).toEqual(["/1"]);
});

test("indexes within indexes end, and so do their files", async () => {
  const deep = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/${at}.xml`, index(`/${at + 1}.xml`)]),
  );
  expect((await walk(deep, ["/0.xml"])).asked).toHaveLength(SITEMAP_LIMITS.depth + 1);
  const many = { "/index.xml": index(...Array.from({ length: 200 }, (_, at) => `/${at}.txt`)) };
  expect((await walk(many, ["/index.xml"])).asked).toHaveLength(SITEMAP_LIMITS.files);
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
    (await walk({ "/a.xml": index("file:///etc/passwd", "ftp://a.test/b.xml", "http://") }, ["/a.xml"]))
      .asked,
  ).toEqual(["/a.xml"]);
});
