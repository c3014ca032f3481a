import { z } from "zod";

import {
  DAY,
  LATER,
  lastPage,
  SCRAPE_ID,
  success,
  TEAM_ID,
  URL as EXAMPLE_URL,
} from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import {
  answerOf,
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  TeamQuery,
  Time,
} from "../../api/operator-fields.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

const JobState = z.enum(["scraping", "completed", "cancelled", "failed"]);

/** `GET /admin/api/jobs`, newest first. */
export const JobQuery = z.object({
  team: TeamQuery,
  kind: z.string().max(100).optional().describe("Such as batch_scrape."),
  state: JobState.optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

/** A batch, a crawl or the like. */
export const JobEntry = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  kind: z.string().describe("Such as batch_scrape: the first word of its webhooks."),
  firstUrl: z
    .string()
    .nullable()
    .describe("Of its first page, without credentials; null before that, and with zero data retention."),
  question: z.string().nullable().describe("What an agent was asked, its beginning; null for other jobs."),
  state: JobState.describe("scraping also while it waits for its turn."),
  isPrivate: z.boolean().describe("Zero data retention: page data is hidden."),
  total: Count.describe("Pages so far: made, failed and to do."),
  completed: Count.describe("Documents."),
  failed: Count,
  running: Count.describe("Pages that are being made, or are next."),
  creditsUsed: z.number().min(0),
  createdAt: Time,
  endedAt: Time.nullable(),
  warnings: z.array(z.string()),
  error: z.string().nullable().describe("Why it could not be done, when it has failed."),
});

export const JobsAnswer = pageOf(JobEntry);

const Cause = z.strictObject({
  code: z.string().nullable(),
  count: Count,
  message: z.string().describe("Of the first page that failed so."),
});

const Receiver = z.strictObject({
  origin: z.string().describe("Scheme and host: the path may hold secrets."),
  counts: z
    .strictObject({ waiting: Count, handed: Count, delivered: Count, dead: Count })
    .describe("Events of this job. handed: tried just now, or again later. dead: not tried any more."),
  failuresInARow: Count,
  pausedUntil: Time.nullable().describe("Left alone until then, after 20 failures in a row."),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
});

/** `GET /admin/api/jobs/{id}`. */
export const JobAnswer = answerOf(
  z.strictObject({
    job: JobEntry,
    causes: z.array(Cause).describe("Why pages failed, most frequent first."),
    receiver: Receiver.nullable().describe("Of its webhook, if it has one."),
  }),
);

/** `GET /admin/api/jobs/{id}/pages`. */
export const JobPageQuery = z.object({
  state: z
    .enum(["done", "failed", "blocked", "unfinished"])
    .optional()
    .describe("unfinished: running and waiting. Default: all, in this order."),
  limit: limitOf(1000, 1000),
  cursor: CursorQuery,
});

const JobPage = z.strictObject({
  url: z.string().nullable().describe("Without credentials; null when it is not known any more."),
  state: z
    .enum(["done", "failed", "blocked", "running", "waiting"])
    .describe("blocked: robots.txt forbids the visit."),
  requestId: Id.nullable().describe("The request that made the document."),
  statusCode: z.int().nullable().describe("Of the page itself."),
  code: z.string().nullable(),
  error: z.string().nullable(),
});

export const JobPagesAnswer = pageOf(JobPage);

/** `DELETE /admin/api/jobs/{id}`. */
export const JobCancelledAnswer = answerOf(JobEntry);

export type JobsAnswer = z.output<typeof JobsAnswer>;
export type JobEntry = z.output<typeof JobEntry>;
export type JobAnswer = z.output<typeof JobAnswer>;
export type JobPage = z.output<typeof JobPage>;

export const jobIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };

const job = {
  id: SCRAPE_ID,
  teamId: TEAM_ID,
  keyId: null,
  kind: "batch_scrape",
  firstUrl: EXAMPLE_URL,
  question: null,
  state: "completed",
  isPrivate: false,
  total: 12,
  completed: 11,
  failed: 1,
  running: 0,
  creditsUsed: 11,
  createdAt: DAY,
  endedAt: LATER,
  warnings: [],
  error: null,
};

export const listJobs = operatorOperation({
  line: "GET /admin/api/jobs",
  summary: "List the batches, crawls and other jobs of all teams, newest first",
  query: JobQuery,
  answer: defineShape("OperatorJobs", JobsAnswer, { ...lastPage, data: [job] }),
  errors: [400],
});

export const readJob = operatorOperation({
  line: "GET /admin/api/jobs/{id}",
  summary: "Read a job: its progress, why pages failed, and the state of its webhook",
  params: { id: jobIdPart },
  answer: defineShape("OperatorJob", JobAnswer, {
    success,
    data: {
      job,
      causes: [{ code: "SCRAPE_TIMEOUT", count: 1, message: "The scrape operation timed out." }],
      receiver: {
        origin: "https://hooks.example.com",
        counts: { waiting: 0, handed: 0, delivered: 14, dead: 0 },
        failuresInARow: 0,
        pausedUntil: null,
        lastStatus: 200,
        lastError: null,
      },
    },
  }),
  errors: [404],
});

export const listJobPages = operatorOperation({
  line: "GET /admin/api/jobs/{id}/pages",
  summary:
    "List the pages of a job with their states: documents, failures, blocked by robots.txt, and still to do",
  params: { id: jobIdPart },
  query: JobPageQuery,
  answer: defineShape("OperatorJobPages", JobPagesAnswer, {
    ...lastPage,
    data: [
      {
        url: EXAMPLE_URL,
        state: "done",
        requestId: SCRAPE_ID,
        statusCode: 200,
        code: null,
        error: null,
      },
    ],
  }),
  errors: [400, 403, 404],
});

export const cancelJob = operatorOperation({
  line: "DELETE /admin/api/jobs/{id}",
  summary: "Cancel a job. Pages in progress are abandoned, documents are kept",
  params: { id: jobIdPart },
  answer: defineShape("OperatorJobCancelled", JobCancelledAnswer, {
    success,
    data: { ...job, state: "cancelled" },
  }),
  errors: [404, 409],
});
