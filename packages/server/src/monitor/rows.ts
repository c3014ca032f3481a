import { setImmediate as nextTurn } from "node:timers/promises";

import type { Statements } from "../storage/database/database.ts";
import type { Summary } from "./check-rows.ts";

export interface MonitorRow {
  readonly id: string;
  readonly teamId: string;
  /** Key that last wrote the monitor. Its checks have the rights of this key. Null in open mode. */
  readonly keyId: string | null;
  readonly name: string;
  readonly status: "active" | "paused" | "deleted";
  readonly cron: string;
  readonly timezone: string;
  /** Sealed JSON of a `MonitorPlan`. */
  readonly plan: string;
  readonly retentionDays: number;
  readonly linkBase: string;
  readonly nextRunAtMs: number | null;
  readonly lastRunAtMs: number | null;
  readonly currentCheckId: string | null;
  /** JSON of a `Summary`. */
  readonly lastSummary: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

const COLUMNS = `id, team_id AS "teamId", key_id AS "keyId", name, status, cron, timezone, plan,
  retention_days AS "retentionDays", link_base AS "linkBase", next_run_at AS "nextRunAtMs",
  last_run_at AS "lastRunAtMs", current_check_id AS "currentCheckId", last_summary AS "lastSummary",
  created_at AS "createdAtMs", updated_at AS "updatedAtMs"`;

export async function insertMonitor(tx: Statements, monitor: MonitorRow): Promise<void> {
  await tx
    .prepared(
      `INSERT INTO monitors (id, team_id, key_id, name, status, cron, timezone, plan, retention_days, link_base,
         next_run_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      monitor.id,
      monitor.teamId,
      monitor.keyId,
      monitor.name,
      monitor.status,
      monitor.cron,
      monitor.timezone,
      monitor.plan,
      monitor.retentionDays,
      monitor.linkBase,
      monitor.nextRunAtMs,
      monitor.createdAtMs,
      monitor.updatedAtMs,
    );
}

/** Updates the columns that a request can change. */
export async function writeMonitor(tx: Statements, monitor: MonitorRow): Promise<void> {
  await tx
    .prepared(
      `UPDATE monitors SET key_id = ?, name = ?, status = ?, cron = ?, timezone = ?, plan = ?, retention_days = ?,
         link_base = ?, next_run_at = ?, updated_at = ? WHERE id = ?`,
    )
    .run(
      monitor.keyId,
      monitor.name,
      monitor.status,
      monitor.cron,
      monitor.timezone,
      monitor.plan,
      monitor.retentionDays,
      monitor.linkBase,
      monitor.nextRunAtMs,
      monitor.updatedAtMs,
      monitor.id,
    );
}

/** Undefined for a deleted monitor. */
export async function getMonitor(statements: Statements, id: string): Promise<MonitorRow | undefined> {
  return statements
    .prepared<MonitorRow>(`SELECT ${COLUMNS} FROM monitors WHERE id = ? AND status <> 'deleted'`)
    .get(id);
}

/** @property teamId undefined: all teams. */
interface MonitorListPart {
  readonly teamId?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first. Each is read when the consumer asks for it, because plans may be large. */
export async function* listMonitors(
  statements: Statements,
  { teamId = "", limit, offset }: MonitorListPart,
): AsyncGenerator<MonitorRow> {
  const rows = await statements
    .prepared<{ id: string }>(
      `SELECT id FROM monitors WHERE (? = '' OR team_id = ?) AND status <> 'deleted'
       ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .all(teamId, teamId, limit, offset);
  for (const { id } of rows) {
    const monitor = await getMonitor(statements, id);
    if (monitor) yield monitor;
    await nextTurn();
  }
}

/** @param nextRunAtMs null while the monitor is paused. */
export async function setNextRun(tx: Statements, id: string, nextRunAtMs: number | null): Promise<void> {
  await tx.prepared("UPDATE monitors SET next_run_at = ? WHERE id = ?").run(nextRunAtMs, id);
}

/** Records that a check of the monitor has begun. */
export async function noteBegun(
  tx: Statements,
  { id, checkId, nowMs }: { readonly id: string; readonly checkId: string; readonly nowMs: number },
): Promise<void> {
  await tx
    .prepared("UPDATE monitors SET current_check_id = ?, last_run_at = ? WHERE id = ?")
    .run(checkId, nowMs, id);
}

/** Records that the monitor's active check has ended. */
export async function recordEnded(
  tx: Statements,
  { id, checkId, summary }: { readonly id: string; readonly checkId: string; readonly summary: Summary },
): Promise<void> {
  await tx
    .prepared(
      "UPDATE monitors SET current_check_id = NULL, last_summary = ? WHERE id = ? AND current_check_id = ?",
    )
    .run(JSON.stringify(summary), id, checkId);
}
