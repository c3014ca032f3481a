import type { RequestListener } from "node:http";

import { expect, test } from "vitest";

import { crawl, linkPage, openCrawlSite } from "../../crawls.ts";
import type { Site } from "../../site.ts";
import { useSharedWorld } from "../../use-world.ts";

const world = useSharedWorld();

/** A site whose pages are computed from their address. */
async function siteOf(page: (url: URL) => string): Promise<Site> {
  const site = await openCrawlSite({});
  const answer: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "/", "http://shop.test");
    response.setHeader("content-type", "text/html; charset=utf-8").end(page(url));
  };
  site.otherwise(answer);
  return site;
}

const TRAPPED = "Some branches were left out: they look endless.";

test.each([1, 8])("F-37 an endless chain of one shape, %i pages at once", async (maxConcurrency) => {
  const site = await siteOf(({ pathname }) => {
    const month = Number(/^\/cal\/(\d+)$/.exec(pathname)?.[1] ?? 0);
    return pathname === "/" ? linkPage("Home", ["/cal/1"]) : linkPage("Month", [`/cal/${month + 1}`]);
  });
  const { paths, errors, status } = await crawl(world, {
    url: site.url("/"),
    sitemap: "skip",
    maxConcurrency,
  });
  expect(paths.filter((path) => path.startsWith("/cal/"))).toHaveLength(22);
  expect(errors).toEqual(["CRAWL_TRAP /cal/23"]);
  expect(status.warning).toBe(TRAPPED);
});

test("F-38 a long list is no trap while it brings news", async () => {
  const site = await siteOf(({ pathname, searchParams }) => {
    const number = Number(searchParams.get("page") ?? 1);
    if (pathname !== "/list") return linkPage(`Thing ${pathname}`, ["/list"]);
    const things = [1, 2, 3].map((thing) => `/thing/${number * 10 + thing}`);
    const next = `/list?page=${number + 1}`;
    return number <= 30 ? linkPage("List", [...things, next]) : linkPage("Nothing more", [next]);
  });
  const body = { url: site.url("/list"), sitemap: "skip", crawlEntireDomain: true };
  const { paths, status } = await crawl(world, body);
  expect(paths.filter((path) => path.startsWith("/thing/"))).toHaveLength(90);
  // Thirty with news, one that is new itself, and twenty-one that are not.
  expect(paths.filter((path) => path.startsWith("/list"))).toHaveLength(52);
  expect(status.warning).toBe(TRAPPED);
});

test("F-39 nesting, length and sessions", async () => {
  const deep = `/${"abcdefghijklm".split("").join("/")}`;
  const long = `/${"x".repeat(2050)}`;
  let session = 0;
  const site = await siteOf(({ pathname }) => {
    session += 1;
    if (pathname === "/") return linkPage("Home", ["/nest/", deep, long, "/state/"]);
    if (pathname.startsWith("/nest/")) return linkPage("Nest", ["nest/"]);
    return linkPage("State", [`/state/cart;jsessionid=${session}`, `/state/cart?sid=${session}`]);
  });
  const { paths, errors } = await crawl(world, { url: site.url("/"), sitemap: "skip" });
  expect(paths.map((path) => path.replace(/[;?].*/, ""))).toEqual([
    "/",
    "/nest/",
    "/nest/nest/",
    "/state/",
    "/state/cart",
  ]);
  // Long ones are dropped where they are found.
  const refused = [`CRAWL_TRAP ${deep}`, "CRAWL_TRAP /nest/nest/nest/"];
  expect(errors).toEqual(refused.toSorted());
});
