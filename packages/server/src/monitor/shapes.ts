import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { FailureAnswer } from "../api/answer.ts";
import { DAY, LATER, MONTH, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { CheckPageShape, CheckShape, MonitorShape } from "../api/monitor.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";

const summary = { totalPages: 1, same: 0, changed: 1, new: 0, removed: 0, error: 0 };
const monitorExample = {
  id: SCRAPE_ID,
  name: "Prices",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: LATER,
  lastRunAt: DAY,
  currentCheckId: null,
  targets: [{ id: SCRAPE_ID, type: "scrape", urls: [EXAMPLE_URL] }],
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
  url: EXAMPLE_URL,
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

const Next = lazy(() => z.string().optional().describe("Where the next ones are, if there are more now."));

export const oneMonitor = defineShape(
  "Monitor",
  () => z.strictObject({ success: Success, data: MonitorShape(), warning: z.string().optional() }),
  { success, data: monitorExample },
);

export const manyMonitors = defineShape(
  "Monitors",
  () => z.strictObject({ success: Success, data: z.array(MonitorShape()), next: Next() }),
  { success, data: [monitorExample] },
);

export const startedCheck = defineShape(
  "StartedMonitorCheck",
  () => z.strictObject({ success: Success, id: z.uuid(), data: CheckShape() }),
  { success, id: SCRAPE_ID, data: checkExample },
);

/** Error of a monitor that cannot run now. */
export const runFailure = defineShape(
  "MonitorRunError",
  () =>
    FailureAnswer().extend({ checkId: z.uuid().exactOptional().describe("Of the check that is under way.") }),
  { success: false, error: "Monitor check is already running.", checkId: SCRAPE_ID },
);

export const manyChecks = defineShape(
  "MonitorChecks",
  () => z.strictObject({ success: Success, data: z.array(CheckShape()), next: Next() }),
  { success, data: [checkExample] },
);

export const oneCheck = defineShape(
  "MonitorCheck",
  () =>
    z.strictObject({
      success: Success,
      next: Next(),
      data: CheckShape().extend({ pages: z.array(CheckPageShape()), next: Next() }),
    }),
  { success, data: { ...checkExample, pages: [pageExample] } },
);
