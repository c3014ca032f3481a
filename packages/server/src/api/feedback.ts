import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { boundedRecord } from "./bounded-record.ts";
import { callerLabels } from "./caller-labels.ts";
import { limits } from "./limits.ts";

const Text = lazy(() => z.string().max(4000));
const MAX_METADATA_BYTES = 8192;

/** Feedback of a team on its own job. */
const JobFeedback = lazy(() =>
  z.strictObject({
    endpoint: z.enum(["search", "scrape", "parse", "map"]).describe("Type of the job."),
    jobId: z.uuid().describe("Id of the job: `metadata.scrapeId` of a scrape."),
    rating: z.enum(["good", "partial", "bad"]),
    issues: z
      .array(
        z
          .string()
          .max(80)
          .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/),
      )
      .max(20)
      .optional()
      .describe("Problems, as slugs such as missing_content."),
    tags: z.array(z.string().max(80)).max(20).optional(),
    note: Text().optional(),
    url: z.string().max(limits.urlLength).optional(),
    pageNumbers: z
      .array(z.int().min(1))
      .max(100)
      .optional()
      .describe("Page numbers of the document that the feedback refers to."),
    valuableSources: z
      .array(z.strictObject({ url: z.string().max(limits.urlLength), reason: Text().optional() }))
      .max(100)
      .optional(),
    missingContent: z
      .array(
        z.strictObject({ topic: z.string().min(1).max(200), description: z.string().max(2000).optional() }),
      )
      .max(50)
      .optional(),
    querySuggestions: Text().optional(),
    metadata: boundedRecord(z.unknown())
      .refine(
        (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES,
        "metadata must be 8 KB or smaller",
      )
      .optional(),
    ...callerLabels,
  }),
);

/** Feedback of a team on its own search (families, section 17): good or missing results. */
export const SearchFeedbackRequest = () =>
  z
    .strictObject({
      rating: JobFeedback().shape.rating,
      valuableSources: JobFeedback().shape.valuableSources,
      missingContent: JobFeedback().shape.missingContent,
      querySuggestions: JobFeedback().shape.querySuggestions,
      ...callerLabels,
    })
    .refine(({ rating, valuableSources = [] }) => rating !== "good" || valuableSources.length > 0, {
      error: "The rating good needs valuableSources.",
      path: ["valuableSources"],
    })
    .refine(
      ({ rating, missingContent = [], querySuggestions = "" }) =>
        rating !== "bad" || missingContent.length > 0 || querySuggestions.trim() !== "",
      { error: "The rating bad needs missingContent or querySuggestions.", path: ["missingContent"] },
    );

const Notes = lazy(() =>
  z
    .array(z.looseObject({}))
    .max(100)
    .refine(
      (notes) => Buffer.byteLength(JSON.stringify(notes)) <= MAX_METADATA_BYTES,
      "must be 8 KB or smaller",
    ),
);

/** Feedback on the discovery of provider tools, which belongs to no job. */
const ToolFeedback = lazy(() =>
  z.strictObject({
    endpoint: z.literal("alexandria").describe("Finding provider tools."),
    rating: z.enum(["good", "partial", "bad"]).optional(),
    note: Text().optional(),
    rationale: Text().optional().describe("What the tools were needed for."),
    requestedWebsite: z
      .strictObject({ url: z.string().max(limits.urlLength), requestedFunctionality: Text().optional() })
      .optional()
      .describe("A site that no provider covers."),
    providerFeedback: Notes().optional(),
    capabilityFeedback: Notes().optional(),
    ...callerLabels,
  }),
);

/** The body of `POST /v2/feedback` (contract, section 6.1). */
export const FeedbackRequest = () => z.discriminatedUnion("endpoint", [JobFeedback(), ToolFeedback()]);

const unkept = { origin: true, integration: true } as const;

/** Feedback without the labels of its caller. */
export const FeedbackContent = lazy(() =>
  z.discriminatedUnion("endpoint", [
    JobFeedback().omit({ ...unkept, jobId: true }),
    ToolFeedback().omit(unkept),
  ]),
);
export type FeedbackContent = z.output<ReturnType<typeof FeedbackContent>>;
