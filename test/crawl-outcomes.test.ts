import type { RequestListener } from "node:http";

import { beforeAll, expect, test } from "vitest";

import { crawl, linkPage, openCrawlSite, redirectTo } from "./crawls.ts";
import { RunClient } from "./runs.ts";
import type { Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let site: Site;

beforeAll(async () => {
  world = await openWorld();
});

const missing: RequestListener = (_request, response) => response.writeHead(404).end("Not here");
const served = (body: string) => (_request: unknown, response: { end(body: string): void }) =>
  response.end(body);

test("every address of a crawl has one outcome, with its reason, and each origin its robots.txt and sitemaps", async () => {
  const again = Array(3).fill("again").join("/");
  site = await openCrawlSite({
    "/docs": [
      "/docs/a",
      "/docs/old",
      "/docs/shut",
      "/docs/draft",
      "/docs/checked",
      "/docs/missing",
      "/blog",
      "/docs/a.png",
      "mailto:me@a.test",
    ],
    "/docs/a": ["/docs/deep", `/docs/${again}/again`, "https://elsewhere.test/x", "/docs/gone"],
    "/docs/old": redirectTo("/docs/new"),
    "/docs/new": "<main><h1>New</h1></main>",
    "/docs/deep": ["/docs/deeper"],
    "/docs/checked": `<div class="h-captcha"></div><script src="https://hcaptcha.com/1/api.js"></script>`,
    "/docs/missing": missing,
    "/docs/gone": (_request, response) => response.socket?.destroy(),
    "/docs/listed": linkPage("Listed", []),
    "/robots.txt": served("User-agent: *\nDisallow: /docs/shut # not yet"),
  });
  const listed = `<urlset><url><loc>${site.url("/docs/listed")}</loc></url></urlset>`;
  site.page("/sitemap.xml", served(listed));
  const url = site.url("/docs");
  const body = { url, excludePaths: ["no", "dra.t"], maxDiscoveryDepth: 2 };
  const { id } = await crawl(world, body);
  const lines = await new RunClient(world).outcomes(`/v2/crawl/${id}`, 3);
  const { origin } = new URL(url);
  const below = (address: string | undefined) => address?.replace(origin, "");
  const told = lines
    .filter(({ type }) => type === "address")
    .map(({ url: address, outcome, to, code, rule, status, why, system }) =>
      [below(address), outcome, below(to) ?? code ?? rule ?? status ?? why, system].filter(Boolean).join(" "),
    );
  expect(told.toSorted()).toEqual(
    [
      "/docs document",
      "/docs/a document",
      "/docs/old redirected /docs/new",
      "/docs/new document",
      "/docs/shut robots Disallow: /docs/shut",
      "/docs/draft pattern excludePaths: dra.t",
      "/docs/checked blocked captcha hcaptcha",
      "/docs/missing document 404",
      "/blog path",
      "/docs/a.png file",
      "/docs/deep document",
      "/docs/deeper depth",
      `/docs/${again}/again trap`,
      "https://elsewhere.test/x external",
      "/docs/gone error SCRAPE_SITE_ERROR",
      "/docs/listed document",
    ].toSorted(),
  );
  expect(lines.filter(({ type }) => type === "origin")).toEqual([
    { type: "origin", origin, robots: "found", sitemaps: [{ url: `${origin}/sitemap.xml`, pages: 1 }] },
  ]);
  await site.close();
});

test("a start that the patterns leave out names what it does not match", async () => {
  site = await openCrawlSite({ "/docs": [] });
  const { id, errors, status } = await crawl(world, { url: site.url("/docs"), includePaths: ["^/blog"] });
  expect(errors).toEqual(["CRAWL_DENIAL /docs"]);
  expect(status.warning).toMatch(/^The start does not fit includePaths and excludePaths, .*too\.$/);
  const [, , start] = await new RunClient(world).outcomes(`/v2/crawl/${id}`);
  expect(start).toMatchObject({ outcome: "pattern", rule: "includePaths: none matches" });
  await site.close();
});

test("what waits when the limit is reached is told, and of other teams' crawls nothing is", async () => {
  site = await openCrawlSite({ "/": ["/a", "/b", "/c"], "/a": [], "/b": [], "/c": [] });
  const { id } = await crawl(world, { url: site.url("/"), limit: 2 });
  const [summary] = await new RunClient(world).outcomes(`/v2/crawl/${id}`);
  expect(summary).toMatchObject({ seen: 4, outcomes: { document: 2, limit: 2 } });
  const unknown = await new RunClient(world).read(
    `/v2/crawl/${"0".repeat(8)}-0000-7000-8000-000000000000/outcomes`,
  );
  expect(unknown.status).toBe(404);
  await site.close();
});

const canonical = (path: string, text: string) =>
  `<html><head><link rel="canonical" href="${path}"></head><body><main><p>${text}</p></main></body></html>`;

test("a page that names another as its own address and has its text is that document, whichever is first", async () => {
  site = await openCrawlSite({
    "/": ["/shop?from=menu", "/shop", "/shop?utm_source=a&gclid=b", "/list?page=2", "/list?page=3"],
    "/shop": canonical("/shop", "Tea and pots"),
    "/shop?from=menu": canonical("/shop", "Tea and pots"),
    "/list?page=2": canonical("/list", "Pots 21 to 40"),
    "/list?page=3": canonical("/list", "Pots 41 to 60"),
  });
  const { id, paths } = await crawl(world, { url: site.url("/"), maxConcurrency: 1 });
  expect(paths).toEqual(["/", "/list?page=2", "/list?page=3", "/shop?from=menu"]);
  const lines = await new RunClient(world).outcomes(`/v2/crawl/${id}`);
  expect(lines.find(({ url }) => url === site.url("/shop"))).toMatchObject({
    outcome: "duplicate",
    of: site.url("/shop?from=menu"),
    why: "canonical",
  });
  const all = await crawl(world, { url: site.url("/"), deduplicateSimilarURLs: false });
  expect(all.paths).toContain("/shop");
  await site.close();
});

test("with deduplicateContent the same text is one document wherever it is", async () => {
  site = await openCrawlSite({
    "/": ["/one", "/two", "/three"],
    "/one": "<main><p>Tea</p></main>",
    "/two": "<main><p>Tea</p></main>",
    "/three": "<main><p>Tea 3</p></main>",
  });
  const body = { url: site.url("/"), maxConcurrency: 1 };
  expect((await crawl(world, body)).paths).toHaveLength(4);
  const { paths, status } = await crawl(world, { ...body, deduplicateContent: true });
  expect(paths).toEqual(["/", "/one", "/three"]);
  expect(status).toMatchObject({ total: 3, completed: 3, creditsUsed: 3 });
  await site.close();
});

test("a spelling that is not there does not hide the other with or without a slash", async () => {
  site = await openCrawlSite({
    "/": ["/docs", "/docs/", "/tea/", "/tea", "/pots", "/pots/", "/late", "/last"],
    "/docs": missing,
    "/docs/": linkPage("Docs", []),
    "/tea/": missing,
    "/tea": linkPage("Tea", []),
    "/pots": linkPage("Pots", []),
    "/pots/": missing,
    "/late": missing,
    "/last": ["/late/", "/late", "/docs"],
    "/late/": redirectTo("/late/index.html"),
    "/late/index.html": linkPage("Late", []),
  });
  const { id, paths, status } = await crawl(world, { url: site.url("/"), maxConcurrency: 1 });
  const found = ["/docs", "/docs/", "/last", "/late", "/late/index.html", "/pots", "/tea", "/tea/"];
  expect(paths).toEqual(["/", ...found]);
  expect(status).toMatchObject({ total: 9, completed: 9 });
  for (const path of ["/docs", "/docs/", "/tea", "/tea/", "/late"]) expect(site.hits(path)).toHaveLength(1);
  const lines = await new RunClient(world).outcomes(`/v2/crawl/${id}`);
  expect(lines.find(({ url }) => url === site.url("/pots/"))).toMatchObject({
    outcome: "duplicate",
    of: site.url("/pots"),
    why: "spelling",
  });
  await site.close();
});
