import { z } from "zod";
import { ServiceError, toldOf } from "../api/errors.ts";
import { getJob, type Job } from "../jobs/job-rows.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../storage/database/database.ts";
import { excludeDeeper, PathDepth } from "../fetch/urls/path-depth.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import { pageOptionsOf } from "./plans.ts";
import type { MonitorServices } from "./services.ts";
import { type CheckStep, insertSteps } from "./steps.ts";
import type { CrawlTarget } from "./targets.ts";
import { failedPage, findChange, type Finding } from "./page-finding.ts";
import { changeResult, resultsIn } from "./target-results.ts";
import { trackedOptions } from "./tracked-options.ts";
import { discardOutdated, writeFinding } from "./write-finding.ts";
import { documentIn } from "../jobs/job-status.ts";

const FORBIDDEN = "The robots.txt of the site forbids to visit this page now.";

/** Steps that are written in one transaction. */
const SLICE = 500;
/** Thrown when the step was ended elsewhere, so that no crawl starts. */
class TooLate extends Error {}

export async function startTargetCrawl(
  work: CheckWork,
  { target, index }: { readonly target: CrawlTarget; readonly index: number },
  services: MonitorServices,
): Promise<void> {
  const { job, signal, task, check } = work;
  const { store } = services;
  const caller = await services.callers.ofWork(job);
  if (!caller)
    return failCrawl(work, target, "The API key of this monitor is not in use any more.", services);
  const within = async (tx: Statements, crawlId: string) => {
    const now = await task.end(tx);
    if (!now) throw new TooLate();
    await noteCrawl(tx, { crawlId, checkId: check.id, index, target });
    await store.dispatcher.admit(tx, check.id, 0);
    await store.dispatcher.dispatchNext(tx, now);
  };
  const { linkBase } = job;
  const call = { caller, linkBase, body: crawlBody(target), signal, within };
  try {
    await services.jobs.start(services.crawl, call);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof TooLate) return;
    if (isUnexpected(failure)) throw failure;
    await failCrawl(work, target, toldOf(failure), services);
  }
}

/** Body of the crawl of a target. @throws ZodError for an invalid `maxDepth`. */
export function crawlBody(target: CrawlTarget): object {
  const { url } = target;
  const { maxDepth, ...options } = (target.crawlOptions ?? {}) as Readonly<Record<string, unknown>>;
  const body = { ...options, url, scrapeOptions: trackedOptions(pageOptionsOf(target), target).scrape };
  if (maxDepth === undefined) return body;
  return { ...body, excludePaths: excludeDeeper({ ...body, ...DeepCrawl.parse({ maxDepth }) }) };
}

const DeepCrawl = z.object({ maxDepth: PathDepth });

/** Ends the step of a crawl that could not start. */
export async function failCrawl(
  work: CheckWork,
  target: CrawlTarget,
  message: string,
  services: MonitorServices,
): Promise<void> {
  const { check, plan, signal } = work;
  const failed = failedPage({ work: { check, plan, signal, target }, url: target.url }, { message });
  await endStep(work, services, (tx) => writeFinding(tx, work, failed, services));
}

interface StartedCrawlTarget {
  readonly crawlId: string;
  readonly checkId: string;
  readonly index: number;
  readonly target: CrawlTarget;
}

async function noteCrawl(
  tx: Statements,
  { crawlId, checkId, index, target }: StartedCrawlTarget,
): Promise<void> {
  const check = await getCheck(tx, checkId);
  await changeCheck(tx, checkId, { openCrawls: (check?.openCrawls ?? 0) + 1 });
  await changeResult(tx, checkId, target.id, () => ({ crawlId }));
  await tx
    .prepared("INSERT INTO monitor_crawls (crawl_id, check_id, target) VALUES (?, ?, ?)")
    .run(crawlId, checkId, index);
}

/**
 * Called in the transaction that ends a job of another kind. If it is a crawl that belongs to a check, its documents and failures
 * become steps of the check.
 */
export async function crawlEnded(tx: Statements, crawl: Job, services: MonitorServices): Promise<void> {
  if (crawl.family !== services.crawl.name) return;
  const found = await tx
    .prepared<{ checkId: string; target: number }>(
      `SELECT check_id AS "checkId", target FROM monitor_crawls WHERE crawl_id = ?`,
    )
    .get(crawl.id);
  const check = found && (await getCheck(tx, found.checkId));
  if (!found || !check || check.finishedAtMs !== null) return;
  const { dispatcher } = services.store;
  await changeCheck(tx, check.id, {
    openCrawls: check.openCrawls - 1,
    extraCredits: check.extraCredits + crawl.creditsUsed,
  });
  const { targetId = "" } = resultsIn(check.targets)[found.target] ?? {};
  const steps = await stepsOf(tx, crawl, { monitorId: check.monitorId, targetId, target: found.target });
  for (let start = 0; start < steps.length; start += SLICE)
    await insertSteps(tx, check.id, steps.slice(start, start + SLICE));
  await dispatcher.admit(tx, check.id, steps.length);
  const job = await getJob(tx, check.id);
  if (job) await dispatcher.dispatchNext(tx, job);
}

interface CrawledTarget {
  readonly monitorId: string;
  readonly targetId: string;
  readonly target: number;
}

/** A page that robots.txt forbids now counts as a failure if it was met before. */
async function stepsOf(
  tx: Statements,
  crawl: Job,
  { monitorId, targetId, target }: CrawledTarget,
): Promise<readonly CheckStep[]> {
  const documents = await tx
    .prepared<{ position: number }>("SELECT position FROM job_documents WHERE run_id = ? ORDER BY position")
    .all(crawl.id);
  const failures = await tx
    .prepared<{ position: number }>(
      `SELECT number AS position FROM job_errors WHERE run_id = ? AND (is_robots = 0 OR url IN
         (SELECT url FROM monitor_states WHERE monitor_id = ? AND target_id = ?)) ORDER BY number`,
    )
    .all(crawl.id, monitorId, targetId);
  return [
    ...documents.map(({ position }): CheckStep => ({ kind: "document", target, position })),
    ...failures.map(({ position }): CheckStep => ({ kind: "failure", target, position })),
  ];
}

/** Whether a repetition may succeed. A refused request would be refused again. */
function isUnexpected(failure: unknown): boolean {
  if (ownFailure(failure)) return true;
  if (failure instanceof ServiceError) return failure.code === "billing_unavailable";
  return !(failure instanceof Error && ["ForbiddenError", "ZodError"].includes(failure.name));
}

interface CrawlPlace {
  readonly kind: "document" | "failure";
  readonly target: number;
  readonly position: number;
}

/** Compares a page that the crawl of a target found. */
export async function compareCrawled(
  work: CheckWork,
  place: CrawlPlace,
  services: MonitorServices,
): Promise<void> {
  const finding = await findingOf(work, place, services);
  let isWritten = false;
  await endStep(work, services, async (tx) => {
    if (finding) await writeFinding(tx, work, finding, services);
    isWritten = true;
  });
  if (finding && isWritten) await discardOutdated(finding, services);
}

/** Ends a page whose comparison failed three times. */
export async function giveUpCrawled(
  work: CheckWork,
  { target: index }: CrawlPlace,
  reason: string,
  services: MonitorServices,
): Promise<void> {
  const { check, plan, signal } = work;
  const target = plan.targets[index];
  await endStep(work, services, async (tx) => {
    if (!target || target.type !== "crawl") return;
    const message = `A page of the crawl could not be compared: ${reason}`;
    const failed = failedPage({ work: { check, plan, signal, target }, url: target.url }, { message });
    await writeFinding(tx, work, failed, services);
  });
}

async function findingOf(
  { check, plan, signal }: CheckWork,
  { kind, target: index, position }: CrawlPlace,
  services: MonitorServices,
): Promise<Finding | undefined> {
  const { store, scraping } = services;
  const target = plan.targets[index];
  const crawlId = resultsIn(check.targets)[index]?.crawlId;
  if (!target || crawlId === undefined) return undefined;
  const work = { check, plan, signal, target };
  if (kind === "failure") {
    const error = await store.database
      .prepared<{ url: string; message: string }>(
        "SELECT url, message FROM job_errors WHERE run_id = ? AND number = ?",
      )
      .get(crawlId, position);
    return error && failedPage({ work, url: error.url }, { message: error.message || FORBIDDEN });
  }
  const row = await store.database
    .prepared<{ scrapeId: string }>(
      `SELECT scrape_id AS "scrapeId" FROM job_documents WHERE run_id = ? AND position = ?`,
    )
    .get(crawlId, position);
  const text = row && (await scraping.records.answer(row.scrapeId));
  if (text === undefined) return undefined;
  const document = await documentIn(text);
  return findChange({ work, url: document.metadata.sourceURL }, document, services);
}
