import { z } from "zod";

import { limits } from "./limits.ts";

const Text = z.string().max(4000);
const MAXIMUM_METADATA_BYTES = 8192;

/** The body of `POST /v2/feedback`: what a team says about a job of its own (contract, section 6.1). */
export const FeedbackRequest = z.strictObject({
  endpoint: z.enum(["search", "scrape", "parse", "map"]).describe("What kind of job it was."),
  jobId: z.uuid().describe("Its id: metadata.scrapeId of a scrape."),
  rating: z.enum(["good", "partial", "bad"]),
  issues: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/))
    .max(20)
    .optional()
    .describe("What was wrong, in slugs such as missing_content."),
  tags: z.array(z.string().max(80)).max(20).optional(),
  note: Text.optional(),
  url: z.string().max(limits.urlLength).optional(),
  pageNumbers: z.array(z.int().min(1)).max(100).optional().describe("Pages of a document that it is about."),
  valuableSources: z
    .array(z.strictObject({ url: z.string().max(limits.urlLength), reason: Text.optional() }))
    .max(100)
    .optional(),
  missingContent: z
    .array(z.strictObject({ topic: z.string().max(200), description: z.string().max(2000).optional() }))
    .max(50)
    .optional(),
  querySuggestions: Text.optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(
      (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAXIMUM_METADATA_BYTES,
      "metadata must be 8 KB or smaller",
    )
    .optional(),
  origin: z.string().optional(),
  integration: z.string().max(100).nullable().optional(),
});

/** What is said, without who said it through which program. */
export type FeedbackContent = Omit<z.output<typeof FeedbackRequest>, "jobId" | "origin" | "integration">;
