import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { tellOfChange } from "../accounts/audit-actor.ts";
import type { Caller, Callers } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import {
  DAY,
  LATER,
  MONTH,
  SCRAPE_ID,
  scrapeIdPart,
  success,
  TEAM_ID,
  EXAMPLE_URL,
} from "../api/example-values.ts";
import { CheckPageShape, CheckShape, MonitorShape, MonitorSummary, PAGE_STATUSES } from "../api/monitor.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, limitOf, Success, TeamQuery } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { listPages, pagesWithEvidence } from "./check-pages.ts";
import { type CheckRow, getCheck, listChecks } from "./check-rows.ts";
import { checkAnswer, pageAnswer } from "./answers.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Database } from "../storage/database/database.ts";
import type { MonitorService } from "./service.ts";
import { getMonitor, listMonitors, type MonitorRow } from "./rows.ts";
import type { Target } from "./targets.ts";
import type { Monitors } from "./monitors.ts";
import { defineOperation } from "../api/operation.ts";
import { bodyOfRecord } from "../scrape/replay.ts";
import { maskUrl } from "../scrape/request/masked-body.ts";
import type { Records } from "../history/records.ts";

/** A monitor of any team, without the secrets of its requests. */
export const OperatorMonitor = lazy(() =>
  z.strictObject({
    id: Id,
    teamId: Id,
    name: MonitorShape().shape.name,
    status: MonitorShape().shape.status,
    schedule: MonitorShape().shape.schedule,
    nextRunAt: MonitorShape().shape.nextRunAt,
    lastRunAt: MonitorShape().shape.lastRunAt,
    isRunning: z.boolean(),
    targets: z.array(
      z.strictObject({ type: z.enum(["scrape", "crawl", "search"]), what: z.string(), more: Count }),
    ),
    goal: MonitorShape().shape.goal,
    retentionDays: MonitorShape().shape.retentionDays,
    lastStatus: CheckShape().shape.status.nullable().describe("Of the newest check."),
    lastSummary: MonitorSummary().nullable().describe("Of the newest check that has ended."),
    changes: z
      .array(Count)
      .describe("Pages that were new, changed or removed in the last checks, oldest first."),
    createdAt: MonitorShape().shape.createdAt,
  }),
);

const MonitorQuery = z.object({
  team: TeamQuery,
  limit: limitOf(100, 500),
  offset: z.coerce.number().int().min(0).default(0),
});
const PageQuery = z.object({
  status: z.enum(PAGE_STATUSES).optional(),
  limit: limitOf(50, 200),
  skip: z.coerce.number().int().min(0).default(0),
});

/** A page at one check. */
const Frame = lazy(() =>
  z.strictObject({
    checkId: Id,
    url: z.string(),
    status: CheckPageShape().shape.status,
    createdAt: CheckPageShape().shape.createdAt,
    screenshot: z.string().nullable().describe("A link that expires."),
    values: z
      .record(z.string(), z.number())
      .describe("Numbers among the values of the page, by their paths."),
  }),
);

const MonitorsAnswer = () => z.strictObject({ success: Success, data: z.array(OperatorMonitor()) });
export const MonitorAnswer = () =>
  answerOf(
    z.strictObject({
      monitor: OperatorMonitor(),
      checks: z.array(CheckShape()).describe("The last 50, newest first."),
      settings: MonitorShape().describe("As its team reads them: secrets are masked."),
      frames: z
        .array(Frame())
        .describe("What the last checks saw, oldest first: pages with a picture or values."),
    }),
  );
export const CheckAnswer = () =>
  answerOf(z.strictObject({ check: CheckShape(), pages: z.array(CheckPageShape()), hasMore: z.boolean() }));

export type OperatorMonitor = z.output<ReturnType<typeof OperatorMonitor>>;
export type MonitorAnswer = z.output<ReturnType<typeof MonitorAnswer>>;
export type CheckAnswer = z.output<ReturnType<typeof CheckAnswer>>;

const monitorIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const summary = { totalPages: 1, same: 0, changed: 1, new: 0, removed: 0, error: 0 };
const monitorExample = {
  id: SCRAPE_ID,
  teamId: TEAM_ID,
  name: "Prices",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: LATER,
  lastRunAt: DAY,
  isRunning: false,
  targets: [{ type: "scrape", what: EXAMPLE_URL, more: 0 }],
  goal: null,
  retentionDays: 30,
  lastStatus: "completed",
  lastSummary: summary,
  changes: [1, 0, 1],
  createdAt: MONTH,
};
const checkExample = {
  id: SCRAPE_ID,
  monitorId: SCRAPE_ID,
  status: "completed",
  trigger: "scheduled",
  scheduledFor: DAY,
  startedAt: DAY,
  finishedAt: DAY,
  estimatedCredits: 1,
  reservedCredits: 1,
  actualCredits: 1,
  billingStatus: "confirmed",
  summary,
  targetResults: [],
  notificationStatus: null,
  error: null,
  createdAt: DAY,
  updatedAt: DAY,
};
const settingsExample = {
  id: SCRAPE_ID,
  name: "Prices",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: LATER,
  lastRunAt: DAY,
  currentCheckId: null,
  targets: [{ id: "prices", type: "scrape", urls: [EXAMPLE_URL] }],
  webhook: null,
  notification: null,
  retentionDays: 30,
  estimatedCreditsPerMonth: 30,
  lastCheckSummary: summary,
  goal: null,
  judgeEnabled: false,
  createdAt: MONTH,
  updatedAt: MONTH,
};
const frameExample = {
  checkId: SCRAPE_ID,
  url: EXAMPLE_URL,
  status: "changed",
  createdAt: DAY,
  screenshot: null,
  values: { price: 19.9 },
};
const oneMonitor = defineShape("OperatorMonitor", () => answerOf(OperatorMonitor()), {
  success,
  data: monitorExample,
});

interface OperatorMonitorServices {
  readonly monitors: Monitors;
  readonly desk: MonitorService;
  readonly callers: Pick<Callers, "ofWork" | "ofTeam">;
  readonly records: Pick<Records, "get" | "flush">;
}

/** Checks whose changes are drawn, and checks that are listed. */
const DRAWN = 24;
const LISTED = 50;
const MAX_NAME_LENGTH = 256;

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/monitors",
  least: "team",
  summary: "List the monitors of all teams, newest first",
  query: MonitorQuery,
  answer: defineShape("OperatorMonitors", MonitorsAnswer, { success, data: [monitorExample] }),
  errors: [400],
  async handle({ query: { team: teamId, limit, offset } }, services: OperatorMonitorServices) {
    const { database } = services.monitors.services.store;
    const data = [];
    for await (const row of listMonitors(database, { teamId, limit, offset }))
      data.push(await show(row, services));
    return { success: true, data };
  },
});

const read = defineOperation({
  ...forOperator,
  line: "GET /admin/api/monitors/{id}",
  summary: "Read a monitor and its last checks",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorDetail", MonitorAnswer, {
    success,
    data: {
      monitor: monitorExample,
      checks: [checkExample],
      settings: settingsExample,
      frames: [frameExample],
    },
  }),
  errors: [404],
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const row = await monitorNamed(id, services);
    const { database } = services.monitors.services.store;
    const { checks } = await listChecks(database, { monitorId: row.id, limit: LISTED, offset: 0 });
    const { data: settings } = await services.desk.describe(row);
    const data = {
      monitor: await show(row, services),
      checks: checks.map(checkAnswer),
      settings,
      frames: await framesOf(database, checks),
    };
    return { success: true, data };
  },
});

const readCheck = defineOperation({
  ...forOperator,
  line: "GET /admin/api/monitors/{id}/checks/{checkId}",
  summary: "Read a check of a monitor and its pages",
  params: { id: monitorIdPart, checkId: monitorIdPart },
  query: PageQuery,
  answer: defineShape("OperatorMonitorCheck", CheckAnswer, {
    success,
    data: { check: checkExample, pages: [], hasMore: false },
  }),
  errors: [400, 404],
  async handle({ params: { id, checkId }, query }, services: OperatorMonitorServices) {
    const { id: monitorId } = await monitorNamed(id, services);
    const { database } = services.monitors.services.store;
    const check = await getCheck(database, checkId);
    if (check?.monitorId !== monitorId) throw new NotFoundError("Check not found");
    const { limit, skip, status } = query;
    const { pages: rows, hasMore } = await listPages(database, { checkId, status, skip, limit });
    const pages = rows.map((row) => ({ ...pageAnswer(row), url: maskUrl(row.url) }));
    return { success: true, data: { check: checkAnswer(check), pages, hasMore } };
  },
});

const create = defineOperation({
  ...forOperator,
  line: "POST /admin/api/monitors",
  audit: "monitor.created",
  tells: ["teamId"],
  summary: "Make a monitor on behalf of a team",
  body: defineShape(
    "OperatorMonitorRequest",
    () =>
      z.strictObject({
        teamId: Id.max(100),
        request: z.looseObject({}).describe("As of `POST /v2/monitor`."),
      }),
    {
      teamId: TEAM_ID,
      request: {
        name: "Prices",
        schedule: { text: "daily" },
        targets: [{ type: "scrape", urls: [EXAMPLE_URL] }],
      },
    },
  ),
  answer: oneMonitor,
  errors: [400, 402, 403, 404],
  async handle({ body: { teamId, request }, linkBase }, services: OperatorMonitorServices) {
    const caller = await services.callers.ofTeam(teamId);
    const { data } = await services.desk.create(request, { caller, linkBase });
    return { success: true, data: await show(await monitorNamed(data.id, services), services) };
  },
});

const watch = defineOperation({
  ...forOperator,
  line: "POST /admin/api/requests/{id}/monitor",
  audit: "monitor.created",
  tells: ["schedule"],
  summary: "Have the page of a scrape checked on a schedule, on behalf of its team and key",
  params: { id: scrapeIdPart },
  body: defineShape(
    "WatchRequest",
    () => z.strictObject({ schedule: z.string().min(1).max(128).describe("In words, such as `daily`.") }),
    { schedule: "daily" },
  ),
  answer: oneMonitor,
  errors: [400, 402, 403, 404],
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
  ...forOperator,
  line: "PATCH /admin/api/monitors/{id}",
  audit: "monitor.changed",
  tells: ["status", "name", "schedule", "goal", "retentionDays"],
  summary: "Change a monitor, pause it, or have it run again",
  params: { id: monitorIdPart },
  body: defineShape(
    "OperatorMonitorChange",
    () => z.looseObject({ status: MonitorShape().shape.status.exclude(["deleted"]).optional() }),
    { status: "paused" },
  ),
  answer: oneMonitor,
  errors: [400, 403, 404],
  async handle({ params: { id }, body, linkBase }, services: OperatorMonitorServices) {
    const before = await monitorNamed(id, services);
    const { teamId, keyId, status, name, cron } = before;
    tellOfChange({ before: { status, name, schedule: cron } });
    // It can be paused when its key is gone: what a check may do does not change.
    if (Object.keys(body).join() === "status" && body.status)
      await services.monitors.setStatus(before, body.status);
    else
      await services.desk.change(id, body, { caller: await callerNamed(teamId, keyId, services), linkBase });
    return { success: true, data: await show(await monitorNamed(id, services), services) };
  },
});

const run = defineOperation({
  ...forOperator,
  line: "POST /admin/api/monitors/{id}/run",
  audit: "monitor.run",
  summary: "Run a check of a monitor now, on behalf of its team and key",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorRun", () => answerOf(CheckShape()), { success, data: checkExample }),
  errors: [402, 403, 404, 409],
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const { teamId, keyId } = await monitorNamed(id, services);
    const caller = await callerNamed(teamId, keyId, services);
    return { success: true, data: checkAnswer(await services.monitors.run(id, caller)) };
  },
});

const remove = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/monitors/{id}",
  audit: "monitor.deleted",
  summary: "Delete a monitor with its checks",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorDeleted", () => z.strictObject({ success: Success }), { success }),
  errors: [404],
  async handle({ params: { id } }, services: OperatorMonitorServices) {
    const { teamId } = await monitorNamed(id, services);
    await services.monitors.remove(id, teamId);
    return { success: true };
  },
});

export const operatorMonitorOperations = [list, read, readCheck, create, watch, change, run, remove];

async function monitorNamed(id: string, { monitors }: OperatorMonitorServices): Promise<MonitorRow> {
  const row = await getMonitor(monitors.services.store.database, id);
  if (!row) throw new NotFoundError("Monitor not found");
  tellOfChange({ teamId: row.teamId, name: row.name, target: id });
  return row;
}

/** @throws ServiceError when the key that would act is gone. */
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
  const { options, store } = monitors.services;
  const { id, teamId, name, status, cron, timezone, retentionDays, currentCheckId } = row;
  const { targets, goal } = options.open({ id, options: row.plan });
  const { checks } = await listChecks(store.database, { monitorId: id, limit: DRAWN, offset: 0 });
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

/** Levels of values that are looked into. */
const MAX_DEPTH = 3;

async function framesOf(
  database: Database,
  checks: readonly CheckRow[],
): Promise<z.output<ReturnType<typeof Frame>>[]> {
  const shown = checks.slice(0, DRAWN).map(({ id }) => id);
  const pages = await pagesWithEvidence(database, shown);
  return pages.map(({ checkId, page: row }) => {
    const { url, status, createdAt, metadata, snapshot } = pageAnswer(row);
    const { screenshot } = (metadata ?? {}) as { readonly screenshot?: unknown };
    return {
      checkId,
      url: maskUrl(url),
      status,
      createdAt,
      screenshot: typeof screenshot === "string" ? screenshot : null,
      values: Object.fromEntries(numbersIn(snapshot, [])),
    };
  });
}

function numbersIn(value: unknown, path: readonly string[]): readonly (readonly [string, number])[] {
  if (typeof value === "number") return [[path.join("."), value]];
  if (!isJsonObject(value) || path.length >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, [...path, name]));
}
