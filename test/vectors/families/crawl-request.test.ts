import { Firecrawl } from "firecrawl";
import { beforeAll, expect, test } from "vitest";

import { crawl, openCrawlSite } from "../../crawls.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage, type Site } from "../../site.ts";
import { useWorld } from "../../use-world.ts";

const world = useWorld({ HOST_CONCURRENCY: "50" });
let client: Firecrawl;
let runs: RunClient;
let site: Site;

beforeAll(async () => {
  client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  runs = new RunClient(world);
  site = await openCrawlSite({
    "/": ["/a", "/b", "/missing", "/gone"],
    "/a": ["/b", "/"],
    "/b": [],
    "/gone": (request) => request.socket.destroy(),
  });
});

/** A page whose answer never comes. */
function hangingPage(path: string): string {
  return site.page(path, () => undefined);
}

test("F-28 crawl by the JavaScript client", async () => {
  const pages = ["/", "/a", "/b", "/missing"].map((path) => site.url(path));
  const job = await client.crawl(site.url("/"), { sitemap: "skip", pollInterval: 1 });
  expect(job).toMatchObject({ status: "completed", total: 4, completed: 4, creditsUsed: 4 });
  expect(job.data.map(({ metadata }) => String(metadata?.sourceURL)).toSorted()).toEqual(pages);
  expect(job.data.every(({ markdown }) => markdown !== undefined)).toBe(true);
  const started = await client.startCrawl(site.url("/"), {
    sitemap: "skip",
    limit: 2,
    scrapeOptions: { formats: ["links"] },
  });
  await runs.ended(`/v2/crawl/${started.id}`);
  const status = await client.getCrawlStatus(started.id);
  expect(status.data).toHaveLength(2);
  expect(status.data[0]?.links).toContain(site.url("/a"));
  const whole = await client.startCrawl(site.url("/"), { sitemap: "skip" });
  await runs.ended(`/v2/crawl/${whole.id}`);
  const { errors, robotsBlocked } = await client.getCrawlErrors(whole.id);
  expect(errors).toEqual([
    expect.objectContaining({ url: site.url("/gone"), error: expect.any(String), code: expect.any(String) }),
  ]);
  expect(robotsBlocked).toEqual([]);
});

test.each([
  [{ nope: 1 }, [], ["nope"]],
  [{ scrapeOptions: { nope: 1 } }, ["scrapeOptions"], ["nope"]],
  [{ webhook: { url: "https://a.test", nope: 1 } }, ["webhook"], ["nope"]],
])("F-29 unknown keys are named: %j", async (body, path, keys) => {
  const { status, body: answer } = await runs.ask("POST /v2/crawl", { url: site.url("/"), ...body });
  expect([status, answer.error]).toEqual([400, expect.stringMatching(/^Unrecognized key in body/)]);
  expect(answer.details[0]).toMatchObject({ code: "unrecognized_keys", path, keys });
});

test.each([
  [{ limit: 0 }, ["limit"]],
  [{ limit: 1.5 }, ["limit"]],
  [{ limit: 1_000_001 }, ["limit"]],
  [{ limit: "5" }, ["limit"]],
  [{ maxDiscoveryDepth: -1 }, ["maxDiscoveryDepth"]],
  [{ delay: 61 }, ["delay"], "The delay parameter is measured in seconds and cannot exceed 60 seconds."],
  [{ maxConcurrency: 0 }, ["maxConcurrency"]],
  [{ sitemap: "x" }, ["sitemap"]],
  [{ includePaths: ["("] }, ["includePaths", 0]],
  [{ excludePaths: ["ok", "(?!x)"] }, ["excludePaths", 1]],
  [{ includePaths: [String.raw`(a)\1`] }, ["includePaths", 0]],
  [
    { includePaths: ["x".repeat(2001)] },
    ["includePaths", 0],
    "Each includePaths/excludePaths pattern must be at most 2000 characters.",
  ],
  [{ includePaths: Array.from({ length: 1001 }, () => "a") }, ["includePaths"]],
  [
    {
      includePaths: Array.from({ length: 501 }, () => "a"),
      excludePaths: Array.from({ length: 501 }, () => "a"),
    },
    ["includePaths"],
  ],
  [{ scrapeOptions: { lockdown: true } }, ["scrapeOptions", "lockdown"], "lockdown is not supported here."],
  [{ scrapeOptions: { waitFor: -1 } }, ["scrapeOptions", "waitFor"]],
  [{ url: "" }, ["url"]],
  [{ url: undefined }, ["url"]],
  [{ origin: 5 }, ["origin"]],
])(
  "F-29 what cannot be crawled is refused with its place (case %#)",
  async (body, path, message?: string) => {
    const { status, body: answer } = await runs.ask("POST /v2/crawl", { url: site.url("/"), ...body });
    expect([status, answer.details[0]?.path]).toEqual([400, path]);
    expect(answer.error).toBe(message ?? answer.error);
  },
);

test("F-30 what clients send is accepted", async () => {
  const python = {
    excludePaths: [],
    includePaths: [],
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
    crawlEntireDomain: false,
    allowSubdomains: false,
    allowExternalLinks: false,
    ignoreRobotsTxt: false,
    regexOnFullURL: false,
    zeroDataRetention: false,
    sitemap: "include",
    origin: "python-sdk",
  };
  const n8n = { ignoreSitemap: true, prompt: "", integration: "n8n", limit: 1 };
  const others = { delay: 0, scrapeOptions: { domainTools: true, formats: ["markdown"] }, integration: null };
  for (const body of [python, n8n, others]) {
    const result = await crawl(world, { url: site.url("/b"), ...body });
    expect(result.status).toMatchObject({ status: "completed", completed: 1 });
  }
  const asked = site.hits("/sitemap.xml").length;
  await crawl(world, { url: site.url("/b"), ignoreSitemap: true });
  expect(site.hits("/sitemap.xml")).toHaveLength(asked);
});

test("F-49 active crawls", async () => {
  const url = hangingPage("/waits");
  const webhook = { url: "https://receiver.test/", headers: { Authorization: "secret-of-the-receiver" } };
  const { body: started } = await runs.ask("POST /v2/crawl", { url, webhook, limit: 7 });
  const listed = { id: started.id, teamId: expect.any(String), url };
  const { crawls } = await client.getActiveCrawls();
  expect(crawls).toEqual([expect.objectContaining(listed)]);
  const { body, text } = await runs.ask("GET /v2/crawl/ongoing");
  expect(body).toMatchObject({
    success: true,
    crawls: [
      {
        ...listed,
        status: "scraping",
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        options: { limit: 7, sitemap: "include", allowSubdomains: false, scrapeOptions: {} },
      },
    ],
  });
  expect(text).not.toContain("secret-of-the-receiver");
  expect(await client.cancelCrawl(started.id)).toBe(true);
  expect((await client.getActiveCrawls()).crawls).toEqual([]);
});

test("F-48 cancel", async () => {
  const pages = Array.from({ length: 200 }, (_, index) => `/slow/${index}`);
  for (const path of pages) {
    site.page(path, (_request, response) => setTimeout(() => response.end("<h1>Slow</h1>"), 300));
  }
  site.page("/slow", htmlPage(pages.map((path) => `<a href="${path}">x</a>`).join("")));
  const { id } = await client.startCrawl(site.url("/slow"), { sitemap: "skip", maxConcurrency: 4 });
  const asked = () => pages.filter((path) => site.hits(path).length > 0).length;
  while (asked() < 6) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await client.cancelCrawl(id)).toBe(true);
  const then = asked();
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(asked()).toBe(then);
  const status = await client.getCrawlStatus(id);
  expect(status.status).toBe("cancelled");
  expect(status.data.length).toBe(status.completed);
  expect(status.creditsUsed).toBe(status.completed);
  expect((await runs.ask(`DELETE /v2/crawl/${id}`)).body).toEqual({ success: true, status: "cancelled" });
  const { id: done } = await crawl(world, { url: site.url("/b") });
  const again = await runs.ask(`DELETE /v2/crawl/${done}`);
  expect([again.status, again.body.error]).toEqual([409, "Crawl is already completed"]);
});

test("F-50 prompt and preview without a model", async () => {
  const asked = await runs.ask("POST /v2/crawl", { url: site.url("/"), prompt: "Only the blog" });
  expect([asked.status, asked.body.error]).toEqual([
    400,
    expect.stringMatching(/^Failed to process natural language prompt\. .*LLM_BASE_URL/),
  ]);
  const without = await runs.ask("POST /v2/crawl/params-preview", { url: site.url("/") });
  expect([without.status, without.body.details[0]?.path]).toEqual([400, ["prompt"]]);
  const preview = await runs.ask("POST /v2/crawl/params-preview", { url: site.url("/"), prompt: "Blog" });
  expect([preview.status, preview.body.error]).toEqual([503, expect.stringContaining("LLM_BASE_URL")]);
  await expect(client.crawlParamsPreview(site.url("/"), "Blog")).rejects.toThrow("LLM_BASE_URL");
});

test("F-24 ids of crawls", async () => {
  const { id } = await crawl(world, { url: site.url("/b") });
  const asBatch = await runs.ask(`GET /v2/batch/scrape/${id}`);
  expect([asBatch.status, asBatch.body.error]).toEqual([404, "Job not found"]);
  const unknown = await runs.ask("GET /v2/crawl/0199d2a4-7c1e-7000-8000-000000000000");
  expect([unknown.status, unknown.body.error]).toEqual([404, "Job not found"]);
  const bad = await runs.ask("GET /v2/crawl/nonsense");
  expect([bad.status, bad.body.error]).toEqual([400, "Invalid job ID format. Job ID must be a valid UUID."]);
});

test("F-59 the JavaScript watcher has every document of a crawl once, and its end", async () => {
  const { id } = await client.startCrawl(site.url("/"), { sitemap: "skip" });
  const watcher = client.watcher(id, { kind: "crawl", pollInterval: 1 });
  const documents: unknown[] = [];
  watcher.on("document", (document: unknown) => documents.push(document));
  const ended = new Promise((resolve) => watcher.on("done", resolve));
  await watcher.start();
  expect(await ended).toMatchObject({ status: "completed" });
  expect(documents).toHaveLength(4);
});
