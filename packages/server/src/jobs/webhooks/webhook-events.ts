import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../../storage/database/database.ts";
import { nextOfSequence } from "../../storage/database/sequences.ts";

export interface NewEvent {
  readonly jobId: string;
  readonly teamId: string;
  readonly receiverId: string;
  /** `crawl.page` */
  readonly type: string;
  readonly isSuccess: boolean;
  /** True: sent alone, after all events before it and before all after it. */
  readonly isBarrier: boolean;
  /** Set for a page with a stored document. */
  readonly scrapeId?: string | undefined;
  /** JSON of the document where answers are not stored, or the result or own event of a job. */
  readonly body?: string | undefined;
  /** Set for a failed page. */
  readonly pageUrl?: string | undefined;
  readonly error?: string | undefined;
}

/** `handed`: the queue has the event, for the first time or again. `dead`: no more attempts are made. */
export type EventState = "waiting" | "handed" | "delivered" | "dead";

export interface EventRow {
  readonly id: string;
  /** Increases over all jobs. */
  readonly sequence: number;
  readonly jobId: string;
  readonly teamId: string;
  readonly receiverId: string;
  readonly type: string;
  readonly isSuccess: number;
  readonly isBarrier: number;
  readonly state: EventState;
  readonly attempts: number;
  readonly scrapeId: string | null;
  readonly body: string | null;
  readonly pageUrl: string | null;
  readonly error: string | null;
  readonly createdAtMs: number;
  /** Time of the next attempt. */
  readonly nextAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** What the receiver answered last, as far as it is kept. */
  readonly lastAnswer: string | null;
}

const COLUMNS = `id, sequence, run_id AS "jobId", team_id AS "teamId", receiver_id AS "receiverId", type,
  is_success AS "isSuccess", is_barrier AS "isBarrier", state, attempts, scrape_id AS "scrapeId", body,
  page_url AS "pageUrl", error, created_at AS "createdAtMs", next_at AS "nextAtMs", ended_at AS "endedAtMs",
  last_status AS "lastStatus", last_error AS "lastError", last_answer AS "lastAnswer"`;
const SEQUENCE = "webhook events";

export async function insertEvent(tx: Statements, event: NewEvent, nowMs: number): Promise<void> {
  const sequence = await nextOfSequence(tx, SEQUENCE, 1);
  await tx
    .prepared(
      `INSERT INTO webhook_events (id, run_id, team_id, receiver_id, sequence, type, is_success, is_barrier, state,
         attempts, scrape_id, body, page_url, error, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?, ?, ?, ?, ?)`,
    )
    .run(
      uuidV7(nowMs),
      event.jobId,
      event.teamId,
      event.receiverId,
      sequence,
      event.type,
      event.isSuccess ? 1 : 0,
      event.isBarrier ? 1 : 0,
      event.scrapeId ?? null,
      event.body ?? null,
      event.pageUrl ?? null,
      event.error ?? null,
      nowMs,
    );
}

export async function getEvent(statements: Statements, id: string): Promise<EventRow | undefined> {
  return statements.prepared<EventRow>(`SELECT ${COLUMNS} FROM webhook_events WHERE id = ?`).get(id);
}

/** The first waiting event of a job. */
export async function firstWaiting(tx: Statements, jobId: string): Promise<EventRow | undefined> {
  return tx
    .prepared<EventRow>(
      `SELECT ${COLUMNS} FROM webhook_events WHERE run_id = ? AND state = 'waiting' ORDER BY sequence LIMIT 1`,
    )
    .get(jobId);
}

export async function markHanded(tx: Statements, id: string, receiverId: string): Promise<void> {
  await tx
    .prepared("UPDATE webhook_events SET state = 'handed', receiver_id = ? WHERE id = ?")
    .run(receiverId, id);
}

/** Result of an attempt, with the event's next state. */
interface Attempted {
  readonly state: EventState;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly answer?: string | undefined;
  readonly nextAtMs?: number | undefined;
  readonly nowMs: number;
}

export async function writeAttempt(
  tx: Statements,
  id: string,
  { state, status, error, answer, nextAtMs, nowMs }: Attempted,
): Promise<void> {
  await tx
    .prepared(
      `UPDATE webhook_events SET state = ?, attempts = attempts + 1, last_status = ?, last_error = ?,
         last_answer = ?, next_at = ?, ended_at = ? WHERE id = ?`,
    )
    .run(
      state,
      status ?? null,
      error ?? null,
      answer ?? null,
      nextAtMs ?? null,
      state === "handed" ? null : nowMs,
      id,
    );
}

/** Puts an ended event under way again, without its earlier attempts. */
export async function reviveEvent(
  tx: Statements,
  id: string,
): Promise<Pick<EventRow, "jobId" | "receiverId"> | undefined> {
  return tx
    .prepared<Pick<EventRow, "jobId" | "receiverId">>(
      `UPDATE webhook_events SET state = 'handed', attempts = 0, next_at = NULL, ended_at = NULL
       WHERE id = ? AND state IN ('dead', 'delivered') RETURNING run_id AS "jobId", receiver_id AS "receiverId"`,
    )
    .get(id);
}

/** @property before sequence of the last event of the previous list. */
export interface EventFilter {
  readonly jobId: string;
  readonly state?: EventState | undefined;
  readonly before?: number | undefined;
  readonly count: number;
}

export async function listEvents(
  statements: Statements,
  { jobId, state, before = Number.MAX_SAFE_INTEGER, count }: EventFilter,
): Promise<readonly EventRow[]> {
  return statements
    .prepared<EventRow>(
      `SELECT ${COLUMNS} FROM webhook_events WHERE run_id = ? AND (? = '' OR state = ?) AND sequence < ?
       ORDER BY sequence DESC LIMIT ?`,
    )
    .all(jobId, state ?? "", state ?? "", before, count);
}

export async function countEvents(
  statements: Statements,
  jobId: string,
): Promise<Readonly<Record<EventState, number>>> {
  const rows = await statements
    .prepared<{ state: EventState; count: number }>(
      "SELECT state, count(*) AS count FROM webhook_events WHERE run_id = ? GROUP BY state",
    )
    .all(jobId);
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.count]));
  return { waiting: 0, handed: 0, delivered: 0, dead: 0, ...counts };
}
