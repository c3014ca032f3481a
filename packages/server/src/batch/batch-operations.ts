import { z } from "zod";

import { SCRAPE_ID, success, URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { type RunOperationServices, runOperations } from "../jobs/run-operations.ts";
import { BATCH, batchRequestSchema, MAX_URLS } from "./batch-request.ts";
import { type BatchServices, startBatch } from "./start-batch.ts";

const PATH = "/v2/batch/scrape";
/** A hundred thousand URLs of typical length, several times over. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const batchRequest = {
  ...defineShape("BatchRequest", z.looseObject({}), {
    urls: ["https://example.com", "https://example.com/about"],
    formats: ["markdown"],
  }),
  documented: batchRequestSchema(MAX_URLS),
};

const batchAnswer = defineShape(
  "BatchAnswer",
  z.strictObject({
    success: Success,
    id: z.uuid(),
    url: z.string().describe("Where its state and documents are."),
    invalidURLs: z
      .array(z.string())
      .optional()
      .describe("What was left out, as it was given. Missing where nothing may be left out."),
  }),
  { success, id: SCRAPE_ID, url: `${URL}v2/batch/scrape/${SCRAPE_ID}`, invalidURLs: [] },
);

const start = defineOperation({
  line: `POST ${PATH}`,
  tag: "Sites",
  summary: "Scrape many pages",
  endpoint: "batch",
  rate: "crawl",
  isPaid: true,
  takesIdempotencyKey: true,
  body: batchRequest,
  maxBodyBytes: MAX_BODY_BYTES,
  answer: batchAnswer,
  errors: [402, 403, 404, 409],
  async handle(call, services: BatchServices) {
    const { caller, linkBase, body } = call;
    if (body["zeroDataRetention"] === true || body["lockdown"] === true) call.keepPrivate();
    const idempotencyKey = () => call.idempotencyKey;
    const { id, invalidUrls } = await startBatch({ caller, linkBase, body, idempotencyKey }, services);
    call.note({ batchId: id });
    return { success: true, id, url: `${linkBase}${PATH}/${id}`, invalidURLs: invalidUrls };
  },
});

/** How batches are asked for and watched. */
export const batchRoutes = {
  families: [BATCH],
  title: "Batch scrape",
  path: PATH,
  endpoint: "batch",
} as const;

export type BatchOperationServices = BatchServices & RunOperationServices;
export const batchOperations: readonly Operation<BatchOperationServices>[] = [
  start,
  ...runOperations(batchRoutes),
];
