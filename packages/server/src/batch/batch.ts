import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { checkUrls, type UrlRules } from "../jobs/check-urls.ts";
import { defineJobKind, type JobContext, listedPage } from "../jobs/job-kind.ts";
import { entriesOf, JobSource } from "../jobs/job-source.ts";
import { BATCH } from "../jobs/job-rows.ts";
import { webhookEvents, webhookSchema } from "../jobs/webhook-setting.ts";
import { planForAll } from "../scrape/request/planned-options.ts";
import { checkWaits, scrapeOptionsObject, scrapeOptionsSchema } from "../scrape/request/schema.ts";

interface BatchContext extends JobContext {
  readonly urlRules: UrlRules;
  /** URLs per request. */
  readonly maxBatchUrls: number;
}

/** Second words of a batch's event types. */
/** URLs per request, unless the operator configures another limit. */
export const MAX_BATCH_URLS = 100_000;
/** Several times the size of a hundred thousand URLs of typical length. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export const batch = defineJobKind({
  name: BATCH,
  title: "Batch scrape",
  path: "/v2/batch/scrape",
  endpoint: "batch",
  summary: "Scrape many pages",
  body: defineShape(
    "BatchRequest",
    () => z.looseObject({}),
    {
      urls: ["https://example.com", "https://example.com/about"],
      formats: ["markdown"],
    },
    () => batchRequestSchema(MAX_BATCH_URLS),
  ),
  maxBodyBytes: MAX_BODY_BYTES,
  answer: defineShape(
    "BatchAnswer",
    () =>
      z.strictObject({
        success: Success,
        id: z.uuid(),
        url: z.string().describe("Where its state and documents are."),
        invalidURLs: z
          .array(z.string())
          .optional()
          .describe("What was left out, as it was given. Missing where nothing may be left out."),
      }),
    { success, id: SCRAPE_ID, url: `${EXAMPLE_URL}v2/batch/scrape/${SCRAPE_ID}`, invalidURLs: [] },
  ),
  errors: [402, 403, 404, 409],

  request: ({ maxBatchUrls }: BatchContext) => batchRequestSchema(maxBatchUrls),

  plan: planOf,

  async accept({ caller, body }, context) {
    const { request: read, urlRules } = context;
    const request = read(body);
    const { ignoreInvalidURLs: ignoresInvalid, threatProtection, maxConcurrency, webhook } = request;
    const order = { caller, threatProtection, ignoresInvalid };
    const options = pageOptionsIn(body as PageBody);
    const { valid, invalid } = request.source
      ? { valid: await entriesOf(request.source, { teamId: caller.teamId, options }, context), invalid: [] }
      : await checkUrls(request.urls ?? [], order, urlRules);
    const [first] = valid;
    if (first === undefined) throw new ServiceError("BAD_REQUEST", { message: "No valid URLs provided" });
    return {
      credits: request.source ? 0 : valid.length,
      page: planOf(options).for(request.source ? "http://example.com/" : first),
      list: { urls: valid, options },
      appendTo: request.appendToId,
      maxConcurrency,
      webhook,
      /** Undefined when the request does not allow leaving out URLs. */
      invalidUrls: ignoresInvalid ? invalid : undefined,
    };
  },

  reply: ({ invalidUrls }, url) => ({ url, invalidURLs: invalidUrls }),

  page: (task, context) =>
    listedPage(task, context, ({ part }) => ({ kind: "batch", options: context.options.of(part) })),
});

/**
 * Body of `POST /v2/batch/scrape` (contract of the families, section 3).
 * @param maxUrls maximum number of URLs per request.
 */
function batchRequestSchema(maxUrls: number) {
  const fields = {
    urls: Urls(maxUrls).optional().describe("The pages. The same one twice becomes two documents."),
    source: JobSource.optional(),
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe("Skip invalid URLs instead of rejecting the request."),
    webhook: webhookSchema(BATCH, webhookEvents.batch_scrape).optional(),
    maxConcurrency: z.int().min(1).optional().describe("Pages at once. Default: as many as the team may."),
    appendToId: z.uuid().optional().describe("A batch to which the pages are added."),
    zeroDataRetention: z
      .boolean()
      .default(false)
      .describe("Keep nothing on disk: the batch lives in memory, until an hour after its end."),
  };
  return scrapeOptionsObject().extend(fields).superRefine(checkWaits).superRefine(checkPages);
}

/** Pages come from a list or from a job. */
function checkPages({ urls, source }: { urls?: unknown; source?: unknown }, context: z.RefinementCtx): void {
  if ((urls === undefined) !== (source === undefined)) return;
  const message =
    urls === undefined ? "Invalid input: expected array, received undefined" : "Send either urls or source.";
  context.addIssue({ code: "custom", path: ["urls"], message });
}

/** Reports at most one invalid URL, because there may be a hundred thousand entries. */
function Urls(maxUrls: number) {
  return z
    .array(z.unknown())
    .min(1)
    .max(maxUrls)
    .superRefine((list, context) => {
      const wrong = list.findIndex((entry) => typeof entry !== "string");
      if (wrong < 0) return;
      const message = `Invalid input: expected string, received ${typeof list[wrong]}`;
      context.addIssue({ code: "invalid_type", expected: "string", path: [wrong], message });
    })
    .transform((list) => list as readonly string[])
    .meta({ items: { type: "string", maxLength: limits.urlLength } });
}

/** Scrape options of the pages, as sent by the client. */
type PageBody = Readonly<Record<string, unknown>>;

/** Removes fields that are not options of its pages. All pages have the same options. */
function pageOptionsIn(body: PageBody): PageBody {
  const {
    urls: _urls,
    source: _source,
    ignoreInvalidURLs: _ignore,
    webhook: _webhook,
    maxConcurrency: _maxConcurrency,
    appendToId: _append,
    ...options
  } = body;
  return options;
}

function planOf(options: PageBody) {
  const { zeroDataRetention, ...sent } = options;
  const parsed = { ...scrapeOptionsSchema().parse(sent), zeroDataRetention: zeroDataRetention === true };
  return planForAll(parsed, options);
}
