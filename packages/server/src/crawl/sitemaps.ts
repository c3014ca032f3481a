import type { Address } from "@pergamon-dev/kit/address";

import { CRAWL_PATIENCE_MS, type Robots, RobotsUnreachable } from "../fetch/site/robots.ts";
import type { SiteFileServices } from "../fetch/site/site-file.ts";
import { type ReadSitemap, readSitemaps as walk } from "../fetch/site/sitemaps.ts";
import { getJob } from "../jobs/job-rows.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { admitEntries } from "./enqueue-links.ts";
import type { CrawlTask } from "./page.ts";
import { getCrawl, moveStage } from "./frontier.ts";
import { noteOrigin, type Origin } from "./outcomes.ts";
import { scopeOf, sortLinks } from "./url-policy.ts";

interface SitemapServices extends SiteFileServices {
  readonly robots: Robots;
  readonly matchPatterns: MatchPatterns;
}

/** Sitemap URLs per transaction. */
const SLICE = 500;

/**
 * Reads the sitemaps of a crawl's site while its pages are visited. A repetition finds the same URLs again,
 * which are known then.
 * @throws the signal's reason once it is aborted.
 */
export async function readSitemaps(
  crawling: CrawlTask,
  job: ScrapeJob,
  services: SitemapServices,
): Promise<void> {
  const { task, crawl, plan } = crawling;
  const { signal } = task;
  const start = new URL(crawl.siteUrl);
  const { options } = plan;
  const asking = { job, asker: task.job.id, agent: options.robotsUserAgent, patienceMs: CRAWL_PATIENCE_MS };
  const rules = await services.robots.rulesOf(start.origin, asking, signal).catch((failure: unknown) => {
    if (failure instanceof RobotsUnreachable) return undefined;
    throw failure;
  });
  const { origin } = start;
  if (!rules) return endSitemaps(crawling, { origin, robots: "unreachable" });
  const robots = options.ignoreRobotsTxt ? "ignored" : rules.isThere ? "found" : "missing";
  const sitemaps: ReadSitemap[] = [];
  const entries = new Entries(crawling, services);
  const order = { job, start, named: rules.sitemaps };
  await walk(
    {
      ...order,
      maxPages: crawl.limit,
      onPage: (entry) => entries.add(entry.url),
      onPiece: () => entries.writeIfMany(),
      onFile: (file) => sitemaps.push(file),
    },
    services,
    signal,
  );
  await entries.write();
  await endSitemaps(crawling, { origin, robots, sitemaps });
}

/** Ends the stage in any case, so that only pages are left. */
export async function endSitemaps({ task, store, crawl }: CrawlTask, origin?: Origin): Promise<void> {
  await store.database.transaction(async (tx) => {
    const job = await task.end(tx);
    if (!job) return;
    if (origin) await noteOrigin(tx, crawl, origin);
    await moveStage(tx, crawl, "pages");
    await store.dispatcher.admit(tx, job.id, 0);
    await store.dispatcher.dispatchNext(tx, job);
  });
}

/** Collects sitemap URLs and writes them to the crawl. */
class Entries {
  readonly #crawling: CrawlTask;
  readonly #services: SitemapServices;
  #urls: Address[] = [];
  #isOver = false;

  constructor(crawling: CrawlTask, services: SitemapServices) {
    this.#crawling = crawling;
    this.#services = services;
  }

  /** @returns false when no more URLs are wanted. */
  add(url: Address): boolean {
    this.#urls.push(url);
    return !this.#isOver;
  }

  async writeIfMany(): Promise<void> {
    if (this.#urls.length >= SLICE) await this.write();
  }

  async write(): Promise<void> {
    const urls = this.#urls;
    this.#urls = [];
    for (let from = 0; from < urls.length && !this.#isOver; from += SLICE) {
      await this.#writeSlice(urls.slice(from, from + SLICE));
    }
  }

  async #writeSlice(urls: readonly Address[]): Promise<void> {
    const { task, crawl, plan, store } = this.#crawling;
    const { job, signal } = task;
    const { robots, matchPatterns } = this.#services;
    const scope = scopeOf(crawl, plan.options, (origin) => robots.known(origin, job.id));
    const order = { urls, depth: 0, isFromSite: false };
    const links = await sortLinks(order, { options: plan.options, scope, match: matchPatterns }, signal);
    const { dispatcher } = store;
    await store.database.transaction(async (tx) => {
      const now = await getJob(tx, job.id);
      const isOver = now?.state !== "scraping" || (await getCrawl(tx, job.id))?.stage === "over";
      this.#isOver = isOver;
      if (isOver || !now) return;
      await admitEntries(tx, links, { crawl, job: now, dispatcher });
      await dispatcher.dispatchNext(tx, now);
    });
  }
}
