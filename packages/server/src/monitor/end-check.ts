import { getJob, type Job } from "../jobs/job-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import { tellEnd } from "./check-events.ts";
import { changeCheck, type CheckRow, type CheckStatus, getCheck, summaryOf } from "./check-rows.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import type { CheckPlan } from "./plans.ts";
import { recordEnded } from "./rows.ts";
import type { MonitorServices } from "./services.ts";
import { type CheckStep, insertSteps } from "./steps.ts";
import { notifyLater } from "./notify.ts";
import { resultsIn } from "./target-results.ts";

/** Maximum number of scrapes that are listed for a target. */
const MAX_LISTED = 10_000;

/**
 * Ends a check whose work is done, with its result and notifications. Pages that crawls did not meet are
 * scraped first.
 */
export async function endCheck(work: CheckWork, services: MonitorServices): Promise<void> {
  await endStep(work, services, async (tx) => {
    if (await lookForMissed(tx, work, services)) return;
    await listScrapes(tx, work.check.id);
    await concludeCheck(tx, work, services);
  });
}

/** Ends a check whose run ended before its work was done. */
export async function abandonCheck(tx: Statements, job: Job, services: MonitorServices): Promise<void> {
  const check = await getCheck(tx, job.id);
  if (!check || check.finishedAtMs !== null) return;
  const why =
    job.error ?? (job.state === "cancelled" ? "The check was cancelled." : "The check ended early.");
  await changeCheck(tx, check.id, { error: check.error ?? why });
  const plan = services.options.of(job);
  await concludeCheck(tx, { check, plan }, services, "failed");
}

/**
 * Adds scrapes of the pages that the crawls of a check did not meet. A crawl without results says nothing
 * about them.
 * @returns whether there are any.
 */
async function lookForMissed(
  tx: Statements,
  { check: { id: checkId, monitorId, targets }, plan }: CheckWork,
  { states, store }: MonitorServices,
): Promise<boolean> {
  const steps: CheckStep[] = [];
  for (const [target, { id: targetId, type }] of plan.targets.entries()) {
    const crawlId = resultsIn(targets)[target]?.crawlId;
    const crawl = type === "crawl" && crawlId !== undefined ? await getJob(tx, crawlId) : undefined;
    if (crawl?.state !== "completed" || crawl.completed === 0) continue;
    const urls = await states.claimMissed(tx, { monitorId, targetId, checkId });
    steps.push(...urls.map((url): CheckStep => ({ kind: "missed", target, url })));
  }
  if (steps.length === 0) return false;
  await insertSteps(tx, checkId, steps);
  await changeCheck(tx, checkId, { stage: "working" });
  await store.dispatcher.admit(tx, checkId, steps.length);
  return true;
}

/** Runs once when all scrapes are known, because a growing list would be rewritten for each one. */
async function listScrapes(tx: Statements, checkId: string): Promise<void> {
  const check = await getCheck(tx, checkId);
  if (!check) return;
  const scrapes = tx.prepared<{ id: string }>(
    `SELECT current_scrape_id AS id FROM monitor_pages
     WHERE check_id = ? AND target_id = ? AND current_scrape_id IS NOT NULL ORDER BY number LIMIT ?`,
  );
  const results = [];
  for (const result of resultsIn(check.targets)) {
    const rows = result.type === "scrape" ? await scrapes.all(checkId, result.targetId, MAX_LISTED) : [];
    results.push(result.type === "scrape" ? { ...result, expectedJobs: rows.map(({ id }) => id) } : result);
  }
  await changeCheck(tx, checkId, { targets: JSON.stringify(results) });
}

interface Concluded {
  readonly check: Pick<CheckRow, "id">;
  readonly plan: CheckPlan;
}

async function concludeCheck(
  tx: Statements,
  { check: { id }, plan }: Concluded,
  services: MonitorServices,
  status?: CheckStatus,
): Promise<void> {
  const [check, job] = [await getCheck(tx, id), await getJob(tx, id)];
  if (!check) return;
  const nowMs = services.store.clock.now();
  await changeCheck(tx, id, {
    status: status ?? statusOf(check),
    stage: "over",
    billing: "confirmed",
    actualCredits: (job?.creditsUsed ?? 0) + check.extraCredits,
    finishedAtMs: nowMs,
    updatedAtMs: nowMs,
    ...(job &&
      job.warnings.length > 0 && { warning: [check.warning, ...job.warnings].filter(Boolean).join(" ") }),
  });
  await tx.prepared("DELETE FROM monitor_steps WHERE check_id = ?").run(id);
  await tx.prepared("DELETE FROM monitor_crawls WHERE check_id = ?").run(id);
  const ended = await getCheck(tx, id);
  if (!ended) return;
  await recordEnded(tx, { id: ended.monitorId, checkId: id, summary: summaryOf(ended) });
  await notifyLater(tx, { check: ended, plan }, services);
  await tellEnd(tx, services.store.outbox, ended);
}

/** Searches have no pages that could fail, so a failed search is the error of the check. */
function statusOf({ failed, total, error }: CheckRow): CheckStatus {
  if (failed === 0 && error === null) return "completed";
  return failed === total ? "failed" : "partial";
}
