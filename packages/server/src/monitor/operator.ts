import type { Caller, Callers } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import {
  changeOperatorMonitor,
  deleteOperatorMonitor,
  listOperatorMonitors,
  type OperatorMonitor,
  readOperatorCheck,
  readOperatorMonitor,
  runOperatorMonitor,
  watchRequest,
} from "./operator-shapes.ts";
import { listPages } from "./check-pages.ts";
import { type CheckRow, getCheck, listChecks } from "./check-rows.ts";
import { checkAnswer, pageAnswer } from "./monitor-answers.ts";
import type { MonitorDesk } from "./monitor-desk.ts";
import { getMonitor, listMonitors, type MonitorRow } from "./monitor-rows.ts";
import type { Target } from "./monitor-targets.ts";
import type { Monitors } from "./monitors.ts";
import { defineOperation } from "../api/operation.ts";
import { bodyOfRecord } from "../scrape/replay.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import type { Records } from "../history/records.ts";

export interface OperatorMonitorServices {
  readonly monitors: Monitors;
  readonly desk: MonitorDesk;
  readonly callers: Pick<Callers, "ofWork">;
  readonly records: Pick<Records, "get" | "flush">;
}

/** Checks whose changes are drawn, and those that are listed. */
const DRAWN = 24;
const LISTED = 50;
const MAX_NAME_LENGTH = 256;

const list = defineOperation({
  ...listOperatorMonitors,
  async handle({ query: { team: teamId, limit, offset } }, services: OperatorMonitorServices) {
    const { database } = services.monitors.services.place;
    const data = [];
    for await (const row of listMonitors(database, { teamId, limit, offset }))
      data.push(await show(row, services));
    return { success: true, data };
  },
});

const read = defineOperation({
  ...readOperatorMonitor,
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const row = await monitorNamed(id, services);
    const { database } = services.monitors.services.place;
    const { checks } = await listChecks(database, { monitorId: row.id, limit: LISTED, offset: 0 });
    return { success: true, data: { monitor: await show(row, services), checks: checks.map(checkAnswer) } };
  },
});

const readCheck = defineOperation({
  ...readOperatorCheck,
  async handle({ params: { id, checkId }, query }, services: OperatorMonitorServices) {
    const { id: monitorId } = await monitorNamed(id, services);
    const { database } = services.monitors.services.place;
    const check = await getCheck(database, checkId);
    if (check?.monitorId !== monitorId) throw new NotFoundError("Check not found");
    const { limit, skip, status } = query;
    const { pages: rows, hasMore } = await listPages(database, { checkId, status, skip, limit });
    const pages = rows.map((row) => ({ ...pageAnswer(row), url: maskUrl(row.url) }));
    return { success: true, data: { check: checkAnswer(check), pages, hasMore } };
  },
});

const watch = defineOperation({
  ...watchRequest,
  async handle({ params, body: { schedule }, linkBase }, services: OperatorMonitorServices) {
    await services.records.flush();
    const found = await services.records.get(params.id);
    if (!found) throw new NotFoundError("Request not found. Requests are stored for 30 days.");
    const { record } = found;
    const caller = await callerNamed(record.teamId, record.keyId ?? null, services);
    const {
      url,
      origin: _origin,
      maxAge: _maxAge,
      ...scrapeOptions
    } = bodyOfRecord(record) as {
      readonly url: string;
      readonly origin?: string;
      readonly maxAge?: number;
    };
    const targets = [{ type: "scrape", urls: [url], scrapeOptions }];
    const request = { name: maskUrl(url).slice(0, MAX_NAME_LENGTH), schedule: { text: schedule }, targets };
    const { data } = await services.desk.create(request, { caller, linkBase });
    return { success: true, data: await show(await monitorNamed(data.id, services), services) };
  },
});

const change = defineOperation({
  ...changeOperatorMonitor,
  async handle({ params: { id }, body: { status } }, services: OperatorMonitorServices) {
    await services.monitors.setStatus(await monitorNamed(id, services), status);
    return { success: true, data: await show(await monitorNamed(id, services), services) };
  },
});

const run = defineOperation({
  ...runOperatorMonitor,
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const { teamId, keyId } = await monitorNamed(id, services);
    const caller = await callerNamed(teamId, keyId, services);
    return { success: true, data: checkAnswer(await services.monitors.run(id, caller)) };
  },
});

const remove = defineOperation({
  ...deleteOperatorMonitor,
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const { teamId } = await monitorNamed(id, services);
    await services.monitors.remove(id, teamId);
    return { success: true };
  },
});

/** Monitors of all teams: what they found, and an end to them. */
export const operatorMonitorOperations = [list, read, readCheck, watch, change, run, remove];

async function monitorNamed(id: string, { monitors }: OperatorMonitorServices): Promise<MonitorRow> {
  const row = await getMonitor(monitors.services.place.database, id);
  if (!row) throw new NotFoundError("Monitor not found");
  return row;
}

/** @throws ServiceError when the key is gone on whose behalf it would be done. */
async function callerNamed(
  teamId: string,
  keyId: string | null,
  { callers }: OperatorMonitorServices,
): Promise<Caller> {
  const caller = await callers.ofWork({ teamId, keyId });
  if (caller) return caller;
  throw new ServiceError("BAD_REQUEST", { message: "The API key of this request is not in use any more." });
}

async function show(row: MonitorRow, { monitors }: OperatorMonitorServices): Promise<OperatorMonitor> {
  const { plans, place } = monitors.services;
  const { id, teamId, name, status, cron, timezone, retentionDays, currentCheckId } = row;
  const { targets, goal } = plans.open(id, row.plan);
  const { checks } = await listChecks(place.database, { monitorId: id, limit: DRAWN, offset: 0 });
  return {
    id,
    teamId,
    name,
    status,
    schedule: { cron, timezone },
    nextRunAt: iso(row.nextRunAtMs),
    lastRunAt: iso(row.lastRunAtMs),
    isRunning: currentCheckId !== null,
    targets: targets.map(showTarget),
    goal,
    retentionDays,
    lastStatus: checks[0]?.status ?? null,
    lastSummary:
      row.lastSummary === null ? null : (JSON.parse(row.lastSummary) as OperatorMonitor["lastSummary"]),
    changes: checks
      .filter(({ finishedAtMs }) => finishedAtMs !== null)
      .map(changesOf)
      .toReversed(),
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}

function changesOf({ changed, fresh, removed }: CheckRow): number {
  return changed + fresh + removed;
}

function showTarget(target: Target): OperatorMonitor["targets"][number] {
  if (target.type === "crawl") return { type: target.type, what: maskUrl(target.url), more: 0 };
  if (target.type === "search")
    return { type: target.type, what: target.queries[0] ?? "", more: target.queries.length - 1 };
  return { type: target.type, what: maskUrl(target.urls[0] ?? ""), more: target.urls.length - 1 };
}

function iso(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
