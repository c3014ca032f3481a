import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { givenAddress } from "../../src/contract/address.ts";
import { callerOf } from "../../src/accounts/callers.ts";
import { type App, openApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { insertCrawl, reserveNumbers } from "../../src/families/crawl/crawl-rows.ts";
import { insertUrls, keyOf } from "../../src/families/crawl/frontier.ts";
import { openLog } from "../../src/kit/log/log.ts";
import { openDatabase } from "../../src/platform/database/drivers.ts";
import { startJob } from "../../src/scrape/request/job.ts";
import { runScrape } from "../../src/scrape/run.ts";
import type { Figure } from "./report.ts";

/** Single scrapes and crawls take turns: what else this machine does falls on both. */
const ROUNDS = 5;
export const PAGES = 2000;
export const AT_ONCE = 10;
const LINKS = 20;
const FRONTIER_URLS = 1_000_000;
const SLICE = 1000;
const MEGABYTE = 1024 * 1024;

/** A crawled page against the same page as a single scrape, in one process, and how large a frontier is. */
export async function benchCrawls(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-crawls-"));
  const site = await startSite();
  const config = readConfig({
    DATA_DIR: join(folder, "data"),
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.1",
    LOG_LEVEL: "silent",
    HOST_CONCURRENCY: "50",
    TEAM_CONCURRENCY: "64",
    RATE_LIMIT: "off",
  });
  const app = await openApp(config, await openLog(config.logging));
  try {
    const service = await app.server.listen({ host: "127.0.0.1", port: 0 });
    const work = { service, site: siteUrl(site), app };
    await scrapeAll(work, 200);
    return [...(await comparePages(work)), ...(await benchFrontier(folder))];
  } finally {
    await app.close();
    site.closeAllConnections();
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly service: string;
  readonly site: string;
  readonly app: App;
}

interface Spent {
  readonly cpuMs: number;
  readonly seconds: number;
  readonly grownBytes: number;
}

async function comparePages(work: Work): Promise<readonly Figure[]> {
  const rounds: { readonly single: Spent; readonly crawled: Spent }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await measure(() => scrapeAll(work, PAGES));
    rounds.push({ single, crawled: await measure(() => crawlAll(work)) });
  }
  const pages = ROUNDS * PAGES;
  const each = median(rounds.map(({ crawled }) => crawled.cpuMs / PAGES));
  const moreMs = median(rounds.map(({ single, crawled }) => (crawled.cpuMs - single.cpuMs) / PAGES));
  const ratio = median(rounds.map(({ single, crawled }) => single.seconds / crawled.seconds));
  const perSecond = median(rounds.map(({ crawled }) => PAGES / crawled.seconds));
  const grownBytes = rounds.reduce((sum, { crawled }) => sum + crawled.grownBytes, 0);
  return [
    {
      name: `processor time of a crawled page (${each.toFixed(2)} ms) beyond a single scrape`,
      value: `${moreMs.toFixed(2)} ms`,
      limit: "<= 1.5 ms",
      isMet: moreMs <= 1.5,
    },
    {
      name: `pages per second of a crawl (${perSecond.toFixed(0)}) against single scrapes without HTTP, ${AT_ONCE} at once`,
      value: `× ${ratio.toFixed(2)}`,
      limit: ">= × 0.9",
      isMet: ratio >= 0.9,
    },
    {
      name: `memory that ${pages.toLocaleString("en")} crawled pages leave`,
      value: `${(grownBytes / MEGABYTE).toFixed(0)} MB`,
      limit: "<= 60 MB",
      isMet: grownBytes <= 60 * MEGABYTE,
    },
  ];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(work: () => Promise<void>): Promise<Spent> {
  const [startMs, cpu, bytes] = [performance.now(), process.cpuUsage(), process.memoryUsage.rss()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    cpuMs: (user + system) / 1000,
    seconds: (performance.now() - startMs) / 1000,
    grownBytes: process.memoryUsage.rss() - bytes,
  };
}

async function post(url: string, body: object): Promise<{ readonly id: string }> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as { readonly id: string };
}

/** Without HTTP: what a client takes is not counted. */
async function scrapeAll({ site, app }: Work, pages: number): Promise<void> {
  const { services, accounts } = app;
  const caller = callerOf(accounts.team);
  const { signal } = new AbortController();
  let next = 0;
  const scrape = async () => {
    while (next < pages) {
      next += 1;
      const planned = services.plan({ url: `${site}/page/${next}`, maxAge: 0 });
      await runScrape(startJob(planned, { caller, linkBase: "" }), services, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, scrape));
}

export async function crawlAll({ service, site }: Pick<Work, "service" | "site">): Promise<void> {
  const body = {
    url: `${site}/page/1`,
    crawlEntireDomain: true,
    sitemap: "skip",
    limit: PAGES,
    maxConcurrency: AT_ONCE,
    scrapeOptions: { maxAge: 0 },
  };
  const { id } = await post(`${service}/v2/crawl`, body);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const response = await fetch(`${service}/v2/crawl/${id}?limit=1&skip=1000000`);
    const { status, completed } = (await response.json()) as { status: string; completed: number };
    if (status === "scraping") continue;
    if (completed !== PAGES) throw new Error(`The crawl made ${completed} of ${PAGES} pages.`);
    return;
  }
}

/** Pages of a site, each with links to others and a few hundred words. */
export async function startSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 1);
    const links = Array.from({ length: LINKS }, (_, index) => {
      const linked = ((number * LINKS + index) % PAGES) + 1;
      return `<li><a href="/page/${linked}">Page ${linked}</a></li>`;
    });
    const text = `<p>Page ${number} has a text of its own, with some words that say nothing at all.</p>`;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1>${text.repeat(10)}</main><ul>${links.join("")}</ul></body></html>`,
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

export function siteUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** URLs of a hundred characters, with all indexes. */
async function benchFrontier(folder: string): Promise<readonly Figure[]> {
  const path = join(folder, "frontier.db");
  const database = await openDatabase(`sqlite:${path}`);
  await database.migrate();
  const site = { siteUrl: "https://shop.test/", limit: FRONTIER_URLS, delayMs: 0, isByLevel: false };
  const crawl = await database.transaction((inside) =>
    insertCrawl(inside, { runId: "run", teamId: "team", ...site }),
  );
  const beforeBytes = process.memoryUsage.rss();
  for (let from = 0; from < FRONTIER_URLS; from += SLICE) {
    const urls = Array.from({ length: SLICE }, (_, order) => {
      const url = givenAddress(`https://shop.test/${String(from + order).padEnd(82, "x")}`);
      return { order, url, identity: keyOf(url), depth: 3, chain: 0 };
    });
    await database.transaction(async (inside) =>
      insertUrls(inside, crawl, await reserveNumbers(inside, crawl, SLICE), urls),
    );
  }
  const grownBytes = process.memoryUsage.rss() - beforeBytes;
  await database.close();
  const { size } = await stat(path);
  const urls = `${FRONTIER_URLS.toLocaleString("en")} URLs of 100 characters`;
  return [
    {
      name: `frontier of ${urls}, indexes included`,
      value: `${(size / MEGABYTE).toFixed(0)} MB`,
      limit: "<= 300 MB",
      isMet: size <= 300 * MEGABYTE,
    },
    {
      name: `memory that writing a frontier of ${urls} leaves`,
      value: `${(grownBytes / MEGABYTE).toFixed(0)} MB`,
      limit: "<= 50 MB",
      isMet: grownBytes <= 50 * MEGABYTE,
    },
  ];
}
