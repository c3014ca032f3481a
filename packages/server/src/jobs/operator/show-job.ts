import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { tellOfChange } from "../../accounts/audit-actor.ts";
import { ForbiddenError, NotFoundError } from "../../api/errors.ts";
import { DAY, LATER, SCRAPE_ID, TEAM_ID, EXAMPLE_URL } from "../../api/example-values.ts";
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
import { firstUrl } from "../job-pages.ts";
import type { StoredJob, JobStores } from "../job-store.ts";
import { maskUrl } from "../../scrape/request/masked-body.ts";

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
    .describe(
      "Of its first page, without credentials; null while it knows none, and with zero data retention.",
    ),
  question: z
    .string()
    .nullable()
    .describe(
      "What it is called or was asked in words, such as a monitor or an agent, its beginning; else null.",
    ),
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

export const JobsAnswer = () => pageOf(JobEntry);

const Cause = lazy(() =>
  z.strictObject({
    code: z.string().nullable(),
    count: Count,
    message: z.string().describe("Of the first page that failed so."),
  }),
);

const Receiver = lazy(() =>
  z.strictObject({
    origin: z.string().describe("Scheme and host: the path may hold secrets."),
    counts: z
      .strictObject({ waiting: Count, handed: Count, delivered: Count, dead: Count })
      .describe("Events of this job. handed: tried just now, or again later. dead: not tried any more."),
    failuresInARow: Count,
    pausedUntil: Time.nullable().describe("Left alone until then, after 20 failures in a row."),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
  }),
);

/** `GET /admin/api/jobs/{id}`. */
export const JobAnswer = () =>
  answerOf(
    z.strictObject({
      job: JobEntry,
      outcomes: z
        .array(z.strictObject({ outcome: z.string(), count: Count }))
        .describe("Addresses that a crawl has seen, by what became of them. Other jobs have none."),
      causes: z.array(Cause()).describe("Why pages failed, most frequent first."),
      request: z
        .strictObject({
          body: z.json(),
          masked: z.array(z.string()).describe("Paths of values that are not shown."),
        })
        .nullable()
        .describe("What was asked for, without secrets: the options of a batch, the request of a crawl."),
      receiver: Receiver().nullable().describe("Of its webhook, if it has one."),
    }),
  );

/** `GET /admin/api/jobs/{id}/pages`. */
export const JobPageQuery = z.object({
  state: z
    .enum(["done", "failed", "blocked", "unfinished"])
    .optional()
    .describe("unfinished: running, waiting and cancelled. Default: all, in this order."),
  limit: limitOf(1000, 1000),
  cursor: CursorQuery,
});

export const JobPage = lazy(() =>
  z.strictObject({
    url: z.string().nullable().describe("Without credentials; null when it is not known any more."),
    state: z
      .enum(["done", "failed", "blocked", "running", "waiting", "cancelled"])
      .describe("blocked: robots.txt forbids the visit. cancelled: the job has ended before it."),
    requestId: Id.nullable().describe("The request that made the document."),
    statusCode: z.int().nullable().describe("Of the page itself."),
    code: z.string().nullable(),
    error: z.string().nullable(),
  }),
);

export const JobPagesAnswer = () => pageOf(JobPage());

/** `DELETE /admin/api/jobs/{id}`. */
export const JobCancelledAnswer = () => answerOf(JobEntry);

export type JobsAnswer = z.output<ReturnType<typeof JobsAnswer>>;
export type JobEntry = z.output<typeof JobEntry>;
export type JobAnswer = z.output<ReturnType<typeof JobAnswer>>;
export type JobPage = z.output<ReturnType<typeof JobPage>>;

export const jobIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };

export const jobExample = {
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

/** @throws NotFoundError when there is no job of this id, or its results are deleted. */
export async function jobNamed(id: string, stores: JobStores): Promise<StoredJob> {
  const found = await stores.find(id.toLowerCase());
  if (!found || found.job.isPurged)
    throw new NotFoundError("Job not found. Jobs are kept for JOB_RETENTION_HOURS after their end.");
  return found;
}

/**
 * @throws NotFoundError; ForbiddenError for a job with zero data retention, whose pages only its team may
 *   see.
 */
export async function openJobNamed(id: string, stores: JobStores): Promise<StoredJob> {
  const found = await jobNamed(id, stores);
  if (!found.store.isPersistent)
    throw new ForbiddenError(
      "This job has zero data retention: only its team can read its pages, by the API, until it ends.",
    );
  tellOfChange({ teamId: found.job.teamId });
  return found;
}

/** In characters: a question takes one line of a list. */
const MAX_QUESTION_LENGTH = 500;

/** Shows a job without its pages. */
export async function showJob(found: StoredJob): Promise<JobEntry> {
  const { job, store } = found;
  const question = store.isPersistent ? store.dispatcher.questionOf(job) : undefined;
  const url = store.isPersistent ? await firstUrl(found) : undefined;
  return {
    id: job.id,
    teamId: job.teamId,
    keyId: job.keyId ?? null,
    kind: job.family,
    firstUrl: url === undefined ? null : maskUrl(url),
    question: question?.slice(0, MAX_QUESTION_LENGTH) ?? null,
    state: job.state,
    isPrivate: !store.isPersistent,
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    running: job.inFlight,
    creditsUsed: job.creditsUsed,
    createdAt: iso(job.createdAtMs),
    endedAt: job.endedAtMs === undefined ? null : iso(job.endedAtMs),
    warnings: [...job.warnings],
    error: job.error ?? null,
  };
}

export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
