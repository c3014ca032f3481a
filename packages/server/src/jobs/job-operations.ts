import { z } from "zod";

import { ConflictError } from "../api/errors.ts";
import { DAY, LATER, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success, Time } from "../api/operator-fields.ts";
import type { RateClassName } from "../api/rate-classes.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { JsonParts } from "../api/outgoing.ts";
import { ScrapeAnswer } from "../scrape/answer/schema.ts";
import { exampleDocument } from "../scrape/answer/shape.ts";
import { readErrors } from "./errors.ts";
import type { JobStores } from "./job-store.ts";
import { getJob } from "./job-rows.ts";
import { type DocumentSource, findJob, readTexts, statusFacts, withData } from "./job-status.ts";

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;

const SKIP = "skip must be a non-negative integer without trailing characters";
const LIMIT = "limit must be a positive integer without trailing characters";
const LIMIT_RANGE = `limit must be an integer between 1 and ${MAX_LIMIT}`;

/** Selects documents of a job (contract of the families, section 1.3). */
export const pageQuery = z.object({
  skip: wholeNumber("skip", (number) => (number === undefined ? SKIP : undefined)).meta({
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Documents to leave out, from the first on.",
  }),
  limit: wholeNumber("limit", (number) => {
    if (number === undefined) return LIMIT;
    return number < 1 || number > MAX_LIMIT ? LIMIT_RANGE : undefined;
  }).meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: "The most documents of a page, which also ends at 10 MiB.",
  }),
});

/**
 * Parses a number in a query.
 * @param problemOf returns the error message. It gets undefined for text that is not a safe integer.
 */
function wholeNumber(name: string, problemOf: (number: number | undefined) => string | undefined) {
  return z
    .unknown()
    .optional()
    .transform((value, context): number | undefined => {
      if (value === undefined) return undefined;
      // A parameter that is sent twice becomes a list.
      const number = typeof value === "string" ? safeInteger(value) : undefined;
      const problem =
        typeof value === "string" ? problemOf(number) : `${name} must be a single value, not an array`;
      if (problem !== undefined)
        context.addIssue({ code: "custom", message: `Invalid pagination: ${problem}` });
      return number;
    });
}

function safeInteger(text: string): number | undefined {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

export interface JobOperationServices {
  readonly stores: JobStores;
  readonly records: DocumentSource;
}

/** Where clients ask for the jobs of a family. */
export interface JobRoutes {
  /** Names of the families whose jobs are found under this path: `batch_scrape`. */
  readonly families: readonly string[];
  /** For example `Batch scrape`. */
  readonly title: string;
  /** Path before the id: `/v2/batch/scrape`. */
  readonly path: `/v${1 | 2}/${string}`;
  readonly endpoint: string;
  /** Default: Sites. */
  readonly tag?: string;
  /** Error for ids without a job. Default: the message for jobs. */
  readonly missing?: string;
  /** Rate class of the requests. Default: crawlStatus. */
  readonly rate?: RateClassName;
}

export const idPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };

const runStatus = defineShape(
  "RunStatus",
  () =>
    z.strictObject({
      success: Success,
      status: z
        .enum(["scraping", "completed", "cancelled", "failed"])
        .describe("scraping also while it waits for its turn."),
      total: Count.describe("Pages so far: made, failed and to do."),
      completed: Count.describe("Documents."),
      creditsUsed: z.number(),
      expiresAt: Time,
      createdAt: Time,
      completedAt: Time.optional(),
      duration: z.number().optional().describe("In seconds, once it has ended."),
      warning: z.string().optional(),
      error: z.string().optional().describe("Why it could not be done, when it has failed."),
      next: z.string().optional().describe("Where the next documents are, if there are more now."),
      data: z.array(ScrapeAnswer.shape.data),
    }),
  {
    success,
    status: "completed",
    total: 1,
    completed: 1,
    creditsUsed: 1,
    expiresAt: LATER,
    createdAt: DAY,
    completedAt: DAY,
    duration: 1.2,
    data: [exampleDocument],
  },
);

const runErrors = defineShape(
  "RunErrors",
  () =>
    z.strictObject({
      errors: z.array(
        z.strictObject({
          id: z.uuid(),
          timestamp: Time,
          url: z.string(),
          code: z.string().optional(),
          error: z.string(),
        }),
      ),
      robotsBlocked: z.array(z.string()),
      next: z.string().optional().describe("Where the next ones are, if there are more now."),
    }),
  {
    errors: [
      {
        id: SCRAPE_ID,
        timestamp: DAY,
        url: EXAMPLE_URL,
        code: "SCRAPE_TIMEOUT",
        error: "The scrape operation timed out.",
      },
    ],
    robotsBlocked: [],
  },
);

const runCancelled = defineShape(
  "RunCancelled",
  () => z.strictObject({ success: Success, status: z.literal("cancelled") }),
  { success, status: "cancelled" },
);

/** Operations to read the status and the errors of jobs and to cancel them, the same for all families. */
export function jobOperations(routes: JobRoutes): readonly Operation<JobOperationServices>[] {
  return [readStatus(routes), readJobErrors(routes, "GET"), cancelJob(routes)];
}

function readStatus({ families, title, path, endpoint, tag = "Sites" }: JobRoutes) {
  return defineOperation({
    line: `GET ${path}/{id}`,
    tag,
    summary: `${title}: state and documents`,
    endpoint,
    rate: "crawlStatus",
    params: { id: idPart },
    query: pageQuery,
    answer: runStatus,
    errors: [400, 404],
    async handle(
      { params: { id }, query, caller, linkBase, signal },
      { stores, records }: JobOperationServices,
    ) {
      const found = await findJob(stores, { id, teamId: caller.teamId, families });
      const { skip = 0, limit = DEFAULT_LIMIT } = query;
      const read = await readTexts(found, { skip, limit, signal }, records, caller);
      const { texts, next, hasMore, release } = read;
      const asked = query.limit === undefined ? "" : `&limit=${query.limit}`;
      const link = hasMore ? { next: `${linkBase}${path}/${id}?skip=${next}${asked}` } : {};
      const head = JSON.stringify({ ...statusFacts(found.job, found.store), ...link });
      return new JsonParts(await withData(head, texts), release);
    },
  });
}

/** Clients of version 1 also read errors by DELETE. */
export function readJobErrors(
  { families, title, path, endpoint, tag = "Sites" }: JobRoutes,
  method: "GET" | "DELETE",
) {
  return defineOperation({
    line: `${method} ${path}/{id}/errors`,
    tag,
    summary: `${title}: pages that could not be made`,
    endpoint,
    rate: "crawlStatus",
    params: { id: idPart },
    query: pageQuery.pick({ skip: true }),
    answer: runErrors,
    errors: [400, 404],
    async handle({ params: { id }, query, caller, linkBase, signal }, { stores }: JobOperationServices) {
      const { job, store } = await findJob(stores, { id, teamId: caller.teamId, families });
      let release = () => {};
      const hold = async (sizeBytes: number) => {
        release = await store.bodies.hold(caller.teamId, sizeBytes, signal);
      };
      const { skip = 0 } = query;
      const { next, ...errors } = await readErrors(store.database, job.id, { skip, hold });
      const link = next === undefined ? {} : { next: `${linkBase}${path}/${id}/errors?skip=${next}` };
      return new JsonParts([Buffer.from(JSON.stringify({ ...errors, ...link }))], release);
    },
  });
}

export function cancelJob(routes: JobRoutes) {
  const { families, title, path, endpoint, tag = "Sites", rate = "crawlStatus", missing } = routes;
  return defineOperation({
    line: `DELETE ${path}/{id}`,
    tag,
    summary: `${title}: cancel`,
    endpoint,
    rate,
    params: { id: idPart },
    answer: runCancelled,
    errors: [400, 404, 409],
    async handle({ params: { id }, caller }, { stores }: JobOperationServices) {
      const { job, store } = await findJob(stores, { id, teamId: caller.teamId, families, missing });
      const state = await store.database.transaction(async (tx) => {
        await store.dispatcher.cancel(tx, job.id);
        return (await getJob(tx, job.id))?.state;
      });
      if (state !== "cancelled") throw new ConflictError(`${title} is already ${state ?? "gone"}`);
      return { success: true, status: "cancelled" };
    },
  });
}
