import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { givenAddress } from "../../packages/kit/src/address.ts";
import { insertCrawl, insertUrls, keyOf, reserveNumbers } from "../../packages/server/src/crawl/frontier.ts";
import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

/** Single scrapes and crawls take turns: what else this machine does falls on both. */
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const PAGES = Number(process.env["BENCH_PAGES"] ?? 2000);
const AT_ONCE = 16;
const LINKS = 38;
/** With the links, a page has 6.5 KB. */
const PARAGRAPHS = 50;
const FRONTIER_URLS = 1_000_000;
const SLICE = 1000;
const LOOK_MS = 100;
const MEGABYTE = 1024 * 1024;

/** A crawl against the same pages as requests, in a service of its own, and how large a frontier is. */
export async function benchCrawl(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-crawl-"));
  const site = await startSite();
  const service = await startService({ HOST_CONCURRENCY: "50", TEAM_CONCURRENCY: "64", RATE_LIMIT: "off" });
  try {
    const work = { service: service.url, site: siteUrl(site) };
    await scrapeAll(work, PAGES / AT_ONCE);
    return [...(await compare(service, work)), ...(await benchFrontier(folder))];
  } finally {
    await service.stop();
    site.closeAllConnections();
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly service: string;
  readonly site: string;
}

async function compare(service: ServerProcess, work: Work): Promise<readonly Figure[]> {
  const rounds: { readonly single: Spent; readonly crawled: Spent }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await measure(service, () => scrapeAll(work, PAGES));
    rounds.push({ single, crawled: await measure(service, () => crawlAll(work)) });
  }
  const ratio = median(rounds.map(({ single, crawled }) => single.seconds / crawled.seconds));
  const perSecond = median(rounds.map(({ crawled }) => PAGES / crawled.seconds));
  const cpu = median(rounds.map(({ single, crawled }) => crawled.cpuMs / single.cpuMs));
  return [
    {
      name: `pages per second of a crawl (${perSecond.toFixed(0)}) against requests for single scrapes, ${AT_ONCE} at once`,
      value: `× ${ratio.toFixed(2)}`,
      limit: ">= × 0.9",
      isMet: ratio >= 0.9,
    },
    {
      name: "processor time of a crawled page against a request for a single scrape",
      value: `× ${cpu.toFixed(2)}`,
      limit: "<= × 1.15",
      isMet: cpu <= 1.15,
    },
  ];
}

interface Spent {
  readonly cpuMs: number;
  readonly seconds: number;
}

async function measure(service: ServerProcess, work: () => Promise<void>): Promise<Spent> {
  const [startMs, cpuMs] = [performance.now(), service.cpuMs()];
  await work();
  return { cpuMs: service.cpuMs() - cpuMs, seconds: (performance.now() - startMs) / 1000 };
}

async function scrapeAll({ service, site }: Work, pages: number): Promise<void> {
  let next = 0;
  const scrape = async () => {
    while (next < pages) {
      next += 1;
      const body = JSON.stringify({ url: `${site}/page/${next}`, maxAge: 0 });
      const response = await fetch(`${service}/v2/scrape`, { method: "POST", body });
      if (!response.ok) throw new Error(`A scrape was answered ${response.status}.`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, scrape));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** @param seen is told how many documents there are, again and again. */
export async function crawlAll(
  { service, site }: Work,
  { pages = PAGES, seen = (_documents: number): void => undefined } = {},
): Promise<void> {
  const body = {
    url: `${site}/page/1`,
    crawlEntireDomain: true,
    sitemap: "skip",
    limit: pages,
    maxConcurrency: AT_ONCE,
    scrapeOptions: { maxAge: 0 },
  };
  const { id } = await post(`${service}/v2/crawl`, body);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const response = await fetch(`${service}/v2/crawl/${id}?limit=1&skip=1000000`);
    const { status, completed } = (await response.json()) as { status: string; completed: number };
    seen(completed);
    if (status === "scraping") continue;
    if (completed !== pages) throw new Error(`The crawl made ${completed} of ${pages} pages.`);
    return;
  }
}

async function post(url: string, body: object): Promise<{ readonly id: string }> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as { readonly id: string };
}

/** Pages of a site, each with links to others and a few hundred words. */
export async function startSite(pages = PAGES): Promise<Server> {
  const server = createServer((request, response) => {
    const number = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 1);
    const links = Array.from({ length: LINKS }, (_, index) => {
      const linked = ((number * LINKS + index) % pages) + 1;
      return `<li><a href="/page/${linked}">Page ${linked}</a></li>`;
    });
    const text = `<p>Page ${number} has a text of its own, with some words that say nothing at all.</p>`;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1>${text.repeat(PARAGRAPHS)}</main><ul>${links.join("")}</ul></body></html>`,
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
  const crawl = await database.transaction((tx) =>
    insertCrawl(tx, { jobId: "run", teamId: "team", ...site }),
  );
  const beforeBytes = process.memoryUsage.rss();
  for (let from = 0; from < FRONTIER_URLS; from += SLICE) {
    const urls = Array.from({ length: SLICE }, (_, order) => {
      const url = givenAddress(`https://shop.test/${String(from + order).padEnd(82, "x")}`);
      return { order, url, identity: keyOf(url), depth: 3, chain: 0 };
    });
    await database.transaction(async (tx) =>
      insertUrls(tx, crawl, await reserveNumbers(tx, crawl, SLICE), urls),
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
