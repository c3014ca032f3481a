import { z } from "zod";

import { boundedRecord } from "../../api/bounded-record.ts";
import { DAY, SCRAPE_ID, TEAM_ID } from "../../api/example-values.ts";
import { answerOf, Count, Id, pageOf, Time } from "../../api/operator-fields.ts";
import { MAX_COUNTED_REQUESTS, type RequestQuery } from "./request-query-shapes.ts";
import { maskUrl } from "../../scrape/request/masked-body.ts";
import type { RequestFilter, RequestRow } from "../record-search.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";

/**
 * A row of the log. A refused call without a valid key belongs to no team, so its `teamId` is empty. It
 * contains nothing of requests with zero data retention or lockdown.
 */
export const RequestEntry = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  kind: z.string().describe("Kind of work: scrape, map, session, tool …; refused for a refused call."),
  url: z
    .string()
    .describe(
      "For work without a page, what it was: `search:`, `tool:`, `session:`, or the path of a refused call.",
    ),
  status: z.enum(["completed", "failed"]),
  statusCode: z.int().nullable().describe("HTTP status of the page."),
  errorCode: z.string().nullable(),
  creditsUsed: Count,
  durationMs: Count,
  cacheState: z.enum(["hit", "miss"]).nullable(),
  origin: z.string().nullable(),
  formats: z.array(z.string()).describe("Requested formats. Empty for old requests recorded without them."),
  way: z
    .string()
    .nullable()
    .describe("Source of the page: cache, http, browser …; null when no page was fetched."),
  replayOf: Id.nullable().describe("The request that this one repeats."),
  parentId: Id.nullable().describe("The job, search or session that it is part of."),
  isPartial: z.boolean().describe("Whether the response lacks something that was asked for."),
  createdAt: Time,
});

export const RequestsAnswer = pageOf(RequestEntry).extend({
  lookedBackTo: Time.nullable().describe(
    "A page of a rare filter ends after 30,000 requests, perhaps without rows: it has looked back to this time, and `cursor` leads on. Null: everything was looked at.",
  ),
  total: Count.exactOptional().describe(
    `With \`count=true\`: how many requests fit the filter, of those that the first page looks at. ${MAX_COUNTED_REQUESTS} means that many or more.`,
  ),
});

/** A stage of the request with its duration. Stages can overlap. */
const Stage = () =>
  z.strictObject({
    name: z.string(),
    durationMs: z.number().min(0),
    startMs: z
      .number()
      .min(0)
      .nullable()
      .describe("From when on, since the start of the request; null for old requests recorded without it."),
  });

const Explanation = () =>
  z.strictObject({
    what: z.string().describe("What happened, in one sentence."),
    cause: z.string().nullable().describe("The error message at the time."),
    remedy: z.string().nullable().describe("What to do; null when nothing can be done."),
  });

/** `GET /admin/api/requests/{id}`. */
export const RequestAnswer = () =>
  answerOf(
    z.strictObject({
      request: RequestEntry,
      body: z
        .json()
        .describe("The body as sent, with secrets replaced by `***`; null when it is not stored."),
      masked: z
        .array(z.string())
        .describe(
          "Paths of the secrets in the body, such as `headers.authorization`. Fill them in before a replay.",
        ),
      explanation: Explanation(),
      timings: z
        .array(Stage())
        .describe(
          "Stages in the order in which they began, failed requests included. Empty for old requests recorded without them.",
        ),
      climbed: z
        .strictObject({ from: z.string(), because: z.string() })
        .nullable()
        .describe("The first way that was tried and why it was not enough; null when the first way was."),
      hasAnswer: z.boolean().describe("True while `…/answer` returns the response: for one day."),
      pageImages: Count.describe(
        "Number of pages available as `…/pages/{n}.png`, from 1; 0 unless the response is a document.",
      ),
      replays: z.array(Id).describe("Requests that repeated this one, newest first."),
    }),
  );

/** `POST /admin/api/requests/{id}/replay`. */
export const ReplayRequest = () =>
  z.strictObject({
    body: boundedRecord(z.json())
      .optional()
      .describe("Replaces the stored body. Omit it to send the stored body again."),
    fill: boundedRecord(z.string().max(10_000))
      .optional()
      .describe("Values for the masked secrets, by path, such as `headers.authorization`."),
  });

/** The outcome of the replay. Its answer belongs to the request with this id. */
export const ReplayAnswer = () =>
  answerOf(
    z.strictObject({
      id: Id,
      replayOf: Id,
      status: z.enum(["completed", "failed"]),
      errorCode: z.string().nullable(),
      error: z.string().nullable(),
    }),
  );

export type RequestEntry = z.output<typeof RequestEntry>;
export type RequestsAnswer = z.output<typeof RequestsAnswer>;
export type RequestAnswer = z.output<ReturnType<typeof RequestAnswer>>;
export type ReplayRequest = z.output<ReturnType<typeof ReplayRequest>>;
export type ReplayAnswer = z.output<ReturnType<typeof ReplayAnswer>>;

export const REPLAY_ID = "019a1feb-b000-7000-8000-000000000005";

export const requestExample = {
  id: SCRAPE_ID,
  teamId: TEAM_ID,
  keyId: null,
  kind: "scrape",
  url: "https://example.com/",
  status: "completed",
  statusCode: 200,
  errorCode: null,
  creditsUsed: 1,
  durationMs: 412,
  cacheState: "miss",
  origin: "api",
  formats: ["markdown"],
  way: "http",
  replayOf: null,
  parentId: null,
  isPartial: false,
  createdAt: DAY,
};

/** `GET /admin/api/failures`. */
export const FailuresAnswer = () =>
  answerOf(
    z.array(
      z.strictObject({
        code: z.string(),
        host: z.string().describe("Empty if there was no page."),
        count: Count,
        firstAt: Time,
        lastAt: Time,
        newestId: Id.describe("Id of the newest of them."),
      }),
    ),
  ).extend({ total: Count.describe("How many failures there are, in these groups and all others.") });

/** Translates the query into a filter of the store. */
export function requestFilterOf(query: RequestQuery): RequestFilter {
  const { team, key, code, since, until, partial, refused, ...same } = query;
  return {
    ...same,
    teamId: team,
    keyId: key,
    errorCode: code,
    isPartial: partial === "true",
    withoutRefused: refused === "false",
    sinceMs: since === undefined ? undefined : Date.parse(since),
    untilMs: until === undefined ? undefined : Date.parse(until),
  };
}

/** A request for the operator. Passwords and keys in its address are removed. */
export function showRequest({ createdAtMs, url, ...row }: RequestRow): RequestEntry {
  return { ...row, url: maskUrl(url), createdAt: new Date(createdAtMs).toISOString() } as RequestEntry;
}

/** A record for the operator. Passwords and keys in its address are removed. */
export function showRecord(record: ScrapeRecord): RequestEntry {
  return showRequest({
    id: record.id,
    teamId: record.teamId,
    keyId: record.keyId ?? null,
    kind: record.kind ?? "scrape",
    url: record.url,
    status: record.status,
    statusCode: record.statusCode ?? null,
    errorCode: record.errorCode ?? null,
    creditsUsed: record.creditsUsed,
    durationMs: record.durationMs,
    cacheState: record.cacheState ?? null,
    origin: record.origin ?? null,
    formats: record.formats ?? [],
    way: record.way ?? null,
    replayOf: record.replayOf ?? null,
    parentId: record.parentId ?? null,
    isPartial: record.isPartial === 1,
    createdAtMs: record.createdAtMs,
  });
}
