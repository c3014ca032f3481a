import { z } from "zod";

import { KeyRestrictions } from "../../accounts/restrictions.ts";
import { Allowance } from "../../accounts/teams.ts";
import { ThreatPolicy } from "../../accounts/threat-policy.ts";

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

const Id = z.string();
const Account = z.enum(["issuer", "allowance", "prepaid", "used"]);
const Name = z.string();

const Team = z.object({
  teamId: Id,
  name: Name,
  flags: z.looseObject({}),
  limits: z.looseObject({}),
  isLimited: z.boolean().describe("False: credits never run out."),
  allowance: Allowance.nullable(),
  threatPolicy: ThreatPolicy,
  remainingCredits: Count.nullable().describe("Null when credits never run out."),
  creditsUsedThisMonth: Count,
  createdAt: Time,
});

const MadeKey = z.object({ success: Success, keyId: Id, apiKey: z.string().describe("Told this once.") });

const Period = z.object({ startDate: Time, endDate: Time, apiKey: z.string().nullable().optional() });

/** Answers that are no JSON. */
export const otherAnswers = {
  text: { "text/plain": { schema: { type: "string" } } },
  page: { "text/html": { schema: { type: "string" } } },
  lines: { "application/x-ndjson": { schema: { type: "string" } } },
  file: { "*/*": { schema: { type: "string", format: "binary" } } },
} as const;

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
  ThreatPolicy: z.object({
    success: Success,
    data: ThreatPolicy.extend({ configured: z.boolean(), updatedAt: Time.nullable() }),
  }),
  Document: z.looseObject({ openapi: z.string() }),
  MadeTeam: MadeKey.extend({ teamId: Id }),
  MadeKey,
  Team: z.object({ success: Success, data: Team }),
  Teams: z.object({ success: Success, data: z.array(Team), cursor: z.string().nullable() }),
  Remaining: z.object({ success: Success, remainingCredits: Count }),
  Ledger: z.object({
    success: Success,
    data: z.array(
      z.object({
        id: Id.describe("Of a scrape, where credits were used."),
        from: Account,
        to: Account,
        amount: Count,
        keyId: Id.nullable(),
        createdAt: Time,
      }),
    ),
    cursor: z.string().nullable(),
  }),
  Keys: z.object({
    success: Success,
    data: z.array(
      z.object({
        keyId: Id,
        teamId: Id,
        name: Name,
        restrictions: KeyRestrictions,
        createdAt: Time,
        lastUsedAt: Time.nullable(),
        revokedAt: Time.nullable(),
      }),
    ),
    cursor: z.string().nullable(),
  }),
  Requests: z.object({
    success: Success,
    data: z.array(
      z.object({
        id: Id,
        teamId: Id,
        keyId: Id.nullable(),
        url: z.string(),
        status: z.enum(["completed", "failed"]),
        statusCode: z.int().nullable().describe("Of the page itself."),
        errorCode: z.string().nullable(),
        creditsUsed: Count,
        durationMs: Count,
        cacheState: z.enum(["hit", "miss"]).nullable(),
        origin: z.string().nullable(),
        createdAt: Time,
      }),
    ),
    cursor: z.string().nullable(),
  }),
  Status: z.looseObject({
    success: Success,
    uptimeSeconds: Count,
    fetching: Count,
    waiting: Count,
    memoryBytes: Count,
    eventLoopLagMs: Count,
    overloaded: z.string().nullable(),
  }),
  Health: z.looseObject({ status: z.string() }),
  Error: z.object({
    success: z.literal(false),
    code: z.string().optional(),
    error: z.string(),
    details: z.unknown().optional(),
  }),
};
