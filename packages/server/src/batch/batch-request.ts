import { z } from "zod";

import { limits } from "../api/limits.ts";
import { webhookSchema } from "../jobs/webhook-setting.ts";
import { checkWaits, scrapeOptionsObject } from "../scrape/request/schema.ts";

/** Words of the events of a batch. */
const EVENTS = ["started", "page", "completed", "failed", "cancelled"] as const;

const Flag = z.boolean();

/** Of one request, unless the operator says otherwise. */
export const MAX_URLS = 100_000;

/** The name of batches, in webhooks and in the database. */
export const BATCH = "batch_scrape";

/**
 * The body of `POST /v2/batch/scrape` (contract of the families, section 3).
 * @param maxUrls the most of one request.
 */
export function batchRequestSchema(maxUrls: number) {
  const fields = {
    urls: Urls(maxUrls).describe("The pages. The same one twice becomes two documents."),
    ignoreInvalidURLs: Flag.default(true).describe("Skip invalid URLs instead of rejecting the request."),
    webhook: webhookSchema(BATCH, EVENTS).optional(),
    maxConcurrency: z.int().min(1).optional().describe("Pages at once. Default: as many as the team may."),
    appendToId: z.uuid().optional().describe("A batch to which the pages are added."),
    zeroDataRetention: Flag.default(false).describe(
      "Keep nothing on disk: the batch lives in memory, until an hour after its end.",
    ),
  };
  return scrapeOptionsObject().extend(fields).superRefine(checkWaits);
}

export type BatchRequest = z.output<ReturnType<typeof batchRequestSchema>>;

/** One complaint at most: there may be a hundred thousand entries. */
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
