import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { uuidV7 } from "../../../packages/kit/src/uuid.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useWorld } from "../../use-world.ts";

const world = useWorld({ HOST_CONCURRENCY: "50", BATCH_MAX_URLS: "1000" });
let client: Firecrawl;
let runs: RunClient;

beforeAll(async () => {
  client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  runs = new RunClient(world);
});

let pages = 0;

/** Addresses of pages of their own. */
function somePages(count: number): string[] {
  return Array.from({ length: count }, () => {
    pages += 1;
    return world.site.page(`/page/${pages}`, htmlPage(`<main><h1>Page ${pages}</h1></main>`));
  });
}

/** A page that never answers. */
function hanging(): string {
  return world.site.page(`/hanging/${uuidV7()}`, () => undefined);
}

const start = (body: object) => runs.ask("POST /v2/batch/scrape", body);

test("F-11 batch by the JavaScript client", async () => {
  const urls = somePages(3);
  const job = await client.batchScrape(urls, { options: { formats: ["markdown"] }, pollInterval: 1 });
  expect(job).toMatchObject({ status: "completed", total: 3, completed: 3, creditsUsed: 3 });
  expect(new Set(job.data.map(({ metadata }) => metadata?.sourceURL))).toEqual(new Set(urls));
  expect(job.data.every(({ markdown }) => markdown?.startsWith("# Page"))).toBe(true);
  expect(Date.parse(job.expiresAt ?? "")).toBeGreaterThan(Date.now());
  const started = await client.startBatchScrape(urls);
  expect(started.url).toBe(`${world.baseUrl}/v2/batch/scrape/${started.id}`);
  await runs.endedBatch(started.id);
  expect((await client.getBatchScrapeStatus(started.id)).data).toHaveLength(3);
});

test("F-12 batch: invalid URLs", async () => {
  const [url = ""] = somePages(1);
  const invalid = ["", "mailto:a@b.test", "http://report.pdf", "ftp://a.test"];
  const mixed = await start({ urls: [invalid[0], url, ...invalid.slice(1)] });
  expect(mixed.body.invalidURLs).toEqual(invalid);
  expect((await runs.endedBatch(mixed.body.id)).total).toBe(1);
  expect((await start({ urls: [url] })).body.invalidURLs).toEqual([]);
  const strict = await start({ urls: [url, "ftp://a.test"], ignoreInvalidURLs: false });
  expect([strict.status, strict.body.details[0]?.path]).toEqual([400, ["urls", 1]]);
  expect((await start({ urls: [url], ignoreInvalidURLs: false })).body).not.toHaveProperty("invalidURLs");
  const none = await start({ urls: invalid });
  expect([none.status, none.body.error]).toEqual([400, "No valid URLs provided"]);
});

describe("F-13 batch: bad bodies", () => {
  const urls = ["https://a.test/"];

  test.each<readonly [string, object, readonly (string | number)[], string | undefined]>([
    ["no urls", {}, ["urls"], undefined],
    ["an empty list", { urls: [] }, ["urls"], "too_small"],
    ["too many", { urls: Array.from({ length: 1001 }, () => "https://a.test/") }, ["urls"], "too_big"],
    ["a number inside", { urls: ["https://a.test/", 1, 2] }, ["urls", 1], undefined],
    ["a key that nobody knows", { urls, url: "x" }, [], "unrecognized_keys"],
    ["an option out of bounds", { urls, waitFor: 60_001 }, ["waitFor"], undefined],
    ["two screenshots", { urls, formats: ["screenshot", { type: "screenshot" }] }, ["formats"], undefined],
    ["maxConcurrency 0", { urls, maxConcurrency: 0 }, ["maxConcurrency"], undefined],
    ["an appendToId that is no id", { urls, appendToId: "x" }, ["appendToId"], undefined],
    ["a null", { urls, webhook: null }, ["webhook"], undefined],
  ])("%s", async (_case, body, path, code) => {
    const { status, body: answer } = await start(body);
    expect([status, answer.code, answer.details[0]?.path]).toEqual([400, "BAD_REQUEST", path]);
    expect(answer.details[0]?.code).toBe(code ?? answer.details[0]?.code);
  });

  test("a list of numbers is told once", async () => {
    const { body } = await start({ urls: Array.from({ length: 1000 }, () => 1) });
    expect(body.details).toHaveLength(1);
  });
});

test("F-14 batch: same URL twice", async () => {
  const [url = ""] = somePages(1);
  const done = await runs.endedBatch(await runs.batch({ urls: [url, url], maxAge: 0 }));
  expect(done).toMatchObject({ total: 2, completed: 2, creditsUsed: 2 });
  const ids = done.data.map(({ metadata }) => metadata.scrapeId);
  expect(new Set(ids).size).toBe(2);
});

describe("F-15 batch: append", () => {
  test("goes on, with the new pages after the first", async () => {
    const first = somePages(2);
    const more = somePages(3);
    const id = await runs.batch({ urls: first });
    const before = await runs.endedBatch(id);
    const appended = await start({ urls: more, appendToId: id, formats: ["links"] });
    expect(appended.body.id).toBe(id);
    const after = await runs.endedBatch(id);
    expect(after).toMatchObject({ total: 5, completed: 5 });
    expect(after.data.slice(0, 2)).toEqual(before.data);
    expect(after.data.slice(2).every((document) => "links" in document)).toBe(true);
    expect(new Set(after.data.slice(2).map(({ metadata }) => metadata.sourceURL))).toEqual(new Set(more));
  });

  test("makes a completed batch run again, without an end", async () => {
    const id = await runs.batch({ urls: somePages(1) });
    await runs.endedBatch(id);
    await start({ urls: [hanging()], appendToId: id });
    const { body } = await runs.ask(`GET /v2/batch/scrape/${id}`);
    expect(body).toMatchObject({ status: "scraping", total: 2, completed: 1 });
    expect(body).not.toHaveProperty("completedAt");
    await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  });

  test("is refused where there is nothing to append to", async () => {
    const urls = somePages(1);
    const unknown = await start({ urls, appendToId: uuidV7() });
    expect([unknown.status, unknown.body.error]).toEqual([404, "Job not found"]);
    const id = await runs.batch({ urls: [hanging()] });
    await runs.ask(`DELETE /v2/batch/scrape/${id}`);
    const cancelled = await start({ urls, appendToId: id });
    expect([cancelled.status, cancelled.body.error]).toEqual([409, "Batch scrape was cancelled"]);
  });
});

test("F-20 batch: cancel", async () => {
  let asked = 0;
  const urls = Array.from({ length: 200 }, (_, index) =>
    world.site.page(`/slow/${index}`, (_request, response) => {
      asked += 1;
      setTimeout(() => response.end(htmlPage(`<h1>Slow ${index}</h1>`)), index < 2 ? 0 : 5000);
    }),
  );
  const { id } = await client.startBatchScrape(urls);
  await expect.poll(async () => (await runs.ask(`GET /v2/batch/scrape/${id}`)).body.completed).toBe(2);
  expect(await client.cancelBatchScrape(id)).toBe(true);
  const askedThen = asked;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toBe(askedThen);
  const { body } = await runs.ask(`GET /v2/batch/scrape/${id}`);
  expect(body).toMatchObject({ status: "cancelled", total: 200, completed: 2, creditsUsed: 2 });
  expect(body.data).toHaveLength(2);
  const again = await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  expect([again.status, again.body]).toEqual([200, { success: true, status: "cancelled" }]);
  const done = await runs.batch({ urls: somePages(1) });
  await runs.endedBatch(done);
  const late = await runs.ask(`DELETE /v2/batch/scrape/${done}`);
  expect([late.status, late.body]).toEqual([
    409,
    { success: false, error: "Batch scrape is already completed" },
  ]);
});

test("F-22 batch: errors", async () => {
  const nowhere = "http://127.0.0.1:1/nowhere";
  const { id } = await client.startBatchScrape([nowhere, ...somePages(1)]);
  const done = await runs.endedBatch(id);
  expect(done).toMatchObject({ status: "completed", total: 1, completed: 1, creditsUsed: 1 });
  const { errors, robotsBlocked } = await client.getBatchScrapeErrors(id);
  expect(robotsBlocked).toEqual([]);
  expect(errors).toMatchObject([{ url: nowhere, code: "SCRAPE_ALL_ENGINES_FAILED" }]);
  expect(errors[0]?.id).toMatch(/^[\da-f-]{36}$/);
  expect(Date.parse(errors[0]?.timestamp ?? "")).toBeLessThanOrEqual(Date.now());
});

test("F-23 batch: maxConcurrency", async () => {
  let [now, most] = [0, 0];
  const urls = Array.from({ length: 10 }, (_, index) =>
    world.site.page(`/counted/${index}`, (_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end(htmlPage("<h1>Counted</h1>"));
      }, 40);
    }),
  );
  const done = await runs.endedBatch(await runs.batch({ urls, maxConcurrency: 2 }));
  expect([done.completed, most]).toEqual([10, 2]);
});

test("F-26 status: times", async () => {
  const id = await runs.batch({ urls: [hanging()] });
  const { body: running } = await runs.ask(`GET /v2/batch/scrape/${id}`);
  expect(running).not.toHaveProperty("completedAt");
  expect(Date.parse(running.expiresAt)).toBe(Date.parse(running.createdAt) + 24 * 3600 * 1000);
  await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  const done = await runs.endedBatch(await runs.batch({ urls: somePages(1) }));
  expect(Date.parse(done.expiresAt)).toBe(Date.parse(done.completedAt) + 24 * 3600 * 1000);
  expect(done.duration).toBe((Date.parse(done.completedAt) - Date.parse(done.createdAt)) / 1000);
});

test("F-27 documents of jobs", async () => {
  const done = await runs.endedBatch(
    await runs.batch({ urls: somePages(1), formats: ["markdown", "html", "links"] }),
  );
  const [document] = done.data;
  for (const name of ["id", "url", "docId"]) expect(document).not.toHaveProperty(name);
  expect(document).toMatchObject({ markdown: expect.any(String), html: expect.any(String), links: [] });
  const { body } = await world.get(`/v2/scrape/${document?.metadata.scrapeId ?? ""}`);
  expect(body.data).toEqual(document);
});

describe("F-40 of the site's answers", () => {
  test("404 and 500 are documents", async () => {
    const urls = [404, 500].map((status) =>
      world.site.page(`/status/${status}`, (_request, response) =>
        response.writeHead(status, { "content-type": "text/html" }).end(htmlPage("<h1>No</h1>")),
      ),
    );
    const done = await runs.endedBatch(await runs.batch({ urls }));
    expect(new Set(done.data.map(({ metadata }) => metadata.statusCode))).toEqual(new Set([404, 500]));
  });

  test("429 and 503 with Retry-After are tried again, and come", async () => {
    const asked = { 429: 0, 503: 0 };
    const urls = ([429, 503] as const).map((status) =>
      world.site.page(`/busy/${status}`, (_request, response) => {
        asked[status] += 1;
        if (asked[status] > 2) return response.end(htmlPage("<h1>Here</h1>"));
        return response.writeHead(status, { "retry-after": "0" }).end();
      }),
    );
    const done = await runs.endedBatch(await runs.batch({ urls }));
    expect(done).toMatchObject({ completed: 2, creditsUsed: 2 });
    expect(done.data.every(({ metadata }) => metadata.statusCode === 200)).toBe(true);
    expect(asked).toEqual({ 429: 3, 503: 3 });
  });
});
