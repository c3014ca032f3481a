import { defineJobKind, type KindContext } from "../jobs/job-kind.ts";
import type { NextTask } from "../jobs/job-handler.ts";
import { giveUpPage, makePage } from "../jobs/make-page.ts";
import type { PageTask } from "../jobs/page-rows.ts";
import type { Again } from "../jobs/queue/task-queue.ts";
import { checkOperations, monitorOperations } from "./operations.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, openWork, targetAt } from "./check-work.ts";
import { compareCrawled, crawlEnded, failCrawl, giveUpCrawled, startTargetCrawl } from "./crawl-step.ts";
import { abandonCheck, endCheck } from "./end-check.ts";
import { endUnjudged, judgePage } from "./judge-step.ts";
import { mailOperations } from "./mail-operations.ts";
import { Monitors } from "./monitors.ts";
import { failedPage, findChange, type Finding } from "./page-finding.ts";
import { PageStates } from "./page-states.ts";
import { type CheckPlan, planCheck } from "./plans.ts";
import { MONITOR, type MonitorPlan, type MonitorRequest, monitorRequestSchema } from "./request.ts";
import { type FreshResult, giveUpResult, judgeResult } from "./result-step.ts";
import { giveUpSearch, searchTarget } from "./search-step.ts";
import { MonitorService } from "./service.ts";
import type { MonitorContext, MonitorServices } from "./services.ts";
import { type CheckStep, payloadOf, takeStep } from "./steps.ts";
import type { CrawlTarget, ScrapeTarget } from "./targets.ts";
import { TeamTurns } from "./team-turns.ts";
import { discardOutdated, writeFinding } from "./write-finding.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NEVER = new AbortController().signal;

/**
 * Checks of monitors. Each is a job of the same id, which `beginCheck` starts. Its first tasks are the pages,
 * crawls and searches of its targets. Then follow the results of crawls and the judgments. The last task ends
 * the check.
 */
export const monitor = defineJobKind({
  name: MONITOR,
  title: "Monitor check",
  endpoint: "monitor",
  hasDocuments: false,
  sendsOwnEvents: true,
  tables: [
    {
      name: "monitor_checks",
      key: "id",
      rows: [
        { name: "monitor_pages", owner: "check_id", key: "number" },
        { name: "monitor_steps", owner: "check_id", key: "number" },
        { name: "monitor_crawls", owner: "check_id", key: "crawl_id" },
      ],
      keptUntil: {
        isOver: `monitor_id IN (SELECT id FROM monitors WHERE status = 'deleted') OR finished_at IS NOT NULL AND
          created_at <= ? - (SELECT retention_days FROM monitors WHERE id = monitor_id) * ${DAY_MS}`,
      },
    },
    { name: "monitors", key: "id", keptUntil: { isOver: "status = 'deleted' AND updated_at <= ?" } },
    { name: "mail_subscriptions", key: "token", keptUntil: "erased" },
  ],

  request: ({ scrapeSchema }: MonitorContext) => monitorRequestSchema(scrapeSchema()),

  plan: planCheck,

  open(context: KindContext<MonitorContext, MonitorRequest, MonitorPlan, CheckPlan>) {
    const { database, clock } = context.stores.persistent;
    const states = new PageStates({ database, clock, blobs: context.blobs });
    const own = { store: context.stores.persistent, states, turns: new TeamTurns() };
    const monitors = new Monitors({ ...context, ...own });
    return { ...own, monitors, desk: new MonitorService(monitors) };
  },

  teamData: ({ states }) => states,

  work: ({ monitors }) => monitors.work(),

  operations: () => [...monitorOperations, ...checkOperations, ...mailOperations],

  async next(tx, { id, inFlight }, _count, { store }): Promise<readonly NextTask[]> {
    const check = await getCheck(tx, id);
    if (!check || check.stage !== "working") return [];
    const nowMs = store.clock.now();
    if (check.status === "queued")
      await changeCheck(tx, id, { status: "running", startedAtMs: nowMs, updatedAtMs: nowMs });
    const next = await takeStep(tx, id);
    if (next !== undefined) return [{ payload: next }];
    if (check.nextUnit < check.units) {
      await changeCheck(tx, id, { nextUnit: check.nextUnit + 1 });
      return [{ payload: payloadOf({ kind: "unit", unit: check.nextUnit }) }];
    }
    if (inFlight > 0 || check.openCrawls > 0) return [];
    await changeCheck(tx, id, { stage: "ending" });
    return [{ payload: payloadOf({ kind: "end" }) }];
  },

  async isWaiting(tx, { id }) {
    return ((await getCheck(tx, id))?.openCrawls ?? 0) > 0;
  },

  async run(task, services) {
    const work = await openWork(task, services, task.signal);
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
  },

  async fail(task, reason, services) {
    const work = await openWork(task, services, NEVER);
    if (!work) return;
    const { what } = work;
    if (what.kind === "judge") await endUnjudged(work, what.page, reason, services);
    else if (what.kind === "end") await failCheck(work, reason, services);
    else if (what.kind === "result") await giveUpResult(work, freshResult(work, what), reason, services);
    else if (what.kind === "missed") await giveUpScrape(work, missedPage(work, what), reason, services);
    else if (what.kind !== "unit") await giveUpCrawled(work, what, reason, services);
    else await giveUpUnit(work, what.unit, reason, services);
  },

  question: ({ name }) => name,
  ended: abandonCheck,
  otherEnded: crawlEnded,
});

/** Fails a check that could not be ended normally. */
async function failCheck(
  { task, job }: CheckWork,
  reason: string,
  { store }: MonitorServices,
): Promise<void> {
  await store.database.transaction(async (tx) => {
    if (await task.end(tx)) await store.dispatcher.fail(tx, job.id, reason);
  });
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
  const { task, check, plan, signal } = work;
  const { store } = services;
  const met = { work: { check, plan, signal, target }, url, isMissed };
  let finding: Finding | undefined;
  let isWritten = false;
  const page: PageTask = {
    task: { ...task, signal },
    store,
    url,
    kind: "monitor",
    options: plan.ofTarget(target).pages,
    async prepare(scraped) {
      const document = scraped.answer.data(scraped.facts);
      finding = await findChange(met, document, services);
    },
    async write(tx, job, scraped, failure) {
      const failed = { message: failure?.message ?? "The page could not be made." };
      const found = scraped && finding ? finding : failedPage(met, failed);
      await writeFinding(tx, work, found, services);
      await store.dispatcher.admit(tx, job.id, 0);
      isWritten = scraped !== undefined;
    },
  };
  return { page, finding: () => (isWritten ? finding : undefined) };
}
