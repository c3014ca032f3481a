import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "../jobs/job-handler.ts";
import { giveUpPage, type PageServices } from "../jobs/make-page.ts";
import { STOPPED } from "../jobs/page-rows.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { getRun, type JobRun } from "../jobs/run-rows.ts";
import { PatternsTooSlow } from "../scrape/page/match-small-here.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "../jobs/queue/jobs.ts";
import type { Robots } from "../fetch/site/robots.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { CrawlPage } from "./crawl-page.ts";
import type { CrawlPlans } from "./crawl-plans.ts";
import { type Crawl, getCrawl, moveStage } from "./crawl-rows.ts";
import type { CrawlStep } from "./crawl-step.ts";
import { listOpenUrls, readUrl, ROWS, takeAllWaiting, takeUrl } from "./frontier.ts";
import { KnownLinks } from "./known-links.ts";
import { type JudgeServices, PageJudge } from "./page-judge.ts";
import { endSitemaps, readSitemaps } from "./read-sitemaps-step.ts";

export interface CrawlFamilyServices extends PageServices {
  readonly plans: CrawlPlans;
  readonly robots: Robots;
  readonly matchPatterns: MatchPatterns;
}

export const CRAWL = "crawl";
/** The payload of the step that reads sitemaps; those of pages are their numbers. */
const SITEMAPS = "sitemaps";
/** That of the step that reports what is not visited any more. */
const REST = "rest";
/** Clients are shown as many errors. */
const MAX_LISTED = 10_000;
const NO_CREDITS = {
  code: "insufficient_credits",
  message: "The credits are used up, so the page was not made.",
};

/** Crawls: what they visit next, and how. */
export class CrawlFamily implements JobHandler {
  readonly name = CRAWL;
  readonly title = "Crawl";
  readonly #place: RunPlace;
  readonly #services: CrawlFamilyServices & JudgeServices;
  readonly #plans: CrawlPlans;

  /** @param place where its runs live. */
  constructor(place: RunPlace, services: CrawlFamilyServices) {
    this.#place = place;
    this.#services = { ...services, knownLinks: new KnownLinks() };
    this.#plans = services.plans;
  }

  async next(inside: Statements, run: JobRun): Promise<readonly NextTask[]> {
    const crawl = await getCrawl(inside, run.id);
    if (!crawl || crawl.stage === "over") return [];
    if (run.warnings.includes(STOPPED)) {
      await moveStage(inside, crawl, "over");
      return [{ payload: REST }];
    }
    if (crawl.stage === "sitemaps") {
      await moveStage(inside, crawl, "reading");
      return [{ payload: SITEMAPS }];
    }
    return this.#takePage(inside, run, crawl);
  }

  async run(step: Task): Promise<Again | undefined> {
    const crawling = await this.#open(step, step.signal);
    if (!crawling) return undefined;
    if (step.payload === REST) return failRest(crawling);
    if (step.payload !== SITEMAPS) return (await this.#pageOf(crawling)).make(this.#services);
    const job = await this.#siteJob(crawling);
    const services = { ...this.#services, matchPatterns: this.#matcherOf(crawling) };
    if (job) await readSitemaps(crawling, job, { ...this.#services.scraping, ...services });
    else await endSitemaps(crawling);
    return undefined;
  }

  async fail(step: Task, reason: string): Promise<void> {
    const crawling = await this.#open(step, NEVER);
    if (!crawling) return;
    if (step.payload === REST) await endStep(crawling);
    else if (step.payload === SITEMAPS) await endSitemaps(crawling);
    else await giveUpPage((await this.#pageOf(crawling)).asPageTask(), reason);
  }

  async pending(statements: Statements, { id }: JobRun, part: ListPart): Promise<readonly PendingPage[]> {
    const crawl = await getCrawl(statements, id);
    return crawl ? listOpenUrls(statements, crawl, part) : [];
  }

  /** The hint for clients of narrow crawls that find next to nothing. */
  async ended(inside: Statements, run: JobRun): Promise<void> {
    const { options } = this.#plans.of(run);
    const { pathname, hostname } = new URL(options.url);
    if (run.state !== "completed" || run.completed > 1 || options.limit === 1) return;
    if (pathname === "/" || options.crawlEntireDomain) return;
    const narrow = `Only ${run.completed} result(s) found. For broader coverage, crawl ${hostname}, or set crawlEntireDomain.`;
    await this.#place.dispatcher.warn(inside, run.id, narrow);
  }

  /** At most as many as there may yet be documents: each of them may become one. */
  async #takePage(inside: Statements, run: JobRun, crawl: Crawl): Promise<readonly NextTask[]> {
    const underWay = run.handed - (crawl.stage === "reading" ? 1 : 0);
    const isFull = run.completed + underWay >= crawl.limit || (crawl.stage === "start" && underWay > 0);
    const sequence = isFull ? undefined : await takeUrl(inside, crawl);
    if (sequence === undefined) return [];
    const isPaused = crawl.delayMs > 0 && crawl.stage !== "start";
    const runAtMs = this.#place.clock.now() + crawl.delayMs;
    return [{ payload: String(sequence), ...(isPaused && { runAtMs }) }];
  }

  async #open(step: Task, signal: AbortSignal): Promise<CrawlStep | undefined> {
    const place = this.#place;
    const run = await getRun(place.database, step.job.id);
    const crawl = run && (await getCrawl(place.database, step.job.id));
    return crawl && { step, place, run, crawl, plan: this.#plans.of(run), signal };
  }

  async #pageOf(crawling: CrawlStep): Promise<CrawlPage> {
    const { step, place, crawl } = crawling;
    const page = await readUrl(place.database, crawl, Number(step.payload));
    if (!page) throw new Error(`Crawl ${step.job.id} has no page ${step.payload}.`);
    const siteJob = () => this.#siteJob(crawling);
    const services = { ...this.#services, matchPatterns: this.#matcherOf(crawling) };
    return new CrawlPage(crawling, page, new PageJudge({ step: crawling, page, siteJob }, services));
  }

  /** Patterns that are too slow for the links of one page are so for those of the next: the crawl ends. */
  #matcherOf({ run, place }: CrawlStep): MatchPatterns {
    return async (task, signal) => {
      try {
        return await this.#services.matchPatterns(task, signal);
      } catch (failure) {
        if (failure instanceof PatternsTooSlow) {
          const fail = (inside: Statements) => place.dispatcher.fail(inside, run.id, failure.message);
          await place.database.transaction(fail);
        }
        throw failure;
      }
    };
  }

  /** As whom files of the site are fetched; undefined when its key is gone, or may not ask for that any more. */
  async #siteJob(crawling: CrawlStep): Promise<ScrapeJob | undefined> {
    const { run, crawl, plan } = crawling;
    const caller = await this.#services.callers.ofWork(run);
    if (!caller) return undefined;
    const { id, linkBase } = run;
    const parent = { id, class: "job" } as const;
    try {
      return startJob(plan.pages.for(crawl.siteUrl), { kind: "crawl", caller, linkBase, parent });
    } catch {
      return undefined;
    }
  }
}

const NEVER = new AbortController().signal;

/** The credits are used up: reports the pages that were still to be visited, up to the number that is shown. */
async function failRest(crawling: CrawlStep): Promise<undefined> {
  const { place, crawl, run, signal } = crawling;
  let left = Math.min(MAX_LISTED, Math.max(0, crawl.limit - run.completed));
  while (left > 0) {
    signal.throwIfAborted();
    const failed = await place.database.transaction(async (inside) => {
      const now = await getRun(inside, run.id);
      if (now?.state !== "scraping") return 0;
      const urls = await takeAllWaiting(inside, crawl, Math.min(left, ROWS));
      for (const url of urls) await place.dispatcher.addFailure(inside, run, { url, ...NO_CREDITS });
      return urls.length;
    });
    left = failed === 0 ? 0 : left - failed;
  }
  await endStep(crawling);
}

async function endStep({ step, place }: CrawlStep): Promise<void> {
  await place.database.transaction(async (inside) => {
    const run = await step.end(inside);
    if (run) await place.dispatcher.proceed(inside, run);
  });
}
