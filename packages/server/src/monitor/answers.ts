import type { CheckPageRow } from "./check-pages.ts";
import { type CheckRow, summaryOf } from "./check-rows.ts";
import type { Judgment } from "../api/monitor.ts";
import { estimateMonth } from "./estimate.ts";
import type { MonitorPlan } from "./request.ts";
import type { MonitorRow } from "./rows.ts";
import { toldToTeam } from "../scrape/request/masked-body.ts";
import { resultsIn } from "./target-results.ts";

/** JSON that this service has written. */
type Shown = Record<string, unknown>;

interface Estimated {
  readonly plan: MonitorPlan;
  /** Estimate of one check. Undefined when the check is not possible any more. */
  readonly checkCredits: number | undefined;
  readonly nowMs: number;
}

/** A monitor in the answer to clients (contract of the families, section 9.3). */
export function monitorAnswer(monitor: MonitorRow, { plan, checkCredits, nowMs }: Estimated) {
  const { id, name, status, cron, timezone, lastSummary } = monitor;
  const { webhook, notification, goal, judgeEnabled, targets } = toldToTeam(plan);
  return {
    id,
    name,
    status,
    schedule: { cron, timezone },
    nextRunAt: iso(monitor.nextRunAtMs),
    lastRunAt: iso(monitor.lastRunAtMs),
    currentCheckId: monitor.currentCheckId,
    targets: targets.map((target) => ({ ...target })),
    webhook: webhook && { ...webhook },
    notification,
    retentionDays: monitor.retentionDays,
    estimatedCreditsPerMonth:
      checkCredits === undefined ? null : estimateMonth(checkCredits, { cron, timezone }, nowMs),
    lastCheckSummary: lastSummary === null ? null : (JSON.parse(lastSummary) as ReturnType<typeof summaryOf>),
    goal,
    judgeEnabled,
    createdAt: timeOf(monitor.createdAtMs),
    updatedAt: timeOf(monitor.updatedAtMs),
  };
}

/** URLs of a target that lists show. */
const SHOWN_URLS = 10;

/** A monitor in lists: the first URLs of its targets, and their number. */
export function withUrlCounts(monitor: ReturnType<typeof monitorAnswer>): typeof monitor {
  const targets = monitor.targets.map((target) =>
    "urls" in target && target.urls
      ? { ...target, urls: target.urls.slice(0, SHOWN_URLS), urlCount: target.urls.length }
      : target,
  );
  return { ...monitor, targets };
}

export function checkAnswer(check: CheckRow) {
  const { id, monitorId, status, isManual, notification, warning } = check;
  return {
    id,
    monitorId,
    status,
    trigger: isManual === 1 ? ("manual" as const) : ("scheduled" as const),
    scheduledFor: iso(check.scheduledAtMs),
    startedAt: iso(check.startedAtMs),
    finishedAt: iso(check.finishedAtMs),
    estimatedCredits: check.estimatedCredits,
    reservedCredits: check.reservedCredits,
    actualCredits: check.actualCredits,
    billingStatus: check.billing,
    summary: summaryOf(check),
    targetResults: resultsIn(check.targets).map((result) => ({ ...result })),
    notificationStatus: notification === null ? null : (JSON.parse(notification) as unknown),
    error: check.error,
    ...(warning !== null && { warning }),
    createdAt: timeOf(check.createdAtMs),
    updatedAt: timeOf(check.updatedAtMs),
  };
}

export function pageAnswer(page: CheckPageRow) {
  const { id, targetId, url, status, statusCode, error, snapshot } = page;
  return {
    id,
    targetId,
    url,
    status,
    previousScrapeId: page.previousScrapeId,
    currentScrapeId: page.currentScrapeId,
    statusCode,
    error,
    metadata: parsed(page.metadata),
    judgment: parsed(page.judgment) as Judgment | null,
    diff: parsed(page.diff) as Shown | null,
    ...(snapshot !== null && { snapshot: parsed(snapshot) as Shown }),
    createdAt: timeOf(page.createdAtMs),
  };
}

function parsed(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}

function timeOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function iso(timeMs: number | null): string | null {
  return timeMs === null ? null : timeOf(timeMs);
}
