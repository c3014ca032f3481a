import { Firecrawl } from "firecrawl";
import { beforeAll, expect, test } from "vitest";

import { listenDns } from "../../../packages/server/src/net/loopback.suite.ts";
import { linkPage, openCrawlSite } from "../../crawls.ts";
import { KEYED, makeTeam, operate } from "../../operator.ts";
import { RunClient } from "../../runs.ts";
import type { Site } from "../../site.ts";
import { openWorld, type World } from "../../world.ts";

const NOWHERE = "http://127.0.0.1:1/";

let world: World;
let site: Site;
let nameServer: string;

/** An answer to a map; a test that reads a member that is not there fails. */
interface MapAnswer {
  readonly success: boolean;
  readonly id: string;
  readonly links: readonly { readonly url: string }[];
  readonly warning: string;
  readonly error: string;
  readonly code: string;
}

beforeAll(async () => {
  nameServer = await listenDns((name, type) =>
    type === "A" && /(^|\.)(shop|other)\.test$/.test(name) ? ["127.0.0.1"] : undefined,
  );
  world = await openWorld({ ...KEYED, AUTH: "open", DNS_SERVERS: nameServer });
  site = await openCrawlSite({
    "/": ["/tea-pots", "/tea", "/coffee?size=1", "/coffee?size=2", "/private", "/docs/a"],
    "/docs": ["/docs/a", "/docsx", "/tea"],
    "/docs/a": [],
    "/alone": ["/tea"],
    "/hangs": () => undefined,
  });
  site.page("/robots.txt", (_request, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /private\n"),
  );
  site.page("/sitemap.xml", (_request, response) => {
    const urls = ["/tea", "/listed"].map((path) => `<url><loc>${site.url(path)}</loc></url>`);
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(`<?xml version="1.0"?><urlset>${urls.join("")}</urlset>`);
  });
});

async function map(body: Readonly<Record<string, unknown>>, asker: RunClient = new RunClient(world)) {
  const { status, body: answer } = await asker.ask("POST /v2/map", { useIndex: false, ...body });
  return { status, body: answer as unknown as MapAnswer };
}

async function pathsOf(body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { status, body: answer } = await map(body);
  expect(status).toBe(200);
  return answer.links.map(({ url }) => url.replace(site.url(""), ""));
}

const WHOLE = ["/", "/tea", "/listed", "/tea-pots", "/coffee", "/private", "/docs/a"];

test("F-1 map by the JavaScript client", async () => {
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const { id, links } = await client.map(site.url("/"));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  const urls = links.map(({ url }) => url.replace(site.url(""), ""));
  expect(urls.toSorted()).toEqual(WHOLE.toSorted());
});

test("F-2 map: search ranks", async () => {
  const paths = await pathsOf({ url: site.url("/"), search: "tea pots" });
  expect(paths[0]).toBe("/tea-pots");
  expect(paths.toSorted()).toEqual(WHOLE.toSorted());
});

test("F-3 map: limit, query, patterns", async () => {
  const url = site.url("/");
  expect(await pathsOf({ url, limit: 3 })).toEqual(WHOLE.slice(0, 3));
  const coffees = async (more: object) =>
    (await pathsOf({ url, ...more })).filter((path) => path.startsWith("/coffee"));
  expect(await coffees({ ignoreQueryParameters: true })).toEqual(["/coffee"]);
  expect(await coffees({ ignoreQueryParameters: false })).toEqual(["/coffee?size=1", "/coffee?size=2"]);
  expect(await pathsOf({ url, includePaths: ["^/tea"], excludePaths: ["pots$"] })).toEqual(["/tea"]);
  const wholeUrl = { ignoreQueryParameters: false, includePaths: ["size=2$"], regexOnFullURL: true };
  expect(await pathsOf({ url, ...wholeUrl })).toEqual(["/coffee?size=2"]);
});

test("F-4 map: sitemap only, skip", async () => {
  expect(await pathsOf({ url: site.url("/"), sitemap: "only" })).toEqual(["/tea", "/listed"]);
  const asked = site.hits("/sitemap.xml").length;
  expect(await pathsOf({ url: site.url("/"), sitemap: "skip", ignoreCache: true })).not.toContain("/listed");
  expect(site.hits("/sitemap.xml")).toHaveLength(asked);
});

test("F-5 map: subdomains", async () => {
  const at = (host: string, path: string) => site.url(path).replace("127.0.0.1", host);
  const links = ["shop.test", "www.shop.test", "blog.shop.test", "other.test"].map((host, index) =>
    at(host, `/${index}`),
  );
  site.page("/hosts", linkPage("Hosts", links));
  const body = { url: at("shop.test", "/hosts"), sitemap: "skip", filterByPath: false };
  const found = async (more: object) => (await map({ ...body, ...more })).body.links.map(({ url }) => url);
  const [bare = "", www = "", blog = ""] = links;
  expect(await found({ includeSubdomains: true })).toEqual([body.url, bare, www, blog]);
  expect(await found({ includeSubdomains: false })).toEqual([body.url, bare, www]);
});

test("F-6 map: below a path", async () => {
  const url = site.url("/docs");
  expect(await pathsOf({ url, sitemap: "skip" })).toEqual(["/docs", "/docs/a"]);
  const wide = await pathsOf({ url, sitemap: "skip", filterByPath: false });
  expect(wide).toEqual(["/docs", "/docs/a", "/docsx", "/tea"]);
  const { body } = await map({ url: site.url("/alone"), sitemap: "skip" });
  expect(body.links).toHaveLength(1);
  expect(body.warning).toBe(
    "Only 1 result(s) found. For broader coverage, try mapping the base domain: 127.0.0.1",
  );
  const { body: wanted } = await map({ url: site.url("/alone"), sitemap: "skip", limit: 1 });
  expect(wanted).not.toHaveProperty("warning");
});

test.each<readonly [string, object, readonly (string | number)[], string]>([
  ["an unknown key", { unknown: 1 }, [], "unrecognized_keys"],
  ["limit 0", { limit: 0 }, ["limit"], "too_small"],
  ["limit 100,001", { limit: 100_001 }, ["limit"], "too_big"],
  ["a limit in words", { limit: "5" }, ["limit"], "invalid_type"],
  ["another sitemap", { sitemap: "x" }, ["sitemap"], "invalid_value"],
  ["no URL", { url: undefined }, ["url"], "invalid_type"],
  ["a timeout below 0", { timeout: -1 }, ["timeout"], "too_small"],
  ["a pattern that does not end", { includePaths: ["("] }, ["includePaths", 0], "custom"],
  ["a pattern that looks ahead", { excludePaths: ["a", "(?!b)"] }, ["excludePaths", 1], "custom"],
  ["a long pattern", { includePaths: ["x".repeat(2001)] }, ["includePaths", 0], "custom"],
  ["too many patterns", { includePaths: Array(1001).fill("x") }, ["includePaths"], "too_big"],
])("F-7 map: bad bodies: %s", async (_name, changes, path, code) => {
  const body = { url: site.url("/"), ...changes };
  const { status, body: answer } = await new RunClient(world).ask("POST /v2/map", body);
  expect([status, answer.code]).toEqual([400, "BAD_REQUEST"]);
  expect(answer.details[0]).toMatchObject({
    path,
    code,
    ...(code === "unrecognized_keys" && { keys: ["unknown"] }),
  });
});

test("F-8 map: failures", async () => {
  expect(await map({ url: NOWHERE })).toMatchObject({ status: 500, body: { code: "MAP_FAILED" } });
  const late = { url: site.url("/hangs"), sitemap: "skip", timeout: 1000 };
  expect(await map(late)).toMatchObject({ status: 408, body: { code: "MAP_TIMEOUT" } });
  expect(await pathsOf({ url: site.url("/missing"), sitemap: "skip" })).toEqual(["/missing"]);
});

test("F-9 map: all keys of the public schema", async () => {
  const paths = await pathsOf({
    url: site.url("/"),
    maxDiscoveryDepth: 1,
    crawlEntireDomain: true,
    allowExternalLinks: false,
    allowSubdomains: true,
    ignoreRobotsTxt: false,
    robotsUserAgent: "x",
    deduplicateSimilarURLs: false,
    delay: 1,
    useIndex: false,
    headers: { "x-a": "b" },
    useMock: "none",
    location: { country: "DE" },
    origin: "api",
    integration: null,
    search: "",
    filterByPath: false,
  });
  expect(paths).toContain("/private");
});

test("F-10 map: credits", async () => {
  const keyed = await openWorld(KEYED);
  try {
    const team = await makeTeam(keyed, { credits: 1 });
    const asker = new RunClient(keyed, team.headers);
    expect(await map({ url: NOWHERE }, asker)).toMatchObject({ status: 500 });
    expect(await team.remaining()).toBe(1);
    expect(await map({ url: site.url("/") }, asker)).toMatchObject({ status: 200 });
    expect(await team.remaining()).toBe(0);
    const { body } = await operate(keyed, `GET requests?team=${team.teamId}`);
    expect(body.data.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ["completed", null],
      ["failed", "MAP_FAILED"],
    ]);
    const refused = await map({ url: site.page("/unpaid", "") }, asker);
    expect(refused).toMatchObject({ status: 402, body: { code: "insufficient_credits" } });
    expect(site.hits("/unpaid")).toEqual([]);
  } finally {
    await keyed.close();
  }
});

test("F-100 rates: the fourth map of a team with three a minute is refused", async () => {
  const { RATE_LIMIT: _off, ...limited } = KEYED;
  const keyed = await openWorld(limited);
  try {
    const team = await makeTeam(keyed, { credits: 100, limits: { requestsPerMinute: 3 } });
    const asker = new RunClient(keyed, team.headers);
    for (let count = 0; count < 3; count += 1) {
      expect(await map({ url: site.url("/") }, asker)).toMatchObject({ status: 200 });
    }
    const response = await fetch(`${keyed.baseUrl}/v2/map`, {
      method: "POST",
      headers: team.headers,
      body: JSON.stringify({ url: site.url("/") }),
    });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([429, ["error"]]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await keyed.close();
  }
});
