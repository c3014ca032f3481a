import { z } from "zod";

import type { Caller } from "./callers.ts";
import type { Credits } from "./credits.ts";
import { periodOf } from "./periods.ts";
import { usageByMonth, type UsagePeriod } from "./usage.ts";
import { credits as prices } from "../api/credits.ts";
import { MONTH, NEXT_MONTH, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success, Time } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import type { Database } from "../storage/database/database.ts";

interface UsageServices {
  readonly database: Database;
  readonly credits: Credits;
}

/** Stands for unlimited credits, because clients expect a number. */
const UNLIMITED_CREDITS = 1_000_000_000;

const billingPeriod = { billingPeriodStart: Time, billingPeriodEnd: Time };
const billing = { billingPeriodStart: MONTH, billingPeriodEnd: NEXT_MONTH };
const month = {
  startDate: Time,
  endDate: Time,
  apiKey: z.string().nullable().exactOptional().describe("Name of the key. Present with byApiKey=true."),
};
const period = { startDate: MONTH, endDate: NEXT_MONTH };

/** Only the word `true` enables it; all other values count as false. */
const HistoryQuery = z.object({
  byApiKey: z.string().max(100).optional().describe("True for one entry per month and key."),
});

const creditUsage = defineOperation({
  line: "GET /v2/team/credit-usage",
  tag: "Account",
  summary: "Read the credits left this month",
  answer: defineShape(
    "CreditUsage",
    () =>
      z.strictObject({
        success: Success,
        data: z.strictObject({ remainingCredits: Count, planCredits: Count, ...billingPeriod }),
      }),
    { success, data: { remainingCredits: 9_995, planCredits: 10_000, ...billing } },
  ),
  async handle({ caller }, { credits }: UsageServices) {
    const { remaining, planned, period: paid } = await planOf(caller, credits);
    return { success: true, data: { remainingCredits: remaining, planCredits: planned, ...paid } };
  },
});

const tokenUsage = defineOperation({
  line: "GET /v2/team/token-usage",
  tag: "Account",
  summary: "Read the tokens left this month",
  answer: defineShape(
    "TokenUsage",
    () =>
      z.strictObject({
        success: Success,
        data: z.strictObject({ remainingTokens: Count, planTokens: Count, ...billingPeriod }),
      }),
    { success, data: { remainingTokens: 149_925, planTokens: 150_000, ...billing } },
  ),
  async handle({ caller }, { credits }: UsageServices) {
    const { remaining, planned, period: paid } = await planOf(caller, credits);
    const remainingTokens = remaining * prices.tokens;
    return { success: true, data: { remainingTokens, planTokens: planned * prices.tokens, ...paid } };
  },
});

const creditHistory = defineOperation({
  line: "GET /v2/team/credit-usage/historical",
  tag: "Account",
  summary: "Read the credits used per month",
  query: HistoryQuery,
  answer: defineShape(
    "CreditHistory",
    () =>
      z.strictObject({
        success: Success,
        periods: z.array(z.strictObject({ ...month, creditsUsed: Count, totalCredits: Count })),
      }),
    { success, periods: [{ ...period, creditsUsed: 5, totalCredits: 5 }] },
  ),
  errors: [400],
  async handle({ query, caller }, services: UsageServices) {
    const periods = await historyOf(caller, query.byApiKey === "true", services);
    return {
      success: true,
      periods: periods.map((one) => ({
        ...showPeriod(one),
        creditsUsed: one.creditsUsed,
        totalCredits: one.creditsUsed,
      })),
    };
  },
});

const tokenHistory = defineOperation({
  line: "GET /v2/team/token-usage/historical",
  tag: "Account",
  summary: "Read the tokens used per month",
  query: HistoryQuery,
  answer: defineShape(
    "TokenHistory",
    () =>
      z.strictObject({
        success: Success,
        periods: z.array(z.strictObject({ ...month, tokensUsed: Count, totalTokens: Count })),
      }),
    { success, periods: [{ ...period, tokensUsed: 75, totalTokens: 75 }] },
  ),
  errors: [400],
  async handle({ query, caller }, services: UsageServices) {
    const periods = await historyOf(caller, query.byApiKey === "true", services);
    return {
      success: true,
      periods: periods.map((one) => {
        const tokens = one.creditsUsed * prices.tokens;
        return { ...showPeriod(one), tokensUsed: tokens, totalTokens: tokens };
      }),
    };
  },
});

/** The official clients read a team's credits and tokens here (contract, section 6.1). */
export const usageHistory = [creditHistory, tokenHistory];
export const accountUsage = [creditUsage, tokenUsage, ...usageHistory];

/** Credits of a team in the terms of a plan: the remaining ones, and their sum with the use of the period. */
export async function planOf({ team }: Caller, credits: Credits) {
  const { remaining, usedThisMonth } = await credits.balance(team);
  const { startMs, endMs } = periodOf(team.allowance?.period ?? "month", Date.now());
  return {
    remaining: remaining ?? Math.max(0, UNLIMITED_CREDITS - usedThisMonth),
    planned: remaining === undefined ? UNLIMITED_CREDITS : remaining + usedThisMonth,
    period: { billingPeriodStart: iso(startMs), billingPeriodEnd: iso(endMs) },
  };
}

async function historyOf({ teamId }: Caller, byKey: boolean, { database, credits }: UsageServices) {
  await credits.flush();
  return usageByMonth(database, teamId, { byKey });
}

function showPeriod({ startMs, endMs, keyName }: UsagePeriod) {
  return { startDate: iso(startMs), endDate: iso(endMs), ...(keyName !== undefined && { apiKey: keyName }) };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
