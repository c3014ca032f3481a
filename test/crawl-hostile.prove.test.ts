import { afterAll, beforeAll, expect, test } from "vitest";

import { crawl, openCrawlSite } from "./crawls.ts";
import { htmlPage, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
const sites: Site[] = [];

beforeAll(async () => {
  world = await openWorld({ HOST_CONCURRENCY: "50" });
});

afterAll(async () => {
  await world.close();
  for (const site of sites) await site.close();
});

async function siteOf(pages: Parameters<typeof openCrawlSite>[0]): Promise<Site> {
  const site = await openCrawlSite(pages);
  sites.push(site);
  return site;
}

test("a page with very many links is a page, and of its links as many are visited as wanted", async () => {
  const links = Array.from({ length: 60_000 }, (_, index) => `<a href="/item/${index}">x</a>`).join("");
  const site = await siteOf({ "/": htmlPage(links) });
  site.otherwise((_request, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Item</h1>"),
  );
  const { status } = await crawl(world, { url: site.url("/"), sitemap: "skip", limit: 5 });
  expect(status).toMatchObject({ status: "completed", completed: 5, total: 5, creditsUsed: 5 });
}, 60_000);

test("a robots.txt that hangs allows everything after its time, and the crawl goes on", async () => {
  const site = await siteOf({ "/": ["/a"], "/a": [], "/robots.txt": () => undefined });
  const { paths } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths).toEqual(["/", "/a"]);
}, 40_000);

test("a robots.txt of 10 MB holds as far as it is read", async () => {
  const robots = `User-agent: *\nDisallow: /private\n${"Disallow: /nowhere/else\n".repeat(420_000)}`;
  const site = await siteOf({
    "/": ["/a", "/private"],
    "/a": [],
    "/robots.txt": (_request, response) => response.setHeader("content-type", "text/plain").end(robots),
  });
  const { paths, blocked } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, blocked]).toEqual([["/", "/a"], ["/private"]]);
}, 60_000);

test("a web of redirects leads to each page once", async () => {
  const hops = Array.from({ length: 30 }, (_, index) => `/hop/${index}`);
  const site = await siteOf({ "/": hops, "/end": [] });
  for (const [index, path] of hops.entries()) {
    const location = index % 3 === 0 ? "/end" : `/hop/${Math.floor(index / 3) * 3}`;
    site.page(path, (_request, response) => response.writeHead(302, { location }).end());
  }
  const { paths, status } = await crawl(world, { url: site.url("/"), sitemap: "skip", maxConcurrency: 30 });
  expect(paths).toEqual(["/", "/end"]);
  expect(status).toMatchObject({ completed: 2, creditsUsed: 2, total: 2 });
});

test("base addresses elsewhere lead nowhere else", async () => {
  const site = await siteOf({
    "/": htmlPage('<a href="a">a</a><a href="//evil.test/b">b</a>', '<base href="https://evil.test/deep/">'),
    "/a": [],
  });
  const { paths, errors } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect([paths, errors]).toEqual([["/"], []]);
});

test("patterns that would explode elsewhere take no time", async () => {
  const long = `/${"a".repeat(1500)}`;
  const site = await siteOf({ "/": [`${long}b`], [`${long}b`]: [] });
  const body = { url: site.url("/"), sitemap: "skip", excludePaths: ["^/(a+)+$", "^/(a|a)*c$"] };
  const { paths } = await crawl(world, body);
  expect(paths).toHaveLength(2);
});
