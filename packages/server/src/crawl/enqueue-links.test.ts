import { givenAddress } from "@pergamon-dev/kit/address";
import { afterEach, beforeEach, expect, test } from "vitest";

import { STOPPED } from "../jobs/page-rows.ts";
import type { JobStore } from "../jobs/job-store.ts";
import { getJob, type Job } from "../jobs/job-rows.ts";
import { JobsWorld } from "../jobs/service.suite.ts";
import type { Database } from "../storage/database/database.ts";
import { admitAhead } from "./enqueue-links.ts";
import { crawl as kind } from "./crawl.ts";
import type { CrawlTask } from "./page.ts";
import type { SortedLinks, WantedLink } from "./url-policy.ts";
import { countUrls, type Crawl, insertCrawl, insertUrls, keyOf } from "./frontier.ts";

const NEVER = new AbortController().signal;
const PAGE = { depth: 0, chain: 0, shape: "/", textHash: "text", hasLedToNew: false };

const OPTIONS = Buffer.from(
  JSON.stringify({ url: "http://site.test/", scrapeOptions: {}, zeroDataRetention: false, origin: "api" }),
).toString("base64");

let world: JobsWorld;
let database: Database;
let store: JobStore;
let crawl: Crawl;
/** Rows that each transaction has added or changed. */
let written: number[];

beforeEach(async () => {
  world = await JobsWorld.open();
  const { dispatcher, process, start } = await world.openService();
  database = process.database;
  await start({ id: "run", options: OPTIONS }, 1);
  const crawlOf = {
    jobId: "run",
    teamId: "team",
    siteUrl: "http://site.test/",
    delayMs: 0,
    isByLevel: false,
  };
  crawl = await database.transaction((tx) => insertCrawl(tx, { ...crawlOf, limit: 1 }));
  written = [];
  store = { database: counting(database), dispatcher } as JobStore;
});

afterEach(() => world.close());

function counting(whole: Database): Database {
  const count = async (sql: string) => (await whole.prepared<{ count: number }>(sql).get())?.count ?? 0;
  const countAll = async () =>
    (await count("SELECT COUNT(*) AS count FROM crawl_urls")) +
    (await count("SELECT COUNT(*) AS count FROM job_errors"));
  return {
    ...whole,
    prepared: whole.prepared.bind(whole),
    async transaction(work) {
      const before = await countAll();
      const result = await whole.transaction(work);
      written.push((await countAll()) - before);
      return result;
    },
  };
}

function links(count: number): readonly WantedLink[] {
  return Array.from({ length: count }, (_, order) => {
    const url = givenAddress(`http://site.test/${order}`);
    return { order, url, identity: keyOf(url), shape: "/#" };
  });
}

async function runNow(): Promise<Job> {
  const job = await getJob(database, "run");
  if (!job) throw new Error("There is no run.");
  return job;
}

const admit = async (sorted: SortedLinks) =>
  admitAhead(PAGE, sorted, { crawl, task: { job: await runNow() } as CrawlTask["task"], store });

test("links of a page are written 500 at once, and the last with the end of the page", async () => {
  const { left } = await admit({ wanted: links(1700), refused: [] });
  expect(written).toEqual([500, 500, 500]);
  expect(left.wanted).toHaveLength(200);
});

test("no more wait than 20 for each document that there may be, and 10,000; others are counted", async () => {
  const before = await runNow();
  await admit({ wanted: links(12_000), refused: [] });
  expect(await countUrls(database, crawl)).toBe(10_020);
  expect((await runNow()).total - before.total).toBe(11_500);
});

test("addresses that robots.txt forbids are written as far as clients are shown them", async () => {
  const refusals = (from: number) =>
    links(from + 10_000)
      .slice(from)
      .map((link) => ({ ...link, why: "robots" as const }));
  for (const from of [0, 10_000, 20_000]) await admit({ wanted: [], refused: refusals(from) });
  expect(Math.max(...written)).toBeLessThanOrEqual(200);
  const blocked = await database.prepared("SELECT COUNT(*) AS count FROM job_errors").get();
  expect(blocked).toEqual({ count: 20_000 });
});

test("without credits the addresses that wait are reported 500 at once, by a step of its own", async () => {
  crawl = { ...crawl, limit: 2000 };
  await database.transaction(async (tx) => {
    await tx.prepared("UPDATE crawls SET page_limit = 2000, stage = 'pages'").run();
    const urls = links(1300).map((link) => ({ ...link, depth: 1, chain: 0 }));
    for (let from = 0; from < urls.length; from += 500)
      await insertUrls(tx, crawl, 0, urls.slice(from, from + 500));
  });
  const secrets = { seal: (content: Uint8Array) => content, open: (content: Uint8Array) => content };
  const family = kind.open({ secrets } as never, {} as never).handlerIn(store);
  const run = { ...(await runNow()), warnings: [STOPPED] };
  const tasks = await database.transaction((tx) => family.next(tx, run, 1));
  expect(written).toEqual([]);
  for (const { payload } of tasks)
    await family.run({ job: run, payload, attempt: 1, signal: NEVER, end: async () => undefined });
  expect(written).toEqual([500, 500, 300, 0, 0]);
  expect(await database.transaction((tx) => family.next(tx, run, 1))).toEqual([]);
});
