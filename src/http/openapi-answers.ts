import { z } from "zod";

const Success = z.literal(true);
const Time = z.iso.datetime();
const Count = z.int().min(0);

const Metadata = z
  .looseObject({
    sourceURL: z.string().describe("The requested URL."),
    url: z.string().describe("The final URL after redirects."),
    statusCode: z.int().describe("Status of the page itself."),
    error: z.string().optional().describe("Reason phrase of a page status outside 2xx."),
    contentType: z.string().optional().describe("MIME type."),
    scrapeId: z.uuid().describe("Id of this scrape."),
    proxyUsed: z.enum(["basic", "stealth"]),
    cacheState: z.enum(["hit", "miss"]).optional().describe("Only when the cache was consulted."),
    cachedAt: Time.optional().describe("On a hit: when the page was captured."),
    creditsUsed: z.number(),
    concurrencyLimited: z.boolean(),
  })
  .describe("What the page says about itself, and what is known about this scrape.");

const Data = z.object({
  markdown: z.string().optional(),
  html: z.string().optional(),
  rawHtml: z.string().optional(),
  rawBase64: z.string().optional(),
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .optional(),
  metadata: Metadata,
  warning: z.string().optional(),
});

const Period = z.object({ startDate: Time, endDate: Time, apiKey: z.string().nullable().optional() });

/** Shapes of the answers, for the reference alone. */
export const answerSchemas = {
  ScrapeAnswer: z.object({ success: Success, data: Data }),
  Profiles: z.object({
    success: Success,
    profiles: z.array(
      z.object({
        name: z.string(),
        sizeBytes: Count,
        createdAt: Time,
        savedAt: Time.nullable(),
        isLocked: z.boolean().describe("True while a session may write to it."),
      }),
    ),
  }),
  Done: z.object({ success: Success }),
  CreditUsage: z.object({
    success: Success,
    data: z.object({
      remainingCredits: z.number(),
      planCredits: z.number(),
      billingPeriodStart: Time,
      billingPeriodEnd: Time,
    }),
  }),
  TokenUsage: z.object({
    success: Success,
    data: z.object({
      remainingTokens: z.number(),
      planTokens: z.number(),
      billingPeriodStart: Time,
      billingPeriodEnd: Time,
    }),
  }),
  UsageHistory: z.object({ success: Success, periods: z.array(Period.loose()) }),
  QueueStatus: z.object({
    success: Success,
    jobsInQueue: Count,
    activeJobsInQueue: Count,
    waitingJobsInQueue: Count,
    maxConcurrency: Count,
    mostRecentSuccess: Time.nullable(),
  }),
  Activity: z.object({
    success: Success,
    data: z.array(
      z.object({
        id: z.uuid(),
        endpoint: z.string(),
        api_version: z.string(),
        created_at: Time,
        target: z.string(),
      }),
    ),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
  Concurrency: z.object({ success: Success, concurrency: Count, maxConcurrency: Count }),
  Health: z.looseObject({ status: z.string() }),
  Error: z.object({
    success: z.literal(false),
    code: z.string().optional(),
    error: z.string(),
    details: z.unknown().optional(),
  }),
};
