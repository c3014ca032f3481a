import { Firecrawl } from "firecrawl";
import { afterAll, beforeAll, expect, test } from "vitest";

import { htmlPage } from "../../site.ts";
import { RunClient } from "../../runs.ts";
import { openWorld, type World } from "../../world.ts";

let world: World;
let client: Firecrawl;
let runs: RunClient;

beforeAll(async () => {
  world = await openWorld({ HOST_CONCURRENCY: "50" });
  client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  runs = new RunClient(world);
});

afterAll(() => world.close());

let pages = 0;

/** Addresses of pages of their own. */
function somePages(count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    pages += 1;
    return world.site.page(`/page/${pages}`, htmlPage(`<main><h1>Page ${pages}</h1></main>`));
  });
}

test("F-11 batch by the JavaScript client", async () => {
  const urls = [...somePages(3)];
  const job = await client.batchScrape(urls, { options: { formats: ["markdown"] }, pollInterval: 1 });
  expect(job).toMatchObject({ status: "completed", total: 3, completed: 3, creditsUsed: 3 });
  expect(new Set(job.data.map(({ metadata }) => metadata?.sourceURL))).toEqual(new Set(urls));
  expect(job.data.every(({ markdown }) => markdown?.startsWith("# Page"))).toBe(true);
  expect(Date.parse(job.expiresAt ?? "")).toBeGreaterThan(Date.now());
  const started = await client.startBatchScrape(urls);
  const done = await runs.endedBatch(started.id);
  expect(done.data).toHaveLength(3);
});
