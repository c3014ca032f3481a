import type { Address } from "@pergamon-dev/kit/address";
import { getRun } from "../jobs/run-rows.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { CRAWL_PATIENCE_MS, type Robots, RobotsUnreachable } from "../fetch/site/robots.ts";
import type { SiteFileServices } from "../fetch/site/site-file.ts";
import { readSitemaps as walk } from "../fetch/site/sitemaps.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { admitEntries } from "./admit-links.ts";
import { getCrawl, moveStage } from "./crawl-rows.ts";
import { scopeOf } from "./crawl-scope.ts";
import type { CrawlStep } from "./crawl-step.ts";
import { sortLinks } from "./find-links.ts";

export interface SitemapServices extends SiteFileServices {
  readonly robots: Robots;
  readonly matchPatterns: MatchPatterns;
}

/** Pages of sitemaps that are written at once. */
const SLICE = 500;

/**
 * Reads the sitemaps of a crawl's site while its pages are visited. Made again, it finds the same once more, which is
 * known then.
 * @throws the signal's reason, once it is aborted.
 */
export async function readSitemaps(
  step: CrawlStep,
  job: ScrapeJob,
  services: SitemapServices,
): Promise<void> {
  const { run, crawl, plan, signal } = step;
  const start = new URL(crawl.siteUrl);
  const { options } = plan;
  const asking = { job, asker: run.id, agent: options.robotsUserAgent, patienceMs: CRAWL_PATIENCE_MS };
  const rules = await services.robots.rulesOf(start.origin, asking, signal).catch((failure: unknown) => {
    if (failure instanceof RobotsUnreachable) return undefined;
    throw failure;
  });
  if (!rules) return endSitemaps(step);
  const entries = new Entries(step, services);
  const order = { job, start, named: rules.sitemaps };
  await walk(
    { ...order, onPage: (entry) => entries.add(entry.url), onPiece: () => entries.writeIfMany() },
    services,
    signal,
  );
  await entries.write();
  await endSitemaps(step);
}

/** In all cases, only pages are left. */
export async function endSitemaps({ step, place, crawl }: CrawlStep): Promise<void> {
  await place.database.transaction(async (inside) => {
    const run = await step.end(inside);
    if (!run) return;
    await moveStage(inside, crawl, "pages");
    await place.dispatcher.admit(inside, run.id, 0);
    await place.dispatcher.proceed(inside, run);
  });
}

/** Pages of sitemaps on their way into the crawl. */
class Entries {
  readonly #step: CrawlStep;
  readonly #services: SitemapServices;
  #urls: Address[] = [];
  #isOver = false;

  constructor(step: CrawlStep, services: SitemapServices) {
    this.#step = step;
    this.#services = services;
  }

  /** @returns false when no more are wanted. */
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
    const { run, crawl, plan, place, signal } = this.#step;
    const { robots, matchPatterns } = this.#services;
    const scope = scopeOf(crawl, plan.options, (origin) => robots.known(origin, run.id));
    const order = { urls, depth: 0, isFromSite: false };
    const links = await sortLinks(order, { options: plan.options, scope, match: matchPatterns }, signal);
    const { dispatcher } = place;
    await place.database.transaction(async (inside) => {
      const now = await getRun(inside, run.id);
      const isOver = now?.state !== "scraping" || (await getCrawl(inside, run.id))?.stage === "over";
      this.#isOver = isOver;
      if (isOver || !now) return;
      await admitEntries(inside, links, { crawl, run: now, dispatcher });
      await dispatcher.proceed(inside, run);
    });
  }
}
