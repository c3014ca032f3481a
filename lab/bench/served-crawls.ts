import { AT_ONCE, crawlAll, median, PAGES, siteUrl, startSite } from "./crawls.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 5;

/** A crawl against the same pages as requests, in a service of its own: what a client sees of both. */
export async function benchServedCrawls(): Promise<readonly Figure[]> {
  const site = await startSite();
  const service = await startService({ HOST_CONCURRENCY: "50", TEAM_CONCURRENCY: "64", RATE_LIMIT: "off" });
  try {
    const work = { service: service.url, site: siteUrl(site) };
    await scrapeAll(work, PAGES / AT_ONCE);
    return await compare(service, work);
  } finally {
    await service.stop();
    site.closeAllConnections();
    site.close();
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
  const moreMs = median(rounds.map(({ single, crawled }) => (crawled.cpuMs - single.cpuMs) / PAGES));
  return [
    {
      name: `pages per second of a crawl (${perSecond.toFixed(0)}) against requests for single scrapes, ${AT_ONCE} at once`,
      value: `× ${ratio.toFixed(2)}`,
      limit: ">= × 0.9",
      isMet: ratio >= 0.9,
    },
    {
      name: "processor time of a crawled page beyond a request for a single scrape",
      value: `${moreMs.toFixed(2)} ms`,
      limit: "<= 1.5 ms",
      isMet: moreMs <= 1.5,
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
