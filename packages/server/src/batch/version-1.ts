import { z } from "zod";

import { SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { batch, MAX_BATCH_URLS } from "./batch.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";

/** Batches for clients of version 1. */
export const batch1 = batch.version1({
  path: "/v1/batch/scrape",
  body: defineShape(
    "BatchRequest1",
    () => z.looseObject({ urls: z.array(z.unknown()).max(MAX_BATCH_URLS) }),
    {
      urls: ["https://example.com"],
      formats: ["markdown"],
    },
  ),
  answer: defineShape(
    "BatchAnswer1",
    () =>
      z.strictObject({
        success: Success,
        id: z.uuid(),
        url: z.string(),
        invalidURLs: z.array(z.string()).optional(),
      }),
    { success, id: SCRAPE_ID, url: `${EXAMPLE_URL}v1/batch/scrape/${SCRAPE_ID}` },
  ),
  bodyOf: (body) => ({ ignoreInvalidURLs: false, ...jobOptionsOf(body) }),
  reply: ({ invalidUrls }, url) => ({ url, invalidURLs: invalidUrls }),
});
