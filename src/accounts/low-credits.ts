import type { Statements } from "../platform/database/database.ts";
import { periodOf } from "./periods.ts";

/** A team whose credits are few. */
export interface ShortTeam {
  readonly teamId: string;
  readonly name: string;
  readonly remaining: number;
}

/** What is left of an account: an allowance of an earlier period has ended, a raised one counts at once. */
const LEFT = `CASE
  WHEN books.account <> 'allowance' OR teams.allowance IS NULL THEN books.credited - books.debited
  WHEN books.period_start < starts.start THEN 0
  WHEN teams.allowance > books.granted THEN books.credited - books.debited + teams.allowance - books.granted
  ELSE books.credited - books.debited END`;
/** What is granted with the next request. */
const DUE = `CASE WHEN teams.allowance IS NOT NULL
  AND coalesce(max(CASE WHEN books.account = 'allowance' THEN books.period_start END), 0) < starts.start
  THEN teams.allowance ELSE 0 END`;

/** Teams that have fewer credits than that, the least first. Reads the books alone, and renews nothing. */
export function teamsBelow(
  statements: Statements,
  {
    credits,
    maxTeams,
    nowMs,
  }: { readonly credits: number; readonly maxTeams: number; readonly nowMs: number },
): Promise<readonly ShortTeam[]> {
  const [dayMs, monthMs] = [periodOf("day", nowMs).startMs, periodOf("month", nowMs).startMs];
  return statements
    .prepared<ShortTeam>(
      `SELECT id AS "teamId", name, remaining FROM (
         SELECT teams.id, teams.name, coalesce(sum(${LEFT}), 0) + ${DUE} AS remaining
         FROM teams
           JOIN (SELECT 'day' AS period, CAST(? AS bigint) AS start UNION ALL
                 SELECT 'month', CAST(? AS bigint)) AS starts
             ON starts.period = coalesce(teams.allowance_period, 'month')
           LEFT JOIN ledger_accounts AS books ON books.team_id = teams.id
         WHERE teams.is_limited = 1 AND teams.deleted_at IS NULL
         GROUP BY teams.id, teams.name, teams.allowance, starts.start
       ) AS left_over WHERE remaining < ? ORDER BY remaining, id LIMIT ?`,
    )
    .all(dayMs, monthMs, credits, maxTeams);
}
