import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, expect, test } from "vitest";

import { crawl, openCrawlSite } from "../../crawls.ts";
import { KEYED, makeTeam } from "../../operator.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage, type Site } from "../../site.ts";
import { useWorld } from "../../use-world.ts";

const world = useWorld({ ...KEYED, HOST_CONCURRENCY: "50", TEAM_CONCURRENCY: "64", RATE_LIMIT: "off" });
let site: Site;

const LINKS = 400;

beforeAll(async () => {
  const paths = Array.from({ length: LINKS }, (_, index) => `/page/${index}`);
  site = await openCrawlSite({ "/": paths, "/gone": ["/broken/1", "/broken/2", ...paths] });
  for (const path of paths) site.page(path, htmlPage(`<h1>${path}</h1>`));
  for (const path of ["/broken/1", "/broken/2"]) site.page(path, (request) => request.socket.destroy());
});

function documentsOf(credits: number, data: readonly { metadata: { creditsUsed: number } }[]): void {
  expect(data.reduce((sum, { metadata }) => sum + metadata.creditsUsed, 0)).toBe(credits);
}

test.each([
  [1, 1000],
  [7, 50],
  [50, 50],
])("F-46 limit %i is exact with %i at once", async (limit, maxConcurrency) => {
  const team = await makeTeam(world, { credits: 1000 });
  const body = { url: site.url("/"), sitemap: "skip", maxConcurrency, limit };
  const { status, paths } = await crawl(world, body, team.headers);
  expect(status).toMatchObject({ status: "completed", completed: limit, total: limit, creditsUsed: limit });
  expect(paths).toHaveLength(limit);
  expect(await team.remaining()).toBe(1000 - limit);
});

test("F-46 pages that fail are replaced", async () => {
  const team = await makeTeam(world, { credits: 100 });
  const body = { url: site.url("/gone"), crawlEntireDomain: true, sitemap: "skip", limit: 7 };
  const { status } = await crawl(world, { ...body, maxConcurrency: 50 }, team.headers);
  expect(status).toMatchObject({ completed: 7, total: 7, creditsUsed: 7 });
  expect(await team.remaining()).toBe(93);
});

test("F-47 credits run out", async () => {
  const team = await makeTeam(world, { credits: 5 });
  const body = { url: site.url("/"), sitemap: "skip", maxConcurrency: 50 };
  const { status } = await crawl(world, body, team.headers);
  expect(status).toMatchObject({ status: "completed", completed: 5, creditsUsed: 5 });
  expect(status.warning).toBe("The limit was lowered to 5 by the remaining credits.");
  expect(await team.remaining()).toBe(0);
  documentsOf(5, status.data);
  const refused = await new RunClient(world, team.headers).ask("POST /v2/crawl", body);
  expect([refused.status, refused.body.code]).toEqual([402, "insufficient_credits"]);
});

test("F-47 pages that cost more than the limit foresaw end the crawl", async () => {
  const team = await makeTeam(world, { credits: 11 });
  // Pages of which nothing is kept cost two credits each.
  const body = { url: site.url("/"), sitemap: "skip", maxConcurrency: 3, zeroDataRetention: true };
  const { status, errors } = await crawl(world, body, team.headers);
  expect(status).toMatchObject({ status: "completed", completed: 5, creditsUsed: 10 });
  expect(await team.remaining()).toBe(1);
  expect(status.warning).toContain("Stopped: the credits are used up.");
  expect(errors.every((error) => error.startsWith("insufficient_credits "))).toBe(true);
  expect(errors.length).toBeGreaterThan(0);
  expect(status.total).toBe(status.completed);
});

test("F-24 crawls of other teams are not there", async () => {
  const [team, other] = [await makeTeam(world, { credits: 10 }), await makeTeam(world, { credits: 10 })];
  const { id } = await crawl(world, { url: site.url("/page/1") }, team.headers);
  const foreign = new RunClient(world, other.headers);
  for (const line of [`GET /v2/crawl/${id}`, `GET /v2/crawl/${id}/errors`, `DELETE /v2/crawl/${id}`]) {
    const { status, body } = await foreign.ask(line);
    expect([status, body.error]).toEqual([404, "Job not found"]);
  }
});

test("F-41 robots are passed by teams that may", async () => {
  const team = await makeTeam(world, { credits: 10 });
  const runs = new RunClient(world, team.headers);
  const body = { url: site.url("/page/1"), ignoreRobotsTxt: true };
  const refused = await runs.ask("POST /v2/crawl", body);
  expect([refused.status, refused.body.error]).toEqual([
    403,
    "ignoreRobotsTxt is not enabled for your team.",
  ]);
  const trusted = await makeTeam(world, { credits: 10, flags: { passRobots: true } });
  const { status } = await crawl(world, body, trusted.headers);
  expect(status.completed).toBe(1);
});

/** Every byte that the service has written. */
function written(folder: string): Buffer {
  const parts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));
  return Buffer.concat(parts);
}

test("F-52 zero retention", async () => {
  const team = await makeTeam(world, { credits: 10 });
  site.page("/secret-path", htmlPage('<h1>Secret of the page</h1><a href="/secret-path/next">x</a>'));
  site.page("/secret-path/next", htmlPage("<h1>Secret of the next</h1>"));
  const body = { url: site.url("/secret-path"), sitemap: "skip", zeroDataRetention: true };
  const { paths, status } = await crawl(world, body, team.headers);
  expect(paths).toEqual(["/secret-path", "/secret-path/next"]);
  expect(status.data[0]?.markdown).toContain("Secret of the page");
  expect(await team.remaining()).toBe(10 - status.creditsUsed);
  const bytes = written(world.dataDir);
  expect(bytes.includes("secret-path")).toBe(false);
  expect(bytes.includes("Secret of the")).toBe(false);
});

test("F-54 single scrapes beside a crawl", async () => {
  const team = await makeTeam(world, { credits: 1000 });
  const runs = new RunClient(world, team.headers);
  const body = { url: site.url("/"), sitemap: "skip", scrapeOptions: { maxAge: 0 } };
  const { body: started } = await runs.ask("POST /v2/crawl", body);
  const scrapes = Array.from({ length: 8 }, async (_, index) => {
    const startMs = performance.now();
    const { status } = await world.scrape({ url: site.url(`/page/${index}`), maxAge: 0 }, team.headers);
    return { status, isInTime: performance.now() - startMs <= 3000 };
  });
  expect(await Promise.all(scrapes)).toEqual(scrapes.map(() => ({ status: 200, isInTime: true })));
  await runs.ask(`DELETE /v2/crawl/${started.id}`);
});
