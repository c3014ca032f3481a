import { z } from "zod";

import { ThreatPolicy } from "../../accounts/threat-policy.ts";

const Success = z.literal(true);
const Time = z.iso.datetime();
const Count = z.int().min(0);

const billingPeriod = { billingPeriodStart: Time, billingPeriodEnd: Time };
const month = {
  startDate: Time,
  endDate: Time,
  apiKey: z.string().nullable().exactOptional().describe("Name of the key, with byApiKey=true."),
};

/** What a team is told about itself. */
export const accountAnswers = {
  Profiles: z.strictObject({
    success: Success,
    profiles: z.array(
      z.strictObject({
        name: z.string(),
        sizeBytes: Count,
        createdAt: Time,
        savedAt: Time.nullable(),
        isLocked: z.boolean().describe("True while a session may write to it."),
      }),
    ),
  }),
  CreditUsage: z.strictObject({
    success: Success,
    data: z.strictObject({ remainingCredits: Count, planCredits: Count, ...billingPeriod }),
  }),
  TokenUsage: z.strictObject({
    success: Success,
    data: z.strictObject({ remainingTokens: Count, planTokens: Count, ...billingPeriod }),
  }),
  CreditHistory: z.strictObject({
    success: Success,
    periods: z.array(z.strictObject({ ...month, creditsUsed: Count, totalCredits: Count })),
  }),
  TokenHistory: z.strictObject({
    success: Success,
    periods: z.array(z.strictObject({ ...month, tokensUsed: Count, totalTokens: Count })),
  }),
  QueueStatus: z.strictObject({
    success: Success,
    jobsInQueue: Count,
    activeJobsInQueue: Count,
    waitingJobsInQueue: Count,
    maxConcurrency: Count,
    mostRecentSuccess: Time.nullable(),
  }),
  Activity: z.strictObject({
    success: Success,
    data: z.array(
      z.strictObject({
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
  FeedbackKept: z.strictObject({
    success: Success,
    feedbackId: z.uuid(),
    creditsRefunded: Count.describe("Always 0: the operator refunds by hand."),
    alreadySubmitted: Success.exactOptional().describe("The job was spoken of before; that stays."),
  }),
  Concurrency: z.strictObject({ success: Success, concurrency: Count, maxConcurrency: Count }),
  ThreatPolicy: z.strictObject({
    success: Success,
    data: ThreatPolicy.extend({ configured: z.boolean(), updatedAt: Time.nullable() }),
  }),
};
