import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

/** Shapes of monitors in responses to teams and to the operator. */
export const CHECK_STATUSES = [
  "queued",
  "running",
  "completed",
  "failed",
  "partial",
  "skipped_overlap",
  "skipped_no_credits",
] as const;
export const PAGE_STATUSES = ["same", "new", "changed", "removed", "error"] as const;

const Id = lazy(() => z.uuid());
const Count = lazy(() => z.int().min(0));
const Time = lazy(() => z.iso.datetime());
const MaybeTime = lazy(() => Time().nullable());
const Credits = lazy(() => z.number().nullable());
const Text = z.string().max(2000);

/** Number of pages of a check by outcome. */
export const MonitorSummary = lazy(() =>
  z.strictObject({
    totalPages: Count(),
    same: Count(),
    changed: Count(),
    new: Count(),
    removed: Count(),
    error: Count(),
  }),
);

/** A model's judgment of a change (contract of the families, section 9.4). */
export const Judgment = z.strictObject({
  meaningful: z.boolean(),
  confidence: z.enum(["high", "medium", "low"]),
  reason: Text,
  meaningfulChanges: z
    .array(
      z.strictObject({
        type: z.enum(["added", "removed", "changed"]),
        before: Text.nullable(),
        after: Text.nullable(),
        reason: Text,
      }),
    )
    .max(50),
});

export type Judgment = z.output<typeof Judgment>;

export const MonitorShape = lazy(() =>
  z.strictObject({
    id: Id(),
    name: z.string(),
    status: z.enum(["active", "paused", "deleted"]),
    schedule: z.strictObject({ cron: z.string(), timezone: z.string() }),
    nextRunAt: MaybeTime(),
    lastRunAt: MaybeTime(),
    currentCheckId: Id().nullable().describe("Of the check that is under way."),
    targets: z.array(z.looseObject({ id: z.string(), type: z.enum(["scrape", "crawl", "search"]) })),
    webhook: z.looseObject({}).nullable().describe("Values of headers are masked."),
    notification: z.looseObject({}).nullable(),
    emailRecipientSubscriptions: z
      .array(
        z.strictObject({
          email: z.string(),
          status: z.enum(["pending", "confirmed", "unsubscribed"]),
          source: z.enum(["team", "opt_in"]).describe("team: of a domain that the operator has set."),
          confirmationEmailSent: z.boolean(),
        }),
      )
      .optional()
      .describe("Whether recipients want messages. Only where mail can be sent, and not in lists."),
    retentionDays: z.int(),
    estimatedCreditsPerMonth: Credits(),
    lastCheckSummary: MonitorSummary().nullable(),
    goal: z.string().nullable(),
    judgeEnabled: z.boolean(),
    createdAt: Time(),
    updatedAt: Time(),
  }),
);

export const CheckShape = lazy(() =>
  z.strictObject({
    id: Id(),
    monitorId: Id(),
    status: z.enum(CHECK_STATUSES),
    trigger: z.enum(["scheduled", "manual"]),
    scheduledFor: MaybeTime(),
    startedAt: MaybeTime(),
    finishedAt: MaybeTime(),
    estimatedCredits: Credits(),
    reservedCredits: Credits(),
    actualCredits: Credits().describe("Once it has ended."),
    billingStatus: z.enum(["not_applicable", "reserved", "confirmed", "released", "failed"]),
    summary: MonitorSummary(),
    targetResults: z.array(z.looseObject({ targetId: z.string(), type: z.string() })),
    notificationStatus: z.unknown(),
    error: z.string().nullable(),
    warning: z.string().optional(),
    createdAt: Time(),
    updatedAt: Time(),
  }),
);

export const CheckPageShape = lazy(() =>
  z.strictObject({
    id: Id(),
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
    createdAt: Time(),
  }),
);
