import { expect, test } from "vitest";

import { listenDns } from "../../../packages/server/src/net/loopback.suite.ts";
import { crawl, openCrawlSite, redirectTo } from "../../crawls.ts";
import { htmlPage, type Site } from "../../site.ts";
import { useWorld } from "../../use-world.ts";
import { openWorld } from "../../world.ts";

const world = useWorld({ EGRESS_ALLOW: "127.0.0.1,127.0.0.2", HOST_CONCURRENCY: "50" });

test("F-31 scope by whole segments", async () => {
  const site = await openCrawlSite({
    "/docs": ["/docs/a", "/docsx", "/", "/docs/b/c", "/other"],
    "/docs/a": [],
    "/docs/b/c": [],
    "/docsx": [],
    "/": ["/docs"],
    "/other": [],
    "/guide/index.html": ["/guide/one", "/guide/two/three", "/guides"],
    "/guide/one": [],
    "/guide/two/three": [],
    "/guides": [],
  });
  const narrow = await crawl(world, { url: site.url("/docs"), sitemap: "skip" });
  expect(narrow.paths).toEqual(["/docs", "/docs/a", "/docs/b/c"]);
  const wide = await crawl(world, { url: site.url("/docs"), sitemap: "skip", crawlEntireDomain: true });
  expect(wide.paths).toEqual(["/", "/docs", "/docs/a", "/docs/b/c", "/docsx", "/other"]);
  const folder = await crawl(world, { url: site.url("/guide/index.html"), sitemap: "skip" });
  expect(folder.paths).toEqual(["/guide/index.html", "/guide/one", "/guide/two/three"]);
});

const SPELLINGS = [
  "item",
  "item/",
  "item#a",
  "item/index.html",
  "item/index.php",
  "item?utm_source=x&utm_medium=y",
  "item;jsessionid=A1B2",
  "item?PHPSESSID=9",
  "item?gclid=1",
  "%69tem",
  "sub/../item",
  "item?",
  "item?page=2",
  "item?page=2&utm_campaign=z",
  "item?b=2&a=1",
  "item?a=1&b=2",
  "ITEM",
];

/** Answers every spelling with a page of its own. */
async function spelledSite(): Promise<Site> {
  const answers = Object.fromEntries(
    SPELLINGS.map((spelling) => [new URL(spelling, "http://shop.test/dup/").pathname, ["/dup/"]]),
  );
  return openCrawlSite({ "/dup/": SPELLINGS, ...answers });
}

test("F-32 one visit per identity", async () => {
  const site = await spelledSite();
  const { paths } = await crawl(world, { url: site.url("/dup/"), sitemap: "skip" });
  expect(paths).toEqual(
    [
      "/dup/",
      "/dup/ITEM",
      "/dup/item",
      "/dup/item?a=1&b=2",
      "/dup/item?b=2&a=1",
      "/dup/item?page=2",
    ].toSorted(),
  );
});

test("F-33 identity switches", async () => {
  const site = await spelledSite();
  const spelled = await crawl(world, {
    url: site.url("/dup/"),
    sitemap: "skip",
    deduplicateSimilarURLs: false,
  });
  expect(spelled.paths).toHaveLength(14);
  const pathsOnly = await crawl(world, {
    url: site.url("/dup/"),
    sitemap: "skip",
    ignoreQueryParameters: true,
  });
  expect(pathsOnly.paths).toEqual(["/dup/", "/dup/ITEM", "/dup/item"]);
});

test("F-34 redirects", async () => {
  const other = await openCrawlSite({ "/landing": [] });
  const site = await openCrawlSite({
    "/": ["/a", "/b", "/c", "/end", "/loop", "/away", "/hidden"],
    "/a": redirectTo("/b"),
    "/b": redirectTo("/end"),
    "/c": redirectTo("/end"),
    "/end": [],
    "/loop": redirectTo("/pool"),
    "/pool": redirectTo("/loop"),
    "/away": redirectTo(other.url("/landing").replace("127.0.0.1", "127.0.0.2")),
    "/hidden": redirectTo("/private/plans"),
    "/private/plans": [],
    "/robots.txt": (_request, response) => {
      response.setHeader("content-type", "text/plain").end("User-agent: *\nDisallow: /private/\n");
    },
  });
  const { paths, errors, blocked, status } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths).toEqual(["/", "/end"]);
  expect(errors).toEqual(["EXTERNAL_LINK /away", "SCRAPE_SITE_ERROR /loop"]);
  expect(blocked).toEqual(["/private/plans"]);
  expect(status).toMatchObject({ status: "completed", completed: 2, creditsUsed: 2, total: 2 });
});

test("F-35 depth", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`/c${index}`, index < 9 ? [`/c${index + 1}`] : []]),
  );
  const site = await openCrawlSite(chain);
  const pagesAt = async (maxDiscoveryDepth?: number) => {
    const depth = maxDiscoveryDepth === undefined ? {} : { maxDiscoveryDepth };
    const body = { url: site.url("/c0"), crawlEntireDomain: true, sitemap: "skip", ...depth };
    return (await crawl(world, body)).paths.length;
  };
  expect([await pagesAt(0), await pagesAt(1), await pagesAt(3), await pagesAt()]).toEqual([1, 2, 4, 10]);
});

test("F-35 a page that is found again on a shorter way leads as far as from there", async () => {
  const site = await openCrawlSite({
    "/": ["/slow", "/one"],
    "/slow": (_request, response) => {
      setTimeout(() => response.setHeader("content-type", "text/html").end('<a href="/three">3</a>'), 400);
    },
    "/one": ["/two"],
    "/two": (_request, response) => {
      response.setHeader("content-type", "text/html").end('<a href="/three">3</a>');
    },
    "/three": ["/four"],
    "/four": [],
  });
  const body = { url: site.url("/"), sitemap: "skip", maxDiscoveryDepth: 3, maxConcurrency: 4 };
  const { paths } = await crawl(world, body);
  expect(paths).toEqual(["/", "/four", "/one", "/slow", "/three", "/two"]);
});

test("F-36 patterns", async () => {
  const site = await openCrawlSite({
    "/": ["/blog/1", "/blog/2", "/shop/1", "/blog/draft?x=1"],
    "/blog/1": [],
    "/blog/2": [],
    "/blog/draft": [],
    "/shop/1": [],
  });
  const base = { url: site.url("/"), sitemap: "skip" };
  const included = await crawl(world, { ...base, includePaths: ["^/$", "/blog/"], excludePaths: ["/2$"] });
  expect(included.paths).toEqual(["/", "/blog/1", "/blog/draft?x=1"]);
  const whole = await crawl(world, { ...base, excludePaths: ["x=1$", "^/shop"], regexOnFullURL: true });
  expect(whole.paths).toEqual(["/", "/blog/1", "/blog/2", "/shop/1"]);
  const none = await crawl(world, { ...base, includePaths: ["/blog/"] });
  expect(none.paths).toEqual([]);
  expect(none.errors).toEqual(["CRAWL_DENIAL /"]);
  expect(none.status).toMatchObject({ status: "completed", completed: 0, total: 0, creditsUsed: 0 });
});

test("F-45 where links are taken from", async () => {
  const leaf = htmlPage("<main><h1>Leaf</h1></main>");
  const site = await openCrawlSite({
    "/": htmlPage(
      `<nav><a href="/nav">nav</a></nav><main><h1>Home</h1><p>Some text http://shop.test/text</p>
       <div onclick="location='/clicked'">x</div><map><area href="/area"></map><a href="based" rel="nofollow">n</a></main>
       <footer><a href="/footer">f</a></footer>`,
      `<base href="/deep/down/"><link rel="next" href="/next"><link rel="canonical" href="/other">
       <meta name="robots" content="noindex,nofollow">`,
    ),
    "/nav": htmlPage("<main>Nav</main>", '<link rel="canonical" href="/">'),
    "/area": leaf,
    "/deep/down/based": leaf,
    "/footer": htmlPage("<main>Foot</main>", '<meta name="robots" content="noindex">'),
    "/clicked": leaf,
    "/next": leaf,
    "/other": leaf,
  });
  const { paths } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths).toEqual(["/", "/area", "/deep/down/based", "/footer", "/nav"]);
});

test("F-51 other sites: one hop, and never their home pages", async () => {
  const site = await openCrawlSite({});
  const elsewhere = (path: string) => site.url(path).replace("127.0.0.1", "127.0.0.2");
  site.page("/start", linkTo(elsewhere("/inner"), elsewhere("/")));
  site.page("/inner", linkTo(elsewhere("/deeper"), site.url("/start/from-outside")));
  site.page("/start/from-outside", linkTo());
  for (const path of ["/", "/deeper"]) site.page(path, linkTo());
  const inside = await crawl(world, { url: site.url("/start"), sitemap: "skip" });
  expect(inside.paths).toEqual(["/start"]);
  const outside = await crawl(world, { url: site.url("/start"), sitemap: "skip", allowExternalLinks: true });
  expect(outside.paths).toEqual([elsewhere("/inner"), "/start", "/start/from-outside"].toSorted());
  expect(outside.errors).toEqual([`EXTERNAL_LINK ${elsewhere("/")}`]);
});

function linkTo(...links: readonly string[]): string {
  return htmlPage(`<main><h1>Page</h1>${links.map((link) => `<a href="${link}">x</a>`).join("")}</main>`);
}

test("F-51 by their names: www is the bare host, and subdomains belong to the crawl where that is wanted", async () => {
  const nameServer = await listenDns((name, type) =>
    type === "A" && /(^|\.)shop\.test$/.test(name) ? ["127.0.0.1"] : undefined,
  );
  const named = await openWorld({ DNS_SERVERS: nameServer, EGRESS_ALLOW: "127.0.0.1" });
  try {
    const site = await openCrawlSite({});
    const at = (host: string, path: string) => site.url(path).replace("127.0.0.1", host);
    const links = [at("www.shop.test", "/a"), at("shop.test", "/a"), at("blog.shop.test", "/b")];
    site.page("/start", linkTo(...links));
    for (const path of ["/a", "/b"]) site.page(path, linkTo());
    const body = { url: at("shop.test", "/start"), crawlEntireDomain: true, sitemap: "skip" };
    const bare = await crawl(named, body);
    const below = bare.paths.map((path) => path.replace(/^http:\/\/[^/]+/, ""));
    expect(below.toSorted()).toEqual(["/a", "/start"]);
    const wide = await crawl(named, { ...body, allowSubdomains: true });
    expect(wide.paths).toHaveLength(3);
    expect(wide.paths).toContain(at("blog.shop.test", "/b"));
  } finally {
    await named.close();
  }
});

test("F-51 private addresses are refused", async () => {
  const site = await openCrawlSite({ "/": ["http://127.0.0.3/secret/page"] });
  const body = { url: site.url("/"), sitemap: "skip", allowExternalLinks: true };
  const { paths, errors } = await crawl(world, body);
  expect(paths).toEqual(["/"]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain("http://127.0.0.3/secret/page");
});
