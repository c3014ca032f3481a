import { z } from "zod";

import { FailureAnswer } from "../../contract/answer.ts";
import { DAY, LATER, MONTH, SCRAPE_ID, success, URL } from "../../contract/example-values.ts";
import { defineShape } from "../../contract/operation.ts";
import { Count, Success, Time } from "../../contract/operator/fields.ts";
import { CHECK_STATUSES } from "./check-rows.ts";
import { PAGE_STATUSES } from "./check-pages.ts";
import { Judgment } from "./judgment.ts";

const Id = z.uuid();
const MaybeTime = Time.nullable();
const Credits = z.number().nullable();

const Summary = z.strictObject({
  totalPages: Count,
  same: Count,
  changed: Count,
  new: Count,
  removed: Count,
  error: Count,
});

export const MonitorShape = z.strictObject({
  id: Id,
  name: z.string(),
  status: z.enum(["active", "paused", "deleted"]),
  schedule: z.strictObject({ cron: z.string(), timezone: z.string() }),
  nextRunAt: MaybeTime,
  lastRunAt: MaybeTime,
  currentCheckId: Id.nullable().describe("Of the check that is under way."),
  targets: z.array(z.looseObject({ id: z.string(), type: z.enum(["scrape", "crawl", "search"]) })),
  webhook: z.looseObject({}).nullable().describe("Values of headers are masked."),
  notification: z.looseObject({}).nullable(),
  retentionDays: z.int(),
  estimatedCreditsPerMonth: Credits,
  lastCheckSummary: Summary.nullable(),
  goal: z.string().nullable(),
  judgeEnabled: z.boolean(),
  createdAt: Time,
  updatedAt: Time,
});

export const CheckShape = z.strictObject({
  id: Id,
  monitorId: Id,
  status: z.enum(CHECK_STATUSES),
  trigger: z.enum(["scheduled", "manual"]),
  scheduledFor: MaybeTime,
  startedAt: MaybeTime,
  finishedAt: MaybeTime,
  estimatedCredits: Credits,
  reservedCredits: Credits,
  actualCredits: Credits.describe("Once it has ended."),
  billingStatus: z.enum(["not_applicable", "reserved", "confirmed", "released", "failed"]),
  summary: Summary,
  targetResults: z.array(z.looseObject({ targetId: z.string(), type: z.string() })),
  notificationStatus: z.unknown(),
  error: z.string().nullable(),
  warning: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
});

export const PageShape = z.strictObject({
  id: Id,
  targetId: z.string(),
  url: z.string(),
  status: z.enum(PAGE_STATUSES),
  previousScrapeId: z.string().nullable(),
  currentScrapeId: z.string().nullable(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  metadata: z.unknown(),
  judgment: Judgment.nullable(),
  diff: z
    .looseObject({})
    .nullable()
    .describe(
      "Of a changed page: `text` as a unified diff, and `json` as its files, or as values by their paths.",
    ),
  snapshot: z.looseObject({}).optional().describe("The values of the page, where they are compared."),
  createdAt: Time,
});

const summary = { totalPages: 1, same: 0, changed: 1, new: 0, removed: 0, error: 0 };
const monitorExample = {
  id: SCRAPE_ID,
  name: "Prices",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: LATER,
  lastRunAt: DAY,
  currentCheckId: null,
  targets: [{ id: SCRAPE_ID, type: "scrape", urls: [URL] }],
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
  targetResults: [{ targetId: SCRAPE_ID, type: "scrape", expectedJobs: [SCRAPE_ID] }],
  notificationStatus: null,
  error: null,
  createdAt: DAY,
  updatedAt: DAY,
};
const pageExample = {
  id: SCRAPE_ID,
  targetId: SCRAPE_ID,
  url: URL,
  status: "changed",
  previousScrapeId: SCRAPE_ID,
  currentScrapeId: SCRAPE_ID,
  statusCode: 200,
  error: null,
  metadata: { title: "Example" },
  judgment: null,
  diff: { text: "@@ -1 +1 @@\n-old\n+new\n", json: { files: [] } },
  createdAt: DAY,
};

export const oneMonitor = defineShape(
  "Monitor",
  z.strictObject({ success: Success, data: MonitorShape, warning: z.string().optional() }),
  { success, data: monitorExample },
);

export const manyMonitors = defineShape(
  "Monitors",
  z.strictObject({ success: Success, data: z.array(MonitorShape) }),
  { success, data: [monitorExample] },
);

export const startedCheck = defineShape(
  "StartedMonitorCheck",
  z.strictObject({ success: Success, id: Id, data: CheckShape }),
  { success, id: SCRAPE_ID, data: checkExample },
);

/** A monitor that cannot be run now. */
export const runFailure = defineShape(
  "MonitorRunError",
  FailureAnswer.extend({ checkId: Id.exactOptional().describe("Of the check that is under way.") }),
  { success: false, error: "Monitor check is already running.", checkId: SCRAPE_ID },
);

export const manyChecks = defineShape(
  "MonitorChecks",
  z.strictObject({ success: Success, data: z.array(CheckShape) }),
  { success, data: [checkExample] },
);

const Next = z.string().optional().describe("Where the next pages are, if there are more now.");

export const oneCheck = defineShape(
  "MonitorCheck",
  z.strictObject({
    success: Success,
    next: Next,
    data: CheckShape.extend({ pages: z.array(PageShape), next: Next }),
  }),
  { success, data: { ...checkExample, pages: [pageExample] } },
);
