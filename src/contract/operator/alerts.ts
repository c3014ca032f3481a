import { z } from "zod";

import { DAY, KEY_ID, success } from "../example-values.ts";
import { defineShape } from "../operation.ts";
import { answerOf, Id, Time, Version } from "./fields.ts";
import { operatorOperation } from "./operator-operation.ts";

const MAX_URL_LENGTH = 2048;
const MAX_RECIPIENTS = 20;
/** Figures by the minute are kept for three hours. */
const MAX_WINDOW_MINUTES = 120;
const MAX_COUNT = 1_000_000_000_000;

/** Rules of alerts. */
export const AlertRules = z.strictObject({
  parts: z.boolean().describe("Whether to alert when a part has failed three times in a row in real use."),
  errorRate: z
    .strictObject({
      percent: z.int().min(1).max(100).describe("Alert from this percentage of failed requests."),
      windowMinutes: z.int().min(1).max(MAX_WINDOW_MINUTES).default(15),
      minRequests: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(20)
        .describe("No alert with fewer requests in the window."),
    })
    .nullable(),
  credits: z
    .strictObject({ below: z.int().min(1).max(MAX_COUNT).describe("Credits left of a team.") })
    .nullable(),
});

const WebhookUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).max(MAX_URL_LENGTH);
const Recipient = z
  .string()
  .max(320)
  .regex(/^[^<>\s@]+@[^<>\s@]+$/, { error: "must be a mail address" });

export const AlertSettings = z.strictObject({
  rules: AlertRules,
  webhook: z
    .strictObject({ url: WebhookUrl })
    .nullable()
    .optional()
    .describe("Replaces the URL, with a new secret; null removes it; left out, both stay."),
  rotateSecret: z.boolean().default(false).describe("Whether the webhook gets a new secret."),
  mail: z.array(Recipient).max(MAX_RECIPIENTS).describe("Recipients. Requires `SMTP_URL`."),
});

const Alert = z.strictObject({
  cause: z.string().describe("The same while it lasts, such as `part Language model`."),
  title: z.string(),
  detail: z.string(),
  since: Time,
});

const Message = z.strictObject({
  id: Id,
  channel: z.enum(["webhook", "mail"]),
  title: z.string(),
  state: z.enum(["pending", "sent", "failed"]),
  problem: z.string().nullable(),
  createdAt: Time,
  endedAt: Time.nullable(),
});

export const AlertsAnswer = answerOf(
  z.strictObject({
    version: Version,
    rules: AlertRules,
    webhook: z
      .strictObject({ origin: z.string() })
      .nullable()
      .describe("Its origin alone: URLs of webhooks are often secret."),
    secret: z
      .string()
      .nullable()
      .describe("What messages are signed with. Only in the answer to the change that made it."),
    mail: z.array(z.string()),
    canMail: z.boolean().describe("False when `SMTP_URL` is not set."),
    alerts: z.array(Alert).describe("Current alerts, newest first, at most 200."),
    messages: z.array(Message).describe("The last 50 messages, newest first."),
  }),
);

export const AlertTestAnswer = answerOf(
  z.strictObject({
    results: z
      .array(z.strictObject({ channel: z.enum(["webhook", "mail"]), ok: z.boolean(), detail: z.string() }))
      .describe("One entry per configured channel."),
  }),
);

export type AlertRules = z.output<typeof AlertRules>;
export type AlertSettings = z.output<typeof AlertSettings>;
export type AlertsAnswer = z.output<typeof AlertsAnswer>;
export type AlertTestAnswer = z.output<typeof AlertTestAnswer>;

const rules = {
  parts: true,
  errorRate: { percent: 20, windowMinutes: 15, minRequests: 20 },
  credits: { below: 1000 },
};

const answer = defineShape("Alerts", AlertsAnswer, {
  success,
  data: {
    version: "3",
    rules,
    webhook: { origin: "https://hooks.example" },
    secret: null,
    mail: ["operator@example.com"],
    canMail: true,
    alerts: [
      {
        cause: "part Language model small",
        title: "Language model (small) does not work",
        detail: "It failed 4 times in a row: The language model took too long.",
        since: DAY,
      },
    ],
    messages: [
      {
        id: KEY_ID,
        channel: "webhook",
        title: "Language model (small) does not work",
        state: "sent",
        problem: null,
        createdAt: DAY,
        endedAt: DAY,
      },
    ],
  },
});

export const readAlerts = operatorOperation({
  line: "GET /admin/api/alerts",
  summary: "Read the alert rules, their channels and the current alerts",
  answer,
});

export const changeAlerts = operatorOperation({
  line: "PUT /admin/api/alerts",
  summary: "Change the alert rules and their channels",
  body: defineShape("AlertSettings", AlertSettings, {
    rules,
    webhook: { url: "https://hooks.example/alerts" },
    rotateSecret: false,
    mail: ["operator@example.com"],
  }),
  answer,
  errors: [412],
});

export const testAlerts = operatorOperation({
  line: "POST /admin/api/alerts/test",
  summary: "Send a test message by every configured way, and return what came of it",
  answer: defineShape("TestedAlerts", AlertTestAnswer, {
    success,
    data: { results: [{ channel: "webhook", ok: true, detail: "The receiver answered with status 200." }] },
  }),
});
