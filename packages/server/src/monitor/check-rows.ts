import type { CHECK_STATUSES } from "../api/monitor.ts";
import { fitting } from "../api/fitting.ts";
import type { Statements } from "../storage/database/database.ts";

export type CheckStatus = (typeof CHECK_STATUSES)[number];
type Billing = "not_applicable" | "reserved" | "confirmed" | "released" | "failed";

/** Counts the pages of a check by result. */
export interface Summary {
  readonly totalPages: number;
  readonly same: number;
  readonly changed: number;
  readonly new: number;
  readonly removed: number;
  readonly error: number;
}

export interface CheckRow {
  readonly id: string;
  readonly monitorId: string;
  readonly teamId: string;
  readonly status: CheckStatus;
  readonly isManual: number;
  readonly scheduledAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly estimatedCredits: number | null;
  readonly reservedCredits: number | null;
  /** Credits besides the pages of the check's own run: crawls, searches, judgments. */
  readonly extraCredits: number;
  readonly actualCredits: number | null;
  readonly billing: Billing;
  readonly total: number;
  readonly same: number;
  readonly changed: number;
  readonly fresh: number;
  readonly removed: number;
  readonly failed: number;
  /** First unit of work that was not handed out yet. */
  readonly nextUnit: number;
  readonly units: number;
  readonly openCrawls: number;
  /** `ending`: the step that ends the check was handed out. */
  readonly stage: "working" | "ending" | "over";
  /** JSON of `TargetResult[]`. */
  readonly targets: string;
  /** JSON of a `NotificationStatus`. */
  readonly notification: string | null;
  readonly warning: string | null;
  readonly error: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

const COLUMNS = `id, monitor_id AS "monitorId", team_id AS "teamId", status, is_manual AS "isManual",
  scheduled_at AS "scheduledAtMs", started_at AS "startedAtMs", finished_at AS "finishedAtMs",
  estimated_credits AS "estimatedCredits", reserved_credits AS "reservedCredits", extra_credits AS "extraCredits",
  actual_credits AS "actualCredits", billing, total, same, changed, fresh, removed, failed, next_unit AS "nextUnit",
  units, open_crawls AS "openCrawls", stage, targets, notification, warning, error, created_at AS "createdAtMs",
  updated_at AS "updatedAtMs"`;

/** Columns of a check that are known when it is created. */
interface NewCheck extends Pick<CheckRow, "id" | "monitorId" | "teamId" | "status" | "scheduledAtMs"> {
  readonly isManual: boolean;
  readonly nowMs: number;
}

/** A check that is not queued ends when it is inserted. */
export async function insertCheck(tx: Statements, check: NewCheck): Promise<void> {
  const isOver = check.status !== "queued";
  await tx
    .prepared(
      `INSERT INTO monitor_checks (id, monitor_id, team_id, status, is_manual, scheduled_at, finished_at,
         extra_credits, billing, total, same, changed, fresh, removed, failed, next_unit, units, open_crawls, stage,
         targets, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, 'not_applicable', 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, '[]', ?, ?)`,
    )
    .run(
      check.id,
      check.monitorId,
      check.teamId,
      check.status,
      check.isManual ? 1 : 0,
      check.scheduledAtMs,
      isOver ? check.nowMs : null,
      isOver ? "over" : "working",
      check.nowMs,
      check.nowMs,
    );
}

export async function getCheck(statements: Statements, id: string): Promise<CheckRow | undefined> {
  return statements.prepared<CheckRow>(`SELECT ${COLUMNS} FROM monitor_checks WHERE id = ?`).get(id);
}

export interface CheckListPart {
  readonly monitorId: string;
  readonly status?: CheckStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first, at most 10 MiB. */
export async function listChecks(
  statements: Statements,
  { monitorId, status = "" as CheckStatus, limit, offset }: CheckListPart,
): Promise<{ readonly checks: readonly CheckRow[]; readonly hasMore: boolean }> {
  const wanted = "FROM monitor_checks WHERE monitor_id = ? AND (? = '' OR status = ?)";
  const sized = await statements
    .prepared<{ id: string; sizeBytes: number }>(
      `SELECT id, length(targets) + 1000 AS "sizeBytes" ${wanted} ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .all(monitorId, status, status, limit + 1, offset);
  const fit = sized.slice(0, fitting(sized.slice(0, limit)));
  const checks = await statements
    .prepared<CheckRow>(`SELECT ${COLUMNS} ${wanted} AND id <= ? ORDER BY id DESC LIMIT ?`)
    .all(monitorId, status, status, fit[0]?.id ?? "", fit.length);
  return { checks, hasMore: sized.length > fit.length };
}

/** Credits that the active checks of a team have reserved and not spent. */
export async function reservedOf(statements: Statements, teamId: string): Promise<number> {
  const row = await statements
    .prepared<{ reserved: number | null }>(
      `SELECT sum(CASE WHEN rest > 0 THEN rest ELSE 0 END) AS reserved FROM
         (SELECT reserved_credits - extra_credits - coalesce(job_runs.credits_used, 0) AS rest
          FROM monitor_checks LEFT JOIN job_runs ON job_runs.id = monitor_checks.id
          WHERE monitor_checks.team_id = ? AND finished_at IS NULL) AS rests`,
    )
    .get(teamId);
  return row?.reserved ?? 0;
}

/** Updates the columns of a check that a step may change. */
export async function changeCheck(
  tx: Statements,
  id: string,
  change: { readonly [Name in keyof typeof CHANGEABLE]?: string | number | null },
): Promise<void> {
  const names = Object.keys(change) as (keyof typeof CHANGEABLE)[];
  const sets = names.map((name) => `${CHANGEABLE[name]} = ?`).join(", ");
  const values = names.map((name) => change[name] ?? null);
  await tx.prepared(`UPDATE monitor_checks SET ${sets} WHERE id = ?`).run(...values, id);
}

const CHANGEABLE = {
  status: "status",
  stage: "stage",
  nextUnit: "next_unit",
  openCrawls: "open_crawls",
  startedAtMs: "started_at",
  finishedAtMs: "finished_at",
  estimatedCredits: "estimated_credits",
  reservedCredits: "reserved_credits",
  units: "units",
  extraCredits: "extra_credits",
  actualCredits: "actual_credits",
  billing: "billing",
  targets: "targets",
  notification: "notification",
  warning: "warning",
  error: "error",
  updatedAtMs: "updated_at",
} as const;

export function summaryOf(check: CheckRow): Summary {
  const { total, same, changed, fresh, removed, failed } = check;
  return { totalPages: total, same, changed, new: fresh, removed, error: failed };
}
