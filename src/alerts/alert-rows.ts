import type { Statements } from "../platform/database/database.ts";
import type { Cause } from "./causes.ts";

/** What is the matter since when. */
export interface AlertRow extends Cause {
  readonly beganAtMs: number;
  /** When it was last found to be the matter. */
  readonly seenAtMs: number;
}

export type Channel = "webhook" | "mail";

export interface MessageRow {
  readonly id: string;
  readonly channel: Channel;
  readonly title: string;
  /** JSON of the message. */
  readonly body: string;
  readonly state: "pending" | "sent" | "failed";
  readonly problem: string | null;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

const ALERT = `cause, title, detail, began_at AS "beganAtMs", seen_at AS "seenAtMs"`;
const MESSAGE = `id, channel, title, body, state, problem, created_at AS "createdAtMs", ended_at AS "endedAtMs"`;

/** Newest first. */
export function listAlerts(statements: Statements, maxAlerts: number): Promise<readonly AlertRow[]> {
  return statements
    .prepared<AlertRow>(`SELECT ${ALERT} FROM alerts ORDER BY began_at DESC, cause LIMIT ?`)
    .all(maxAlerts);
}

/** @returns whether it is news. */
export async function beginAlert(inside: Statements, { cause, title, detail }: Cause, nowMs: number) {
  const added = await inside
    .prepared(
      `INSERT INTO alerts (cause, title, detail, began_at, seen_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (cause) DO NOTHING`,
    )
    .run(cause, title, detail, nowMs, nowMs);
  if (added > 0) return true;
  await inside
    .prepared("UPDATE alerts SET title = ?, detail = ?, seen_at = ? WHERE cause = ?")
    .run(title, detail, nowMs, cause);
  return false;
}

/** @returns whether this call has ended it. */
export async function endAlert(inside: Statements, cause: string): Promise<boolean> {
  return (await inside.prepared("DELETE FROM alerts WHERE cause = ?").run(cause)) > 0;
}

export async function insertMessage(
  inside: Statements,
  { id, channel, title, body, createdAtMs }: Omit<MessageRow, "state" | "problem" | "endedAtMs">,
): Promise<void> {
  await inside
    .prepared(
      `INSERT INTO alert_messages (id, channel, title, body, state, created_at)
       VALUES (?, ?, ?, ?, 'pending', ?)`,
    )
    .run(id, channel, title, body, createdAtMs);
}

export function getMessage(statements: Statements, id: string): Promise<MessageRow | undefined> {
  return statements.prepared<MessageRow>(`SELECT ${MESSAGE} FROM alert_messages WHERE id = ?`).get(id);
}

/** Newest first. */
export function listMessages(statements: Statements, maxMessages: number): Promise<readonly MessageRow[]> {
  return statements
    .prepared<MessageRow>(`SELECT ${MESSAGE} FROM alert_messages ORDER BY created_at DESC, id DESC LIMIT ?`)
    .all(maxMessages);
}

export async function endMessage(
  inside: Statements,
  id: string,
  outcome: { readonly problem: string | undefined; readonly nowMs: number },
): Promise<void> {
  const { problem, nowMs } = outcome;
  await inside
    .prepared("UPDATE alert_messages SET state = ?, problem = ?, ended_at = ? WHERE id = ?")
    .run(problem === undefined ? "sent" : "failed", problem ?? null, nowMs, id);
}

/** What tells of a team goes with it. */
export async function eraseTeamAlerts(statements: Statements, teamId: string): Promise<void> {
  await statements.prepared("DELETE FROM alerts WHERE cause = ?").run(`credits ${teamId}`);
  // A message that still waits is lost with it: it may name the team.
  await statements.prepared("DELETE FROM alert_messages WHERE body LIKE ?").run(`%${teamId}%`);
}

export async function deleteOldMessages(statements: Statements, beforeMs: number): Promise<void> {
  await statements.prepared("DELETE FROM alert_messages WHERE created_at < ?").run(beforeMs);
}
