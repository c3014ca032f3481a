import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { monthStart, creditsUsed, usageByMonth, type UsagePeriod } from "../../accounts/usage.ts";
import type { Gate } from "../../kit/gate.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Records } from "../../scrape/records.ts";

export interface AccountRoutes {
  readonly database: Database;
  readonly records: Records;
  readonly gate: Gate;
  readonly scrapeConcurrency: number;
}

/** Credits without an allowance: what "unlimited" looks like to clients that expect a number. */
const UNLIMITED_CREDITS = 1_000_000_000;

/** The public service's rate, which clients use for display alone. */
const TOKENS_PER_CREDIT = 15;

const ActivityQuery = z.object({
  endpoint: z
    .enum([
      "scrape",
      "crawl",
      "batch_scrape",
      "search",
      "extract",
      "llmstxt",
      "deep_research",
      "map",
      "agent",
      "browser",
      "interact",
    ])
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});

/** What the official clients ask about a team (contract, section 6.1). */
export function addAccountRoutes(app: FastifyInstance, routes: AccountRoutes): void {
  addCreditRoutes(app, routes.database);
  addQueueRoutes(app, routes);

  app.get("/v2/team/activity", async ({ query, caller }) => {
    const { endpoint, limit, cursor } = ActivityQuery.parse(query);
    const page = await routes.records.list(caller.teamId, { endpoint, limit, cursor });
    return { success: true, data: page.data, cursor: page.cursor, has_more: page.cursor !== null };
  });
}

function addCreditRoutes(app: FastifyInstance, database: Database): void {
  app.get("/v2/team/credit-usage", async ({ caller }) => {
    const { remaining, startMs, endMs } = await balance(database, caller.teamId);
    const period = { billingPeriodStart: iso(startMs), billingPeriodEnd: iso(endMs) };
    return {
      success: true,
      data: { remainingCredits: remaining, planCredits: UNLIMITED_CREDITS, ...period },
    };
  });

  app.get("/v2/team/token-usage", async ({ caller }) => {
    const { remaining, startMs, endMs } = await balance(database, caller.teamId);
    const period = { billingPeriodStart: iso(startMs), billingPeriodEnd: iso(endMs) };
    const remainingTokens = remaining * TOKENS_PER_CREDIT;
    const planTokens = UNLIMITED_CREDITS * TOKENS_PER_CREDIT;
    return { success: true, data: { remainingTokens, planTokens, ...period } };
  });

  app.get<{ Querystring: { byApiKey?: string } }>(
    "/v2/team/credit-usage/historical",
    async ({ query, caller }) => {
      const periods = await usageByMonth(database, caller.teamId, { byKey: query.byApiKey === "true" });
      return {
        success: true,
        periods: periods.map((period) => ({
          ...periodOf(period),
          creditsUsed: period.creditsUsed,
          totalCredits: period.creditsUsed,
        })),
      };
    },
  );

  app.get<{ Querystring: { byApiKey?: string } }>(
    "/v2/team/token-usage/historical",
    async ({ query, caller }) => {
      const periods = await usageByMonth(database, caller.teamId, { byKey: query.byApiKey === "true" });
      return {
        success: true,
        periods: periods.map((period) => {
          const tokens = period.creditsUsed * TOKENS_PER_CREDIT;
          return { ...periodOf(period), tokensUsed: tokens, totalTokens: tokens };
        }),
      };
    },
  );
}

function addQueueRoutes(app: FastifyInstance, { records, gate, scrapeConcurrency }: AccountRoutes): void {
  app.get("/v2/team/queue-status", async ({ caller }) => {
    const mostRecentMs = await records.mostRecentSuccess(caller.teamId);
    return {
      success: true,
      jobsInQueue: gate.running + gate.waiting,
      activeJobsInQueue: gate.running,
      waitingJobsInQueue: gate.waiting,
      maxConcurrency: scrapeConcurrency,
      mostRecentSuccess: mostRecentMs === undefined ? null : iso(mostRecentMs),
    };
  });

  app.get("/v2/concurrency-check", async () => {
    return { success: true, concurrency: gate.running, maxConcurrency: scrapeConcurrency };
  });
}

async function balance(database: Database, teamId: string) {
  const startMs = monthStart(Date.now());
  const endMs = monthStart(Date.now(), 1);
  const used = await creditsUsed(database, teamId, startMs, endMs);
  return { remaining: Math.max(0, UNLIMITED_CREDITS - used), startMs, endMs };
}

function periodOf({ startMs, endMs, keyName }: UsagePeriod) {
  return { startDate: iso(startMs), endDate: iso(endMs), ...(keyName !== undefined && { apiKey: keyName }) };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
