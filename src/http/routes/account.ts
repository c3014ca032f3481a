import type { FastifyInstance } from "fastify";

import type { Caller } from "../../accounts/callers.ts";
import type { Credits } from "../../accounts/credits.ts";
import type { Limits } from "../../accounts/limits.ts";
import { periodOf } from "../../accounts/periods.ts";
import { usageByMonth, type UsagePeriod } from "../../accounts/usage.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Records } from "../../stores/scrapes/records.ts";
import { ActivityQuery, HistoryQuery } from "../queries.ts";

export interface AccountRoutes {
  readonly database: Database;
  readonly records: Records;
  readonly credits: Credits;
  readonly limits: Limits;
  /** Pages fetched at once for all teams together. */
  readonly scrapeConcurrency: number;
}

/** Credits without an allowance: what "unlimited" looks like to clients that expect a number. */
const UNLIMITED_CREDITS = 1_000_000_000;

/** The public service's rate, which clients use for display alone. */
const TOKENS_PER_CREDIT = 15;

/** What the official clients ask about a team (contract, section 6.1). */
export function addAccountRoutes(app: FastifyInstance, routes: AccountRoutes): void {
  addUsageRoutes(app, routes);
  addHistoryRoutes(app, routes);
  addQueueRoutes(app, routes);

  app.get("/v2/team/activity", async ({ query, caller }) => {
    const { endpoint, limit, cursor } = ActivityQuery.parse(query);
    const page = await routes.records.list(caller.teamId, { endpoint, limit, cursor });
    return { success: true, data: page.data, cursor: page.cursor, has_more: page.cursor !== null };
  });
}

function addUsageRoutes(app: FastifyInstance, { credits }: AccountRoutes): void {
  app.get("/v2/team/credit-usage", async ({ caller }) => {
    const { remaining, planned, period } = await planOf(caller, credits);
    return { success: true, data: { remainingCredits: remaining, planCredits: planned, ...period } };
  });

  app.get("/v2/team/token-usage", async ({ caller }) => {
    const { remaining, planned, period } = await planOf(caller, credits);
    const remainingTokens = remaining * TOKENS_PER_CREDIT;
    return {
      success: true,
      data: { remainingTokens, planTokens: planned * TOKENS_PER_CREDIT, ...period },
    };
  });
}

function addHistoryRoutes(app: FastifyInstance, { database, credits }: AccountRoutes): void {
  app.get("/v2/team/credit-usage/historical", async ({ query, caller }) => {
    const { byApiKey } = HistoryQuery.parse(query);
    await credits.flush();
    const periods = await usageByMonth(database, caller.teamId, { byKey: byApiKey === "true" });
    return {
      success: true,
      periods: periods.map((period) => ({
        ...showPeriod(period),
        creditsUsed: period.creditsUsed,
        totalCredits: period.creditsUsed,
      })),
    };
  });

  app.get("/v2/team/token-usage/historical", async ({ query, caller }) => {
    const { byApiKey } = HistoryQuery.parse(query);
    await credits.flush();
    const periods = await usageByMonth(database, caller.teamId, { byKey: byApiKey === "true" });
    return {
      success: true,
      periods: periods.map((period) => {
        const tokens = period.creditsUsed * TOKENS_PER_CREDIT;
        return { ...showPeriod(period), tokensUsed: tokens, totalTokens: tokens };
      }),
    };
  });
}

function addQueueRoutes(app: FastifyInstance, routes: AccountRoutes): void {
  const { records, limits, scrapeConcurrency } = routes;

  app.get("/v2/team/queue-status", async ({ caller }) => {
    const mostRecentMs = await records.mostRecentSuccess(caller.teamId);
    const { running, waiting, limit = scrapeConcurrency } = await limits.load(caller.team);
    return {
      success: true,
      jobsInQueue: running + waiting,
      activeJobsInQueue: running,
      waitingJobsInQueue: waiting,
      maxConcurrency: limit,
      mostRecentSuccess: mostRecentMs === undefined ? null : iso(mostRecentMs),
    };
  });

  app.get("/v2/concurrency-check", async ({ caller }) => {
    const { running, limit = scrapeConcurrency } = await limits.load(caller.team);
    return { success: true, concurrency: running, maxConcurrency: limit };
  });
}

/** What a team has, in the terms of a plan: what is left, and what that and its use of the period come to. */
async function planOf({ team }: Caller, credits: Credits) {
  const { remaining, usedThisMonth } = await credits.balance(team);
  const { startMs, endMs } = periodOf(team.allowance?.period ?? "month", Date.now());
  return {
    remaining: remaining ?? Math.max(0, UNLIMITED_CREDITS - usedThisMonth),
    planned: remaining === undefined ? UNLIMITED_CREDITS : remaining + usedThisMonth,
    period: { billingPeriodStart: iso(startMs), billingPeriodEnd: iso(endMs) },
  };
}

function showPeriod({ startMs, endMs, keyName }: UsagePeriod) {
  return { startDate: iso(startMs), endDate: iso(endMs), ...(keyName !== undefined && { apiKey: keyName }) };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
