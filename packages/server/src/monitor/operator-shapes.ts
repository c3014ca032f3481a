import { z } from "zod";

import { DAY, LATER, MONTH, SCRAPE_ID, scrapeIdPart, success, TEAM_ID, URL } from "../api/example-values.ts";
import { CheckPageShape, CheckShape, MonitorShape, MonitorSummary, PAGE_STATUSES } from "../api/monitor.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, limitOf, Success, TeamQuery } from "../api/operator-fields.ts";
import { operatorOperation } from "../api/operator-operation.ts";

const { name, status, schedule, nextRunAt, lastRunAt, goal, retentionDays, createdAt } = MonitorShape.shape;

/** A monitor of any team, without what its requests may keep secret. */
const OperatorMonitor = z.strictObject({
  id: Id,
  teamId: Id,
  name,
  status,
  schedule,
  nextRunAt,
  lastRunAt,
  isRunning: z.boolean(),
  targets: z.array(
    z.strictObject({ type: z.enum(["scrape", "crawl", "search"]), what: z.string(), more: Count }),
  ),
  goal,
  retentionDays,
  lastStatus: CheckShape.shape.status.nullable().describe("Of the newest check."),
  lastSummary: MonitorSummary.nullable().describe("Of the newest check that has ended."),
  changes: z
    .array(Count)
    .describe("Pages that were new, changed or removed in the last checks, oldest first."),
  createdAt,
});

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

export const MonitorsAnswer = z.strictObject({ success: Success, data: z.array(OperatorMonitor) });
export const MonitorAnswer = answerOf(
  z.strictObject({
    monitor: OperatorMonitor,
    checks: z.array(CheckShape).describe("The last 50, newest first."),
  }),
);
export const CheckAnswer = answerOf(
  z.strictObject({ check: CheckShape, pages: z.array(CheckPageShape), hasMore: z.boolean() }),
);

export type OperatorMonitor = z.output<typeof OperatorMonitor>;
export type MonitorAnswer = z.output<typeof MonitorAnswer>;
export type CheckAnswer = z.output<typeof CheckAnswer>;

const monitorIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const summary = { totalPages: 1, same: 0, changed: 1, new: 0, removed: 0, error: 0 };
const monitor = {
  id: SCRAPE_ID,
  teamId: TEAM_ID,
  name: "Prices",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: LATER,
  lastRunAt: DAY,
  isRunning: false,
  targets: [{ type: "scrape", what: URL, more: 0 }],
  goal: null,
  retentionDays: 30,
  lastStatus: "completed",
  lastSummary: summary,
  changes: [1, 0, 1],
  createdAt: MONTH,
};
const check = {
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
const oneMonitor = defineShape("OperatorMonitor", answerOf(OperatorMonitor), { success, data: monitor });

export const listOperatorMonitors = operatorOperation({
  line: "GET /admin/api/monitors",
  summary: "List the monitors of all teams, newest first",
  query: MonitorQuery,
  answer: defineShape("OperatorMonitors", MonitorsAnswer, { success, data: [monitor] }),
  errors: [400],
});

export const readOperatorMonitor = operatorOperation({
  line: "GET /admin/api/monitors/{id}",
  summary: "Read a monitor and its last checks",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorDetail", MonitorAnswer, {
    success,
    data: { monitor, checks: [check] },
  }),
  errors: [404],
});

export const readOperatorCheck = operatorOperation({
  line: "GET /admin/api/monitors/{id}/checks/{checkId}",
  summary: "Read a check of a monitor and its pages",
  params: { id: monitorIdPart, checkId: monitorIdPart },
  query: PageQuery,
  answer: defineShape("OperatorMonitorCheck", CheckAnswer, {
    success,
    data: { check, pages: [], hasMore: false },
  }),
  errors: [400, 404],
});

export const watchRequest = operatorOperation({
  line: "POST /admin/api/requests/{id}/monitor",
  summary: "Have the page of a scrape checked on a schedule, on behalf of its team and key",
  params: { id: scrapeIdPart },
  body: defineShape(
    "WatchRequest",
    z.strictObject({ schedule: z.string().min(1).max(128).describe("In words, such as `daily`.") }),
    { schedule: "daily" },
  ),
  answer: oneMonitor,
  errors: [400, 402, 403, 404],
});

export const changeOperatorMonitor = operatorOperation({
  line: "PATCH /admin/api/monitors/{id}",
  summary: "Pause a monitor, or have it run again",
  params: { id: monitorIdPart },
  body: defineShape("OperatorMonitorChange", z.strictObject({ status: z.enum(["active", "paused"]) }), {
    status: "paused",
  }),
  answer: oneMonitor,
  errors: [400, 404],
});

export const runOperatorMonitor = operatorOperation({
  line: "POST /admin/api/monitors/{id}/run",
  summary: "Run a check of a monitor now, on behalf of its team and key",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorRun", answerOf(CheckShape), { success, data: check }),
  errors: [402, 403, 404, 409],
});

export const deleteOperatorMonitor = operatorOperation({
  line: "DELETE /admin/api/monitors/{id}",
  summary: "Delete a monitor with its checks",
  params: { id: monitorIdPart },
  answer: defineShape("OperatorMonitorDeleted", z.strictObject({ success: Success }), { success }),
  errors: [404],
});
