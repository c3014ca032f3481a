import { z } from "zod";

import { choice, headerKey, list, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const HOUR_MS = 60 * 60 * 1000;
const LEAST_SECRET_LENGTH = 16;
const DEFAULT_MAX_URLS = 100_000;
const RETRY_SECONDS = [60, 300, 900] as const;

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, {
  error: "must be the name of a header: letters, digits and -",
});

const EXPORTS = {
  off: undefined,
  on: { of: "documents", as: "jsonl" },
  parquet: { of: "documents", as: "parquet" },
  chunks: { of: "chunks", as: "jsonl" },
  "chunks-parquet": { of: "chunks", as: "parquet" },
} as const;

/** Jobs over many pages, and their webhooks. */
export const jobs = definePart({
  title: "Jobs",
  settings: z.object({
    JOB_RETENTION_HOURS: wholeNumber({ most: 24 * 365 })
      .default(24)
      .describe("hours for which the documents and errors of a batch or crawl are stored after it ends"),
    HOST_CONCURRENCY: wholeNumber({ most: 1000 })
      .default(4)
      .describe("maximum pages per host that all batches and crawls together fetch at once"),
    BATCH_MAX_URLS: wholeNumber({ most: DEFAULT_MAX_URLS })
      .default(DEFAULT_MAX_URLS)
      .describe("maximum URLs in a batch request"),
    JOB_EXPORT: choice("off", "on", "parquet", "chunks", "chunks-parquet")
      .default("off")
      .describe(
        "whether crawls and batches are written to `exports/` of `BLOBS_URL` while these run: documents as lines of JSON (on) or Parquet, or chunks as either",
      ),
    WEBHOOK_SECRET: headerKey({ least: LEAST_SECRET_LENGTH }).optional().meta({
      description: "secret that webhooks are signed with",
      unset: "one secret per team, created on first use",
    }),
    WEBHOOK_SIGNATURE_HEADER: HeaderName.default("X-Firecrawl-Signature").describe(
      "header with the signature of a webhook",
    ),
    WEBHOOK_RETRY_SECONDS: list(wholeNumber({ most: 86_400 }))
      .default(RETRY_SECONDS)
      .meta({
        description: "seconds that a webhook waits after each failure: comma list, one entry per retry",
        unset: RETRY_SECONDS.join(","),
      }),
  }),
  derive: (settings) => ({
    retentionMs: settings.JOB_RETENTION_HOURS * HOUR_MS,
    hostConcurrency: settings.HOST_CONCURRENCY,
    maxUrls: settings.BATCH_MAX_URLS,
    exported: EXPORTS[settings.JOB_EXPORT],
    webhooks: {
      secret: settings.WEBHOOK_SECRET,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
      retryMs: settings.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
    },
  }),
});
