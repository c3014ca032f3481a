import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { crawl, openCrawlSite } from "../../crawls.ts";
import { htmlPage, type Site } from "../../site.ts";
import { useSharedWorld } from "../../use-world.ts";

const world = useSharedWorld();

/** Answers with a status and a page, or is busy so many times first. */
function answering(status: number, { busy = 0, links = [] as readonly string[] } = {}): RequestListener {
  let left = busy;
  return (_request, response) => {
    const isBusy = left > 0;
    left -= 1;
    response.writeHead(isBusy || busy === 0 ? status : 200, {
      "content-type": "text/html",
      ...(isBusy && { "retry-after": "0" }),
    });
    response.end(htmlPage(`<h1>${status}</h1>${links.map((link) => `<a href="${link}">x</a>`).join("")}`));
  };
}

function plain(text: string, type = "text/plain"): RequestListener {
  return (_request, response) => response.setHeader("content-type", type).end(text);
}

test("a crawl follows routes in fragments, each as a page", async () => {
  const app = `<!doctype html><title>App</title><main id="view"></main><script>
    const route = location.hash || "home";
    document.getElementById("view").innerHTML = "<h1>" + route + "</h1><p>Text of the view " + route + ".</p>" +
      "<a href='#/one'>one</a> <a href='#/two'>two</a> <a href='#top'>top</a>";
  </script>`;
  const site = await openCrawlSite({ "/app": app });
  const { paths } = await crawl(world, { url: site.url("/app"), sitemap: "skip" });
  expect(paths).toEqual(["/app", "/app#/one", "/app#/two"]);
});

test("F-40 answers of the site", async () => {
  const files = ["/photo.png", "/pack.zip", "/style.css", "/film.mp4"];
  const site = await openCrawlSite({
    "/": ["/gone", "/failed", "/busy", "/limited", "/broken", "/table.csv", "/note.txt", ...files],
    "/gone": answering(404, { links: ["/after-gone"] }),
    "/after-gone": [],
    "/failed": answering(500),
    "/busy": answering(503, { busy: 2 }),
    "/limited": answering(429, { busy: 2 }),
    "/broken": (request) => request.socket.destroy(),
    "/table.csv": plain("name,price\ntea,3\n", "text/csv"),
    "/note.txt": plain("A note."),
    ...Object.fromEntries(files.map((path) => [path, []])),
  });
  const { paths, errors, status } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths).toEqual(
    ["/", "/after-gone", "/busy", "/failed", "/gone", "/limited", "/note.txt", "/table.csv"].toSorted(),
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(" /broken");
  const codes = Object.fromEntries(
    status.data.map(({ metadata }) => [
      String(metadata["url"]).replace(site.url(""), ""),
      metadata.statusCode,
    ]),
  );
  expect(codes).toMatchObject({ "/gone": 404, "/failed": 500, "/busy": 200, "/limited": 200 });
  expect(status.creditsUsed).toBe(8);
  for (const path of files) expect(site.hits(path)).toHaveLength(0);
  expect(site.hits("/busy")).toHaveLength(3);
});

const ROBOTS = `User-agent: *
Disallow: /private/
Allow: /private/open/
Disallow: /*.php$

User-agent: special
Disallow: /only-special
`;

async function robotsSite(): Promise<Site> {
  return openCrawlSite({
    "/": ["/private/plans", "/private/open/today", "/form.php", "/form.php?x=1", "/only-special"],
    "/private/plans": [],
    "/private/open/today": [],
    "/form.php": [],
    "/only-special": [],
    "/robots.txt": plain(ROBOTS),
  });
}

test("F-41 robots", async () => {
  const site = await robotsSite();
  const heeded = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(heeded.paths).toEqual(["/", "/form.php?x=1", "/only-special", "/private/open/today"]);
  expect(heeded.blocked).toEqual(["/form.php", "/private/plans"]);
  expect(heeded.status.warning).toMatch(
    /^One or more pages were unable to be crawled because the robots\.txt file prevented this\./,
  );
  expect(site.hits("/private/plans")).toHaveLength(0);
  const denied = await crawl(world, { url: site.url("/private/plans"), sitemap: "skip" });
  expect(denied).toMatchObject({ paths: [], errors: ["CRAWL_DENIAL /private/plans"] });
  expect(denied.blocked).toEqual(["/private/plans"]);
  const passed = await crawl(world, { url: site.url("/"), sitemap: "skip", ignoreRobotsTxt: true });
  expect(passed.paths).toContain("/private/plans");
  expect(passed.blocked).toEqual([]);
});

test("F-42 robotsUserAgent", async () => {
  const site = await robotsSite();
  const body = { url: site.url("/"), sitemap: "skip", robotsUserAgent: "special" };
  const { paths, blocked } = await crawl(world, body);
  expect(paths).toContain("/private/plans");
  expect(blocked).toEqual(["/only-special"]);
  expect(site.hits("/robots.txt").at(-1)?.headers["user-agent"]).toBe("special");
});

/** Milliseconds between the starts of visits, rounded down a little: timers of two processes differ. */
async function gapsOf(pages: Parameters<typeof openCrawlSite>[0], body: object): Promise<readonly number[]> {
  const starts: number[] = [];
  const timed: RequestListener = (request, response) => {
    starts.push(performance.now());
    const links = request.url === "/" ? ["/a", "/b", "/c"].map((path) => `<a href="${path}">x</a>`) : [];
    response.setHeader("content-type", "text/html").end(htmlPage(links.join("")));
  };
  const site = await openCrawlSite({ "/": timed, "/a": timed, "/b": timed, "/c": timed, ...pages });
  const { paths } = await crawl(world, { url: site.url("/"), sitemap: "skip", ...body });
  expect(paths).toHaveLength(4);
  return starts.slice(1).map((startMs, index) => startMs - (starts[index] ?? 0));
}

test("F-43 delay and Crawl-delay", async () => {
  // On a busy machine a request is seen late, and the gap behind it is as much shorter: on average that is little.
  const mean = (gaps: readonly number[]) => gaps.reduce((sum, gapMs) => sum + gapMs, 0) / gaps.length;
  const delayed = await gapsOf({}, { delay: 0.4 });
  expect(mean(delayed)).toBeGreaterThanOrEqual(360);
  const robots = { "/robots.txt": plain("User-agent: *\nCrawl-delay: 0.3\n") };
  const polite = await gapsOf(robots, {});
  expect(mean(polite)).toBeGreaterThanOrEqual(260);
  const hurried = await gapsOf(robots, { ignoreRobotsTxt: true });
  expect(Math.min(...hurried)).toBeLessThan(260);
});

function urlset(site: Site, paths: readonly string[]): string {
  const entries = paths.map((path) => `<url><loc>${site.url(path)}</loc></url>`).join("");
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}

async function sitemapSite(): Promise<Site> {
  const site = await openCrawlSite({ "/docs": ["/docs/linked"], "/docs/linked": [], "/docs-old": [] });
  for (const number of [1, 2, 3, 4, 5]) site.page(`/docs/listed/${number}`, htmlPage(`<h1>${number}</h1>`));
  const names = ["a.xml.gz", "b.txt", "c.rss", "broken.xml", "index.xml", "missing.xml"];
  const index = names.map((name) => `<sitemap><loc>${site.url(`/maps/${name}`)}</loc></sitemap>`).join("");
  site.page("/robots.txt", plain(`User-agent: *\nSitemap: ${site.url("/maps/index.xml")}\n`));
  site.page("/maps/index.xml", plain(`<sitemapindex>${index}</sitemapindex>`, "application/xml"));
  site.page("/maps/a.xml.gz", (_request, response) => {
    const packed = gzipSync(urlset(site, ["/docs/listed/1", "/docs-old", "/elsewhere"]));
    response.setHeader("content-type", "application/x-gzip").end(packed);
  });
  site.page("/maps/b.txt", plain(`${site.url("/docs/listed/2")}\n`));
  const item = `<item><link>${site.url("/docs/listed/3")}</link></item>`;
  site.page(
    "/maps/c.rss",
    plain(`<rss version="2.0"><channel>${item}</channel></rss>`, "application/rss+xml"),
  );
  const broken = urlset(site, ["/docs/listed/4"]).replace("</urlset>", `<url><loc>${site.url("/docs/li")}`);
  site.page("/maps/broken.xml", plain(broken, "text/xml"));
  site.page("/sitemap.xml", plain(urlset(site, ["/docs/listed/5"]), "text/xml"));
  return site;
}

test("F-44 sitemaps", async () => {
  const site = await sitemapSite();
  const listed = [1, 2, 3, 4, 5].map((number) => `/docs/listed/${number}`);
  const included = await crawl(world, { url: site.url("/docs") });
  expect(included.paths).toEqual(["/docs", "/docs/linked", ...listed].toSorted());
  expect(included.errors).toEqual([]);
  const only = await crawl(world, { url: site.url("/docs"), sitemap: "only" });
  expect(only.paths).toEqual(["/docs", ...listed]);
  const asked = site.hits("/maps/index.xml").length;
  const skipped = await crawl(world, { url: site.url("/docs"), sitemap: "skip" });
  expect(skipped.paths).toEqual(["/docs", "/docs/linked"]);
  expect(site.hits("/maps/index.xml")).toHaveLength(asked);
});

test("a page that the site refuses is a document that says so, and the crawl warns", async () => {
  const refused = '<iframe src="/_Incapsula_Resource?x=1&incident_id=2"></iframe>';
  const site = await openCrawlSite({ "/": ["/refused"], "/refused": htmlPage(refused) });
  const scrapeOptions = { proxy: "basic" };
  const { paths, status } = await crawl(world, { url: site.url("/"), sitemap: "skip", scrapeOptions });
  expect(paths).toEqual(["/", "/refused"]);
  expect(status.warning).toContain("metadata.blocked");
});
