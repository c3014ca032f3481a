import { z } from "zod";

import { boundedRecord } from "../bounded-record.ts";
import { codedStatuses } from "../error-codes.ts";
import { DAY, KEY_ID, lastPage, SCRAPE_ID, scrapeIdPart, success, TEAM_ID } from "../example-values.ts";
import { defineShape } from "../operation.ts";
import { operatorOperation } from "./operator-operation.ts";
import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "./fields.ts";

/** `GET /admin/api/requests`, `GET /admin/api/requests.jsonl`. */
export const RequestQuery = z.object({
  team: TeamQuery,
  key: z.string().max(100).optional().describe("Id of the key."),
  status: z.enum(["completed", "failed"]).optional(),
  domain: z.string().max(253).optional().describe("A host name; its subdomains count too."),
  search: z.string().max(500).optional().describe("A part of the address, or an id."),
  code: z.string().max(100).optional().describe("Code of the error."),
  statusCode: z.coerce.number().int().min(0).max(999).optional().describe("Of the page itself."),
  format: z.string().max(50).optional(),
  way: z.string().max(50).optional().describe("How the page was got: cache, http, browser …"),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional().describe("Not included."),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** One line of the log. Nothing of requests with zero data retention or lockdown is in it. */
export const RequestEntry = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  url: z.string(),
  status: z.enum(["completed", "failed"]),
  statusCode: z.int().nullable().describe("Of the page itself."),
  errorCode: z.string().nullable(),
  creditsUsed: Count,
  durationMs: Count,
  cacheState: z.enum(["hit", "miss"]).nullable(),
  origin: z.string().nullable(),
  formats: z.array(z.string()).describe("Wanted formats. Empty for requests from before they were noted."),
  way: z.string().nullable().describe("How the page was got: cache, http, browser …; null when it was not."),
  replayOf: Id.nullable().describe("The request that this one repeats."),
  createdAt: Time,
});

export const RequestsAnswer = pageOf(RequestEntry);

/** Where the time went. */
const Stage = z.strictObject({ name: z.string(), durationMs: z.number().min(0) });

/** What happened, in words. */
const Explanation = z.strictObject({
  what: z.string().describe("What happened, in one sentence."),
  cause: z.string().nullable().describe("As the service said it then."),
  remedy: z.string().nullable().describe("What to do; null when there is nothing to be done."),
});

/** `GET /admin/api/requests/{id}`. */
export const RequestAnswer = answerOf(
  z.strictObject({
    request: RequestEntry,
    body: z.json().describe("As it was sent, secrets replaced by `***`; null when it is not kept."),
    masked: z
      .array(z.string())
      .describe(
        "Paths of secrets in the body, such as `headers.authorization`: to be filled in before a replay.",
      ),
    explanation: Explanation,
    timings: z
      .array(Stage)
      .describe("In the order in which they ended; empty for requests from before they were noted."),
    hasAnswer: z.boolean().describe("Whether `…/answer` still has it: for a day."),
    pageImages: Count.describe("How many pages `…/pages/{n}.png` has, from 1 on; 0 unless it is a document."),
    replays: z.array(Id).describe("Requests that repeated this one, newest first."),
  }),
);

/** `POST /admin/api/requests/{id}/replay`. */
export const ReplayRequest = z.strictObject({
  body: boundedRecord(z.json())
    .optional()
    .describe("Instead of the kept one, as a whole. Left out: the kept one is sent again."),
  fill: boundedRecord(z.string().max(10_000))
    .optional()
    .describe("Values of masked secrets by their path, such as `headers.authorization`."),
});

/** How the replay ended; its answer is that of the request with this id. */
export const ReplayAnswer = answerOf(
  z.strictObject({
    id: Id,
    replayOf: Id,
    status: z.enum(["completed", "failed"]),
    errorCode: z.string().nullable(),
    error: z.string().nullable(),
  }),
);

export type RequestQuery = z.output<typeof RequestQuery>;
export type RequestEntry = z.output<typeof RequestEntry>;
export type RequestsAnswer = z.output<typeof RequestsAnswer>;
export type RequestAnswer = z.output<typeof RequestAnswer>;
export type ReplayRequest = z.output<typeof ReplayRequest>;
export type ReplayAnswer = z.output<typeof ReplayAnswer>;

export const REPLAY_ID = "019a1feb-b000-7000-8000-000000000005";

export const requestExample = {
  id: SCRAPE_ID,
  teamId: TEAM_ID,
  keyId: null,
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
  createdAt: DAY,
};

export const listRequests = operatorOperation({
  line: "GET /admin/api/requests",
  summary: "Requests of all teams, newest first",
  query: RequestQuery,
  answer: defineShape("Requests", RequestsAnswer, {
    ...lastPage,
    data: [{ ...requestExample, keyId: KEY_ID }],
  }),
  errors: [400],
});

export const readRequest = operatorOperation({
  line: "GET /admin/api/requests/{id}",
  summary: "A request: what was asked for without its secrets, why it ended so, where the time went",
  params: { id: scrapeIdPart },
  answer: defineShape("RequestDetail", RequestAnswer, {
    success,
    data: {
      request: requestExample,
      body: { url: "https://example.com", headers: { authorization: "***" } },
      masked: ["headers.authorization"],
      explanation: { what: "The page was answered as asked for.", cause: null, remedy: null },
      timings: [{ name: "visit", durationMs: 380.5 }],
      hasAnswer: true,
      pageImages: 0,
      replays: [],
    },
  }),
  errors: [404],
});

export const replayRequest = operatorOperation({
  line: "POST /admin/api/requests/{id}/replay",
  summary: "Do a request again, as it was or with changes, in the name of its team and key",
  params: { id: scrapeIdPart },
  body: defineShape("ReplayRequest", ReplayRequest, { fill: { "headers.authorization": "Bearer …" } }),
  answer: defineShape("Replay", ReplayAnswer, {
    success,
    data: {
      id: REPLAY_ID,
      replayOf: SCRAPE_ID,
      status: "completed",
      errorCode: null,
      error: null,
    },
  }),
  errors: [...codedStatuses, 429],
});
