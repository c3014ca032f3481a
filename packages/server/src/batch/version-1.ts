import { z } from "zod";

import { SCRAPE_ID, success, URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import type { BatchOperationServices } from "./batch-operations.ts";
import { BATCH, MAX_URLS } from "./batch-request.ts";
import { startBatch } from "./start-batch.ts";
import { readRunErrors, runOperations } from "../jobs/run-operations.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";

const PATH = "/v1/batch/scrape";
/** As in version 2. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const start = defineOperation({
  line: `POST ${PATH}`,
  tag: "Version 1",
  summary: "Scrape many pages",
  endpoint: "batch",
  rate: "crawl",
  isPaid: true,
  takesIdempotencyKey: true,
  body: defineShape("BatchRequest1", z.looseObject({ urls: z.array(z.unknown()).max(MAX_URLS) }), {
    urls: ["https://example.com"],
    formats: ["markdown"],
  }),
  maxBodyBytes: MAX_BODY_BYTES,
  answer: defineShape(
    "BatchAnswer1",
    z.strictObject({
      success: Success,
      id: z.uuid(),
      url: z.string(),
      invalidURLs: z.array(z.string()).optional(),
    }),
    { success, id: SCRAPE_ID, url: `${URL}v1/batch/scrape/${SCRAPE_ID}` },
  ),
  errors: [402, 403, 404, 409],
  async handle(call, services: BatchOperationServices) {
    const { caller, linkBase } = call;
    const body = { ignoreInvalidURLs: false, ...jobOptionsOf(call.body) };
    if (call.body["zeroDataRetention"] === true) call.keepPrivate();
    const idempotencyKey = () => call.idempotencyKey;
    const { id, invalidUrls } = await startBatch({ caller, linkBase, body, idempotencyKey }, services);
    call.note({ batchId: id });
    return { success: true, id, url: `${linkBase}${PATH}/${id}`, invalidURLs: invalidUrls };
  },
});

/** How older clients ask for batches and watch them. */
export const batch1Routes = {
  families: [BATCH],
  title: "Batch scrape",
  path: PATH,
  endpoint: "batch",
  tag: "Version 1",
} as const;

export const batch1: readonly Operation<BatchOperationServices>[] = [
  start,
  ...runOperations(batch1Routes),
  readRunErrors(batch1Routes, "DELETE"),
];
