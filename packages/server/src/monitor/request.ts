import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { defined } from "@pergamon-dev/kit/defined";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { WebhookSetting } from "../jobs/job-rows.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import { Channel } from "./channels.ts";
import { webhookEvents, webhookSchema } from "../jobs/webhook-setting.ts";
import { type Target, targetsSchema } from "./targets.ts";

/** Name of monitors in webhooks and in the database. */
export const MONITOR = "monitor";
/** Event types without the first word. */

const MAX_NAME_LENGTH = 256;
const MAX_SCHEDULE_LENGTH = 128;
const MAX_GOAL_LENGTH = 2000;
const MAX_RECIPIENTS = 25;
const MAX_CHANNELS = 10;
const MAX_RETENTION_DAYS = 365;
export const DEFAULT_RETENTION_DAYS = 30;

const ScheduleText = z.string().max(MAX_SCHEDULE_LENGTH).optional();
const scheduleFields = z.strictObject({
  cron: ScheduleText.describe("Five fields; a day has to fit both fields of days."),
  text: ScheduleText.describe("`every 30 minutes`, `hourly`, `every 6 hours`, `daily at 9:00`, `weekly`."),
  timezone: z.string().max(100).optional().describe("IANA name. Default: UTC.").meta({ default: "UTC" }),
});

/** @param needsTimes whether the request must name times, not only a time zone. */
function scheduleSchema(needsTimes: boolean) {
  return scheduleFields.superRefine(({ cron, text }, context) => {
    const either = "Schedule must include either cron or text";
    if (cron !== undefined && text !== undefined) {
      context.addIssue({ code: "custom", path: ["text"], message: `${either}, not both` });
    }
    if (needsTimes && cron === undefined && text === undefined) {
      context.addIssue({ code: "custom", path: ["cron"], message: either });
    }
  });
}

const Email = z.strictObject({
  enabled: z.boolean().default(false),
  recipients: z.array(z.email().max(254)).max(MAX_RECIPIENTS).default([]),
  includeDiffs: z.boolean().default(false),
});
const Notification = z.strictObject({
  email: Email.optional(),
  channels: z.array(Channel).max(MAX_CHANNELS).optional().describe("Chats and other receivers of messages."),
  slack: z.unknown().optional().describe("Accepted, and without effect."),
});

type Notification = z.output<typeof Notification>;

const Goal = z
  .string()
  .max(MAX_GOAL_LENGTH)
  .nullable()
  .transform((text) => text || null)
  .describe("What matters, in words: a language model judges changes by it.");

/** Fields of both requests, without defaults. */
function commonFields({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  const webhook = webhookSchema(MONITOR, webhookEvents.monitor);
  return {
    name: z.string().min(1).max(MAX_NAME_LENGTH),
    webhook: webhook.optional(),
    notification: Notification.optional(),
    retentionDays: z.int().min(1).max(MAX_RETENTION_DAYS).optional().describe("How long checks are kept."),
    goal: Goal.optional(),
    judgeEnabled: z.boolean().optional().describe("Default: whether there is a goal."),
    origin: shape.origin,
    integration: shape.integration,
  };
}

/** Body of `POST /v2/monitor` (contract of the families, section 9.1). */
export function monitorRequestSchema(scrape: ReturnType<typeof scrapeRequestSchema>) {
  return z
    .strictObject({
      ...commonFields(scrape),
      schedule: scheduleSchema(true),
      targets: targetsSchema(scrape).describe("What is looked at."),
    })
    .superRefine(({ targets, goal, judgeEnabled }, context) =>
      checkGoal({ targets, goal: goal ?? null, judgeEnabled }, context),
    );
}

/** Body of `PATCH /v2/monitor/{id}`. Missing fields keep their values. */
export function monitorChangeSchema(scrape: ReturnType<typeof scrapeRequestSchema>) {
  const { webhook, notification, name, ...common } = commonFields(scrape);
  return z.strictObject({
    ...common,
    name: name.optional(),
    status: z.enum(["active", "paused"]).optional(),
    schedule: scheduleSchema(false).optional(),
    targets: targetsSchema(scrape).optional(),
    webhook: z.union([z.null(), webhook]).describe("Null removes it."),
    notification: notification.nullable().describe("Null removes it."),
  });
}

export type MonitorRequest = z.output<ReturnType<typeof monitorRequestSchema>>;
export type MonitorChange = z.output<ReturnType<typeof monitorChangeSchema>>;

/** Options of a monitor that decide what its checks do. */
export interface MonitorPlan {
  readonly targets: readonly Target[];
  readonly webhook: WebhookSetting | null;
  readonly notification: Notification | null;
  readonly goal: string | null;
  readonly judgeEnabled: boolean;
  /** Of the monitor; only checks have it here. */
  readonly name?: string;
}

/** Whether new content is judged, provided that a language model is configured. */
export function isJudging({ judgeEnabled, goal }: Pick<MonitorPlan, "judgeEnabled" | "goal">): boolean {
  return judgeEnabled && goal !== null;
}

interface Judged {
  readonly targets: readonly { readonly type: string }[];
  readonly goal: string | null;
  readonly judgeEnabled: boolean | undefined;
}

export function checkGoal({ targets, goal, judgeEnabled }: Judged, context?: z.RefinementCtx): void {
  if (goal !== null || judgeEnabled === false) return;
  const index = targets.findIndex(({ type }) => type === "search");
  if (index < 0) return;
  const message = "A search target requires a non-empty goal";
  if (!context) throw new ServiceError("BAD_REQUEST", { message });
  context.addIssue({ code: "custom", path: ["targets", index], message });
}

/**
 * Targets in stored form: with ids, and with scrape options as sent.
 * @param body body before it was parsed.
 */
export function keptTargets(parsed: MonitorRequest["targets"], body: object): readonly Target[] {
  const { targets: sent } = body as { readonly targets: readonly Readonly<Record<string, object>>[] };
  return parsed.map((target, index): Target => {
    const { scrapeOptions, crawlOptions } = sent[index] ?? {};
    const id = target.id?.toLowerCase() ?? uuidV7();
    if (target.type === "search") return { ...target, id };
    const options = scrapeOptions && { scrapeOptions };
    if (target.type === "crawl")
      return {
        id,
        type: target.type,
        url: target.url,
        ...(crawlOptions && { crawlOptions }),
        ...options,
        ...defined({ ignore: target.ignore }),
      };
    const { kind, threshold, schema, ignore } = target;
    const rules = defined({ kind, threshold, schema, ignore });
    return { id, type: target.type, urls: target.urls ?? [target.url ?? ""], ...options, ...rules };
  });
}
