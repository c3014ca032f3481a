import type { JobHandler, NextTask, Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "../jobs/queue/jobs.ts";
import { crawl } from "../crawl/crawl.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, endStep, openWork, targetAt } from "./check-work.ts";
import { compareCrawled, giveUpCrawled } from "./crawl-pages.ts";
import { crawlEnded, failCrawl, startTargetCrawl } from "./crawl-step.ts";
import { getPage } from "./check-pages.ts";
import { abandonCheck, endCheck } from "./end-check.ts";
import { endUnjudged, judgePage } from "./judge-step.ts";
import { MONITOR } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import { type CheckStep, payloadOf, takeStep } from "./steps.ts";
import { type FreshResult, giveUpResult, judgeResult } from "./result-step.ts";
import { giveUpSearch, searchTarget } from "./search-step.ts";
import { documentIn } from "../jobs/run-status.ts";
import { giveUpPage, makePage } from "../jobs/make-page.ts";
import type { PageTask } from "../jobs/page-rows.ts";
import type { CrawlTarget, ScrapeTarget } from "./targets.ts";
import { failedPage, findChange, type Finding } from "./page-finding.ts";
import { discardOutdated, writeFinding } from "./write-finding.ts";

/**
 * Checks of monitors. Each check is a run of the same id. Its first steps are the pages, crawls and searches
 * of its targets. Then follow the results of crawls and the judgments. The last step ends the check.
 */
export class MonitorFamily implements JobHandler {
  readonly name = MONITOR;
  readonly title = "Monitor check";
  readonly sendsOwnEvents = true;
  readonly #services: MonitorServices;

  constructor(services: MonitorServices) {
    this.#services = services;
    services.place.dispatcher.whenEnded(crawl.name, (tx, ended) => crawlEnded(tx, ended, services));
  }

  async next(tx: Statements, run: JobRun): Promise<readonly NextTask[]> {
    const check = await getCheck(tx, run.id);
    if (!check || check.stage !== "working") return [];
    const nowMs = this.#services.place.clock.now();
    if (check.status === "queued")
      await changeCheck(tx, run.id, { status: "running", startedAtMs: nowMs, updatedAtMs: nowMs });
    const next = await takeStep(tx, run.id);
    if (next !== undefined) return [{ payload: next }];
    if (check.nextUnit < check.units) {
      await changeCheck(tx, run.id, { nextUnit: check.nextUnit + 1 });
      return [{ payload: payloadOf({ kind: "unit", unit: check.nextUnit }) }];
    }
    if (run.handed > 0 || check.openCrawls > 0) return [];
    await changeCheck(tx, run.id, { stage: "ending" });
    return [{ payload: payloadOf({ kind: "end" }) }];
  }

  async isWaiting(tx: Statements, run: JobRun): Promise<boolean> {
    const check = await getCheck(tx, run.id);
    return check !== undefined && check.openCrawls > 0;
  }

  async run(step: Task): Promise<Again | undefined> {
    const services = this.#services;
    const work = await openWork(step, services, step.signal);
    if (!work) return undefined;
    const { what, plan } = work;
    if (what.kind === "end") await endCheck(work, services);
    else if (what.kind === "judge") await judgePage(work, what.page, services);
    else if (what.kind === "result") return judgeResult(work, freshResult(work, what), services);
    else if (what.kind === "missed") return scrapePage(work, missedPage(work, what), services);
    else if (what.kind !== "unit") await compareCrawled(work, what, services);
    else {
      const { target, index, at } = targetAt(plan, what.unit);
      if (target.type === "scrape") return scrapePage(work, { target, url: target.urls[at] ?? "" }, services);
      if (target.type === "crawl") await startTargetCrawl(work, { target, index }, services);
      else await searchTarget(work, { target, index }, services);
    }
    return undefined;
  }

  async fail(step: Task, reason: string): Promise<void> {
    const services = this.#services;
    const work = await openWork(step, services, NEVER);
    if (!work) return;
    const { what } = work;
    if (what.kind === "judge") await this.#giveUpJudgment(work, what.page, reason);
    else if (what.kind === "end") await this.#failCheck(work, reason);
    else if (what.kind === "result") await giveUpResult(work, freshResult(work, what), reason, services);
    else if (what.kind === "missed") await giveUpScrape(work, missedPage(work, what), reason, services);
    else if (what.kind !== "unit") await giveUpCrawled(work, what, reason, services);
    else await giveUpUnit(work, what.unit, reason, services);
  }

  async ended(tx: Statements, run: JobRun): Promise<void> {
    await abandonCheck(tx, run, this.#services);
  }

  async #giveUpJudgment(work: CheckWork, number: number, reason: string): Promise<void> {
    const page = await getPage(this.#services.place.database, work.check.id, number);
    if (page) await endUnjudged(work, page, reason, this.#services);
    else await endStep(work, this.#services, async () => undefined);
  }

  /** Fails a check that could not be ended normally. */
  async #failCheck({ step, run }: CheckWork, reason: string): Promise<void> {
    const { database, dispatcher } = this.#services.place;
    await database.transaction(async (tx) => {
      if (await step.end(tx)) await dispatcher.fail(tx, run.id, reason);
    });
  }
}

function freshResult(
  { plan }: CheckWork,
  { target: index, result }: Extract<CheckStep, { readonly kind: "result" }>,
): FreshResult {
  const target = plan.targets[index];
  if (target?.type !== "search") throw new Error(`Target ${index} of the monitor is no search.`);
  return { target, result };
}

function missedPage(
  { plan }: CheckWork,
  { target: index, url }: Extract<CheckStep, { readonly kind: "missed" }>,
): TargetPage {
  const target = plan.targets[index];
  if (target?.type !== "crawl") throw new Error(`Target ${index} of the monitor is no crawl.`);
  return { target, url, isMissed: true };
}

async function giveUpUnit(
  work: CheckWork,
  unit: number,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  const { target, at } = targetAt(work.plan, unit);
  if (target.type === "scrape")
    await giveUpScrape(work, { target, url: target.urls[at] ?? "" }, reason, services);
  else if (target.type === "crawl") await failCrawl(work, target, reason, services);
  else await giveUpSearch(work, target, reason, services);
}

const NEVER = new AbortController().signal;

/** A page of a target, or a page that its crawl should have met. */
interface TargetPage {
  readonly target: ScrapeTarget | CrawlTarget;
  readonly url: string;
  readonly isMissed?: boolean;
}

/** Scrapes a page and compares it. Its charge, document and result are one transaction. */
async function scrapePage(
  work: CheckWork,
  page: TargetPage,
  services: MonitorServices,
): Promise<Again | undefined> {
  const made = pageOf(work, page, services);
  const again = await makePage(made.page, services);
  const finding = made.finding();
  if (!again && finding) await discardOutdated(finding, services);
  return again;
}

/** Ends a page whose attempts are used up. */
async function giveUpScrape(
  work: CheckWork,
  page: TargetPage,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  await giveUpPage(pageOf(work, page, services).page, reason);
}

function pageOf(work: CheckWork, { target, url, isMissed }: TargetPage, services: MonitorServices) {
  const { step, check, plan, signal } = work;
  const { place, plans } = services;
  const met = { work: { check, plan, signal, target }, url, isMissed };
  let finding: Finding | undefined;
  let isWritten = false;
  const page: PageTask = {
    task: { ...step, signal },
    place,
    url,
    kind: "monitor",
    options: plans.ofTarget(check.id, target).pages,
    async prepare(scraped) {
      const document = documentIn(JSON.stringify(scraped.answer.data(scraped.facts)));
      finding = await findChange(met, document, services);
    },
    async write(tx, run, scraped, failure) {
      const failed = { message: failure?.message ?? "The page could not be made." };
      const found = scraped && finding ? finding : failedPage(met, failed);
      await writeFinding(tx, work, found, services);
      await place.dispatcher.admit(tx, run.id, 0);
      isWritten = scraped !== undefined;
    },
  };
  return { page, finding: () => (isWritten ? finding : undefined) };
}
