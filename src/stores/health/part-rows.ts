import type { Statements } from "../../platform/database/database.ts";

/** How a part fared when it was last used. */
export interface PartState {
  readonly part: string;
  /** Empty where there is one alone. */
  readonly target: string;
  readonly lastSuccessMs: number | null;
  readonly lastFailureMs: number | null;
  /** Of the last failure. */
  readonly problem: string | null;
  /** Since the last success. */
  readonly failuresInRow: number;
  /** When the hour began in which these were counted. */
  readonly hourMs: number;
  readonly successes: number;
  readonly failures: number;
}

/** @throws when the tables are not there yet. */
export function readPartStates(statements: Statements): Promise<readonly PartState[]> {
  return statements
    .prepared<PartState>(
      `SELECT part, target, last_success_at AS "lastSuccessMs", last_failure_at AS "lastFailureMs", problem,
         failures_in_row AS "failuresInRow", hour AS "hourMs", successes, failures
       FROM part_health ORDER BY part, target`,
    )
    .all();
}

/** What was known, and what is new. */
const TOGETHER = [
  "last_success_at = coalesce(excluded.last_success_at, part_health.last_success_at)",
  "last_failure_at = coalesce(excluded.last_failure_at, part_health.last_failure_at)",
  "problem = coalesce(excluded.problem, part_health.problem)",
  `failures_in_row = excluded.failures_in_row + ${kept("failures_in_row", "excluded.last_success_at IS NULL")}`,
  `successes = excluded.successes + ${kept("successes", "part_health.hour = excluded.hour")}`,
  `failures = excluded.failures + ${kept("failures", "part_health.hour = excluded.hour")}`,
  "hour = excluded.hour",
].join(", ");

/** What was counted before, where it still counts. */
function kept(column: string, condition: string): string {
  return `CASE WHEN ${condition} THEN part_health.${column} ELSE 0 END`;
}

export async function writePartStates(inside: Statements, states: readonly PartState[]): Promise<void> {
  const write = inside.prepared(
    `INSERT INTO part_health
       (part, target, last_success_at, last_failure_at, problem, failures_in_row, hour, successes, failures)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (part, target) DO UPDATE SET ${TOGETHER}`,
  );
  for (const state of states) {
    const { part, target, lastSuccessMs, lastFailureMs, problem } = state;
    const { failuresInRow, hourMs, successes, failures } = state;
    const times = [lastSuccessMs, lastFailureMs] as const;
    await write.run(part, target, ...times, problem, failuresInRow, hourMs, successes, failures);
  }
}
