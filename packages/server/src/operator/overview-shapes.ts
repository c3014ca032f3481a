import { z } from "zod";

import { DAY, LATER, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { operatorOperation } from "../api/operator-operation.ts";
import { requestExample } from "../history/operator/requests-shapes.ts";
import { answerOf, Count, Time } from "../api/operator-fields.ts";
import { JobEntry } from "../jobs/operator/jobs-shapes.ts";
import { RequestEntry } from "../history/operator/requests-shapes.ts";

/** `GET /admin/api/overview`. */
export const OverviewQuery = z.object({ days: z.coerce.number().int().min(1).max(400).default(30) });

/** Figures of a span of time. */
export const Figures = z.strictObject({
  pages: Count.describe("Finished requests, sessions and tool calls, successful or not."),
  failed: Count,
  refused: Count.describe("Calls that were refused before any work began. Not part of `pages`."),
  cacheHits: Count,
  credits: Count,
  p50Ms: Count.nullable().describe(
    "Median duration of requests, estimated with an error of at most a sixth; null without requests.",
  ),
  p95Ms: Count.nullable(),
});

/** How the service does just now. */
export const LiveStatus = z.strictObject({
  uptimeSeconds: Count,
  fetching: Count.describe("Pages being fetched now."),
  fetchingLimit: Count.describe("Maximum number of pages fetched at once."),
  waiting: Count.describe("Pages waiting for a slot."),
  memoryBytes: Count,
  eventLoopLagMs: Count,
  overloaded: z.string().nullable().describe("Why requests are rejected; null when they are accepted."),
  sessions: Count.describe("Live browser sessions."),
  viewers: Count.describe("Open dashboards."),
});

export const OverviewAnswer = answerOf(
  z.strictObject({
    from: Time,
    to: Time,
    step: z.enum(["hour", "day"]).describe("Length of the entries of `days`: hours for one day."),
    total: Figures,
    previous: Figures.describe("The preceding period of the same length."),
    days: z
      .array(z.strictObject({ start: Time, ...Figures.shape }))
      .describe("One entry per period in UTC, oldest first, without gaps."),
    lastHour: z
      .array(z.strictObject({ start: Time, pages: Count, failed: Count }))
      .describe("One entry per minute, oldest first, without gaps."),
    now: LiveStatus,
    latest: z.array(RequestEntry).describe("The ten latest requests, newest first."),
  }),
);

const SetupCheck = z.strictObject({
  name: z.string(),
  status: z.enum(["found", "missing", "problem"]),
  detail: z.string(),
  cost: z.string().nullable().describe("What does not work without it."),
  remedy: z.string().nullable().describe("How to install or enable it."),
});

/** `GET /admin/api/setup`: what the doctor found. */
export const SetupAnswer = answerOf(z.strictObject({ checkedAt: Time, checks: z.array(SetupCheck) }));
export const SetupQuery = z.object({
  fresh: z
    .enum(["true", "false"])
    .default("false")
    .describe("True to check again instead of returning the last result."),
});

/**
 * `GET /admin/api/events`, a stream of server-sent events. `status` comes each second, `request` for each that ended,
 * `job` for each that has moved on, twice a second at most.
 * Their `id` resumes: `Last-Event-ID` gets what came since, as long as it is remembered; else `reset` says to load again.
 */
export const OperatorEvent = z.discriminatedUnion("event", [
  z.strictObject({ event: z.literal("status"), data: LiveStatus }),
  z.strictObject({ event: z.literal("request"), data: RequestEntry }),
  z.strictObject({ event: z.literal("job"), data: JobEntry }),
  z.strictObject({
    event: z.literal("session"),
    data: z.strictObject({ id: z.string(), state: z.string() }),
  }),
  z.strictObject({ event: z.literal("reset"), data: z.strictObject({}) }),
]);

export type Figures = z.output<typeof Figures>;
export type LiveStatus = z.output<typeof LiveStatus>;
export type OverviewAnswer = z.output<typeof OverviewAnswer>;
export type SetupAnswer = z.output<typeof SetupAnswer>;
export type OperatorEvent = z.output<typeof OperatorEvent>;

export const figuresExample = {
  pages: 120,
  failed: 3,
  refused: 1,
  cacheHits: 40,
  credits: 130,
  p50Ms: 412,
  p95Ms: 3100,
};

const now = {
  uptimeSeconds: 86_400,
  fetching: 2,
  fetchingLimit: 8,
  waiting: 0,
  memoryBytes: 150_000_000,
  eventLoopLagMs: 1,
  overloaded: null,
  sessions: 0,
  viewers: 1,
};

export const readOverview = operatorOperation({
  line: "GET /admin/api/overview",
  summary: "Figures for the last days and the last hour, the state of the service, and the latest requests",
  query: OverviewQuery,
  answer: defineShape("Overview", OverviewAnswer, {
    success,
    data: {
      from: DAY,
      to: LATER,
      step: "day",
      total: figuresExample,
      previous: figuresExample,
      days: [{ start: DAY, ...figuresExample }],
      lastHour: [{ start: DAY, pages: 2, failed: 0 }],
      now,
      latest: [requestExample],
    },
  }),
  errors: [400],
});

export const readSetup = operatorOperation({
  line: "GET /admin/api/setup",
  summary: "Results of the doctor: what is missing, what does not work without it, and how to install it",
  query: SetupQuery,
  answer: defineShape("Setup", SetupAnswer, {
    success,
    data: {
      checkedAt: DAY,
      checks: [
        {
          name: "Language model",
          status: "missing",
          detail: "not configured",
          cost: "No structured data by prompt or schema.",
          remedy: "Set LLM_BASE_URL.",
        },
      ],
    },
  }),
  errors: [400],
});
