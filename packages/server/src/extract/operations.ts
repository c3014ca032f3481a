import { z } from "zod";

import { Citations } from "../api/citation.ts";
import { credits } from "../api/credits.ts";
import { LATER, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success, Time } from "../api/operator-fields.ts";
import type { Job } from "../jobs/job-rows.ts";
import { cancelJob, type JobRoutes } from "../jobs/job-operations.ts";
import { findJob, statusFacts } from "../jobs/job-status.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { refuseAnswer } from "../scrape/refuse-answer.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import type { KindContext } from "../jobs/job-kind.ts";
import type { ExtractOptions, ExtractPlan } from "./plan.ts";
import { EXTRACT, type ExtractRequest, extractRequestSchema } from "./request.ts";
import { getExtract } from "./rows.ts";
import { resultIn } from "./merge-step.ts";

export const extractRequest = defineShape(
  "ExtractRequest",
  () => z.looseObject({}),
  {
    urls: ["https://example.com"],
    schema: { type: "object", properties: { title: { type: "string" } } },
  },
  () => extractRequestSchema(documentedScrapeRequest()),
);

const REPLACEMENT = "/v2/scrape";
export const deprecation = {
  warnings: [
    "POST /v2/extract is deprecated. Use POST /v2/scrape or POST /v2/batch/scrape with the format json instead.",
  ],
  replacement: REPLACEMENT,
} as const;
const Deprecation = {
  warnings: z.array(z.string()).describe("That there is something newer."),
  replacement: z.string().describe("What is newer."),
};

export const extractAnswer = defineShape(
  "ExtractAnswer",
  () =>
    z.strictObject({
      success: Success,
      id: z.uuid(),
      urlTrace: z.array(z.unknown()).describe("Always empty."),
      invalidURLs: z
        .array(z.string())
        .optional()
        .describe("What was left out, as it was given. Missing where nothing may be left out."),
      ...Deprecation,
    }),
  { success, id: SCRAPE_ID, urlTrace: [], invalidURLs: [], ...deprecation },
);

const extractStatus = defineShape(
  "ExtractStatus",
  () =>
    z.strictObject({
      success: z.boolean().describe("False once it has failed."),
      status: z.enum(["processing", "completed", "failed", "cancelled"]),
      data: z.unknown().describe("What the pages say, in the form of the schema; [] until it is completed."),
      expiresAt: Time,
      creditsUsed: z.number(),
      tokensUsed: z.number().optional().describe("The same as tokens, once it is completed."),
      sources: z
        .record(z.string(), z.array(z.string()))
        .optional()
        .describe("With showSources: the source pages of each value, by its path."),
      citations: Citations.optional().describe(
        "With showSources: where each single value stands on these pages, by its path.",
      ),
      warning: z.string().optional(),
      error: z.string().optional().describe("Why it could not be done, when it has failed."),
      ...Deprecation,
    }),
  {
    success,
    status: "completed",
    data: { title: "Example Domain" },
    expiresAt: LATER,
    creditsUsed: 5,
    tokensUsed: 75,
    sources: { title: [EXAMPLE_URL] },
    ...deprecation,
  },
);

const idPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const MISSING = "Extract job not found";

type Context = KindContext<object, ExtractRequest, ExtractOptions, ExtractPlan>;

/** Operations of extractions, which have a result instead of documents. */
export function extractOperationsAt(routes: JobRoutes): readonly Operation<Context>[] {
  return [readStatus(routes), cancelJob({ ...routes, missing: MISSING, rate: "agentStatus" })];
}

const STATUS: Readonly<Record<Job["state"], "processing" | "completed" | "failed" | "cancelled">> = {
  scraping: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

function readStatus({ path, tag = "Sites" }: JobRoutes) {
  return defineOperation({
    line: `GET ${path}/{id}`,
    tag,
    summary: "Extract: state and values",
    endpoint: "extract",
    rate: "agentStatus",
    params: { id: idPart },
    answer: extractStatus,
    errors: [400, 404],
    async handle(call, { stores, options }: Context) {
      announce(call);
      const { caller, params } = call;
      const asked = { id: params.id, teamId: caller.teamId, families: [EXTRACT], missing: MISSING };
      const { job, store } = await findJob(stores, asked);
      const extract = job.state === "completed" ? await getExtract(store.database, job.id) : undefined;
      const { data = [], sources, citations } = (extract && resultIn(extract)) ?? {};
      if (extract) refuseAnswer({ json: data }, caller);
      const { expiresAt, creditsUsed, warning, error } = statusFacts(job, store);
      return {
        success: job.state !== "failed",
        status: STATUS[job.state],
        data,
        expiresAt,
        creditsUsed,
        ...(extract && { tokensUsed: creditsUsed * credits.tokens }),
        ...(options.of(job).options.showSources && sources && { sources, citations }),
        warning,
        error,
        ...deprecation,
      };
    },
  });
}

export function announce(call: { setHeader(name: string, value: string): void }): void {
  call.setHeader("deprecation", "true");
  call.setHeader("link", `<${REPLACEMENT}>; rel="successor-version"`);
}
