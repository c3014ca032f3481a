import type { Database, Statements } from "../storage/database/database.ts";
import { monthStart } from "./periods.ts";

/** One charged piece of work, whose price may be 0. */
interface Usage {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly creditsUsed: number;
  /** Time at which the work began. It decides the month. */
  readonly createdAtMs: number;
}

/** A calendar month (UTC). */
export interface UsagePeriod {
  readonly startMs: number;
  /** Exclusive: the start of the next month. */
  readonly endMs: number;
  readonly creditsUsed: number;
  readonly requests: number;
  /** Only with `byKey`. Null for work without a key. */
  readonly keyId?: string | null;
  /** Only with `byKey`. Null when the key has no entry. */
  readonly keyName?: string | null;
}

/**
 * Selects all usage, in the columns of the table `usage`. Processes that share the books count into parts of
 * a row.
 */
export const ALL_USAGE = `(SELECT team_id, key_id, month, credits_used, requests FROM usage
  UNION ALL SELECT team_id, key_id, month, credits_used, requests FROM usage_parts) AS usage`;

/**
 * Adds to the counters of team, key and month, with one write per counter.
 * @param part row for counting in parts. Default: none.
 */
export async function addUsage(statements: Statements, list: readonly Usage[], part = 0): Promise<void> {
  for (const { teamId, keyId, month, ...sum } of summed(list)) {
    const values = [teamId, keyId, month, sum.creditsUsed, sum.requests] as const;
    await (part === 0
      ? statements
          .prepared(
            `INSERT INTO usage (team_id, key_id, month, credits_used, requests) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (team_id, month, key_id) DO UPDATE SET credits_used = usage.credits_used + excluded.credits_used,
               requests = usage.requests + excluded.requests`,
          )
          .run(...values)
      : statements
          .prepared(
            `INSERT INTO usage_parts (team_id, key_id, month, credits_used, requests, part) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (team_id, month, key_id, part) DO UPDATE SET
               credits_used = usage_parts.credits_used + excluded.credits_used,
               requests = usage_parts.requests + excluded.requests`,
          )
          .run(...values, part));
  }
}

/** Credits of the months that begin between `fromMs` (inclusive) and `toMs` (exclusive). */
export async function creditsUsed(
  database: Database,
  teamId: string,
  fromMs: number,
  toMs: number,
): Promise<number> {
  const row = await database
    .prepared<{ credits: number | null }>(
      `SELECT sum(credits_used) AS credits FROM ${ALL_USAGE} WHERE team_id = ? AND month >= ? AND month < ?`,
    )
    .get(teamId, fromMs, toMs);
  return row?.credits ?? 0;
}

export async function keyCreditsUsed(
  database: Database,
  { teamId, keyId, month }: { readonly teamId: string; readonly keyId: string; readonly month: number },
): Promise<number> {
  const row = await database
    .prepared<{ credits: number | null }>(
      `SELECT sum(credits_used) AS credits FROM ${ALL_USAGE} WHERE team_id = ? AND month = ? AND key_id = ?`,
    )
    .get(teamId, month, keyId);
  return row?.credits ?? 0;
}

/** Months with any use, oldest first. With `byKey` there is one entry per month and key. */
export async function usageByMonth(
  database: Database,
  teamId: string,
  { byKey }: { readonly byKey: boolean },
): Promise<readonly UsagePeriod[]> {
  return byKey ? periodsByKey(database, teamId) : periods(database, teamId);
}

async function periods(database: Database, teamId: string): Promise<readonly UsagePeriod[]> {
  const rows = await database
    .prepared<MonthRow>(
      `SELECT month, sum(credits_used) AS credits_used, sum(requests) AS requests
       FROM ${ALL_USAGE} WHERE team_id = ? GROUP BY month ORDER BY month`,
    )
    .all(teamId);
  return rows.map(periodOf);
}

async function periodsByKey(database: Database, teamId: string): Promise<readonly UsagePeriod[]> {
  const rows = await database
    .prepared<MonthRow & { readonly key_id: string; readonly name: string | null }>(
      `SELECT usage.month, sum(usage.credits_used) AS credits_used, sum(usage.requests) AS requests, usage.key_id,
         api_keys.name
       FROM ${ALL_USAGE} LEFT JOIN api_keys ON api_keys.id = usage.key_id
       WHERE usage.team_id = ? GROUP BY usage.month, usage.key_id, api_keys.name ORDER BY usage.month, usage.key_id`,
    )
    .all(teamId);
  return rows.map((row) => Object.assign(periodOf(row), { keyId: row.key_id || null, keyName: row.name }));
}

interface MonthRow {
  readonly month: number;
  readonly credits_used: number;
  readonly requests: number;
}

function periodOf(row: MonthRow): UsagePeriod {
  const endMs = monthStart(row.month, 1);
  return { startMs: row.month, endMs, creditsUsed: row.credits_used, requests: row.requests };
}

interface Counter {
  readonly teamId: string;
  readonly keyId: string;
  readonly month: number;
  creditsUsed: number;
  requests: number;
}

function summed(list: readonly Usage[]): Iterable<Counter> {
  const counters = new Map<string, Counter>();
  let latest: Counter | undefined;
  let latestEndMs = 0;
  for (const { teamId, keyId = "", createdAtMs, creditsUsed: credits } of list) {
    // Consecutive ones are mostly of one team, key and month, and calendars are slow.
    const isSame = latest?.teamId === teamId && latest.keyId === keyId;
    if (!latest || !isSame || createdAtMs < latest.month || createdAtMs >= latestEndMs) {
      const month = monthStart(createdAtMs);
      const name = JSON.stringify([teamId, keyId, month]);
      latest = counters.get(name) ?? { teamId, keyId, month, creditsUsed: 0, requests: 0 };
      latestEndMs = monthStart(month, 1);
      counters.set(name, latest);
    }
    latest.creditsUsed += credits;
    latest.requests += 1;
  }
  return counters.values();
}
