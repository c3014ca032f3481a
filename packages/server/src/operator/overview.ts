import { z } from "zod";

import { DAY, LATER, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
import { spansMs } from "../history/figures/figure-spans.ts";
import type { Figures } from "../history/figures/figures.ts";
import type { RequestFilter, RequestPage } from "../history/record-search.ts";
import { figuresExample, pagesOf, seriesOf, SpanFigures, startOf, sumFigures } from "./usage/figure-sums.ts";
import { JobEntry } from "../jobs/operator/show-job.ts";
import { RequestEntry, requestExample, showRequest } from "../history/operator/show-request.ts";

/** `GET /admin/api/overview`. */
const OverviewQuery = z.object({ days: z.coerce.number().int().min(1).max(400).default(30) });

export const LiveStatus = z.strictObject({
  uptimeSeconds: Count,
  fetching: Count,
  fetchingLimit: Count,
  waiting: Count,
  memoryBytes: Count,
  eventLoopLagMs: Count,
  overloaded: z.string().nullable(),
  sessions: Count,
  viewers: Count,
});

export const OverviewAnswer = () =>
  answerOf(
    z.strictObject({
      from: Time,
      to: Time,
      step: z.enum(["hour", "day"]),
      total: SpanFigures,
      previous: SpanFigures,
      days: z.array(z.strictObject({ start: Time, ...SpanFigures.shape })),
      lastHour: z.array(z.strictObject({ start: Time, pages: Count, failed: Count })),
      now: LiveStatus,
      latest: z.array(RequestEntry),
    }),
  );

const SetupCheck = () =>
  z.strictObject({
    name: z.string(),
    status: z.enum(["found", "missing", "problem"]),
    detail: z.string(),
    cost: z.string().nullable(),
    remedy: z.string().nullable(),
  });

/** `GET /admin/api/setup` returns the findings of the doctor. */
export const SetupAnswer = () => answerOf(z.strictObject({ checkedAt: Time, checks: z.array(SetupCheck()) }));
export const SetupQuery = z.object({
  fresh: z.enum(["true", "false"]).default("false"),
});

/**
 * `GET /admin/api/events` is a stream of server-sent events. `status` comes each second, `request` for each
 * ended request, and `job` for each job that made progress, at most twice a second. `Last-Event-ID` resumes
 * the stream with the missed events while they are remembered. Otherwise `reset` tells the client to reload.
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

export type LiveStatus = z.output<typeof LiveStatus>;
export type OverviewAnswer = z.output<ReturnType<typeof OverviewAnswer>>;
export type SetupAnswer = z.output<ReturnType<typeof SetupAnswer>>;
export type OperatorEvent = z.output<typeof OperatorEvent>;

const liveExample = {
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

export interface OverviewServices {
  readonly figures: Figures;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly now: () => LiveStatus;
  readonly clock: () => number;
}

const LATEST = 10;

export const overview = defineOperation({
  ...forOperator,
  line: "GET /admin/api/overview",
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
      now: liveExample,
      latest: [requestExample],
    },
  }),
  errors: [400],
  handle: async ({ query: { days } }, services: OverviewServices) => ({
    success: true,
    data: await overviewOf(days, services),
  }),
});

async function overviewOf(
  days: number,
  { figures, requests, now, clock }: OverviewServices,
): Promise<OverviewAnswer["data"]> {
  const nowMs = clock();
  const step = days === 1 ? "hour" : "day";
  // The last step is still running, so "a day" covers the last 24 steps and not the part of today that is
  // over.
  const toMs = startOf(nowMs, step) + spansMs[step];
  const fromMs = toMs - days * spansMs.day;
  const span = { span: step, fromMs, toMs } as const;
  const hour = lastHourOf(nowMs);
  const rows = await figures.read({ ...span, fromMs: fromMs - days * spansMs.day });
  const minutes = await figures.read(hour);
  const { data: latest } = await requests({ limit: LATEST });
  const present = rows.filter(({ startMs }) => startMs >= fromMs);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    step,
    total: sumFigures(present),
    previous: sumFigures(rows.filter(({ startMs }) => startMs < fromMs)),
    days: [...seriesOf(present, span, sumFigures)],
    lastHour: [
      ...seriesOf(minutes, hour, (found) => ({
        pages: pagesOf(found, "all"),
        failed: pagesOf(found, "failed"),
      })),
    ],
    now: now(),
    latest: latest.map(showRequest),
  };
}

function lastHourOf(nowMs: number) {
  const toMs = startOf(nowMs, "minute") + spansMs.minute;
  return { span: "minute", fromMs: toMs - spansMs.hour, toMs } as const;
}
