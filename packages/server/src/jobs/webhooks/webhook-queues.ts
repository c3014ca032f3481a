import type { Statements } from "../../storage/database/database.ts";

/** State of the events between one job and one receiver. */
interface QueueRow {
  readonly jobId: string;
  readonly teamId: string;
  readonly receiverId: string;
  /** First word of the types of its events. */
  readonly family: string;
  /** JSON list of the wanted events. An empty list means all. */
  readonly events: string;
  /** Sealed JSON of a `WebhookSetting`. */
  readonly setting: string;
  /** Events that the queue has, tried or not. */
  readonly underWay: number;
  readonly isBarrierUnderWay: number;
}

export interface ReceiverRow {
  readonly id: string;
  readonly teamId: string;
  /** Scheme and host only, because paths may hold secrets. */
  readonly origin: string;
  /** Events that the queue has and has not tried yet. */
  readonly handed: number;
  /** Failures in a row. */
  readonly failures: number;
  /** 0 when the receiver is not paused. */
  readonly pausedUntilMs: number;
  readonly lastAtMs: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

const QUEUE_COLUMNS = `run_id AS "jobId", team_id AS "teamId", receiver_id AS "receiverId", family, events, setting,
  under_way AS "underWay", is_barrier_under_way AS "isBarrierUnderWay"`;
const RECEIVER_COLUMNS = `id, team_id AS "teamId", origin, handed, failures, paused_until AS "pausedUntilMs",
  last_at AS "lastAtMs", last_status AS "lastStatus", last_error AS "lastError"`;

export async function getQueue(statements: Statements, jobId: string): Promise<QueueRow | undefined> {
  return statements
    .prepared<QueueRow>(`SELECT ${QUEUE_COLUMNS} FROM webhook_queues WHERE run_id = ?`)
    .get(jobId);
}

/** Opens the queue of a job, or changes its receiver. */
export async function openQueue(
  tx: Statements,
  queue: Pick<QueueRow, "jobId" | "teamId" | "receiverId" | "family" | "events" | "setting">,
  origin: string,
): Promise<void> {
  await tx
    .prepared(
      `INSERT INTO webhook_receivers (id, team_id, origin, handed, failures, paused_until) VALUES (?, ?, ?, 0, 0, 0)
       ON CONFLICT (id) DO NOTHING`,
    )
    .run(queue.receiverId, queue.teamId, origin);
  await tx
    .prepared(
      `INSERT INTO webhook_queues (run_id, team_id, receiver_id, family, events, setting, under_way,
         is_barrier_under_way, may_hand, turn)
       VALUES (?, ?, ?, ?, ?, ?, 0, 0, 1, 0)
       ON CONFLICT (run_id) DO UPDATE SET receiver_id = excluded.receiver_id, events = excluded.events,
         setting = excluded.setting, may_hand = 1`,
    )
    .run(queue.jobId, queue.teamId, queue.receiverId, queue.family, queue.events, queue.setting);
}

export async function getReceiver(statements: Statements, id: string): Promise<ReceiverRow | undefined> {
  return statements
    .prepared<ReceiverRow>(`SELECT ${RECEIVER_COLUMNS} FROM webhook_receivers WHERE id = ?`)
    .get(id);
}

export async function listReceivers(statements: Statements, teamId: string): Promise<readonly ReceiverRow[]> {
  return statements
    .prepared<ReceiverRow>(
      `SELECT ${RECEIVER_COLUMNS} FROM webhook_receivers WHERE team_id = ? ORDER BY origin`,
    )
    .all(teamId);
}

/** Among the queues of a receiver that may have events, the one that has waited longest. */
export async function nextQueue(tx: Statements, receiverId: string): Promise<QueueRow | undefined> {
  return tx
    .prepared<QueueRow>(
      `SELECT ${QUEUE_COLUMNS} FROM webhook_queues WHERE receiver_id = ? AND may_hand = 1 ORDER BY turn LIMIT 1`,
    )
    .get(receiverId);
}

export async function setMayHand(tx: Statements, jobId: string, mayHand: boolean): Promise<void> {
  await tx.prepared("UPDATE webhook_queues SET may_hand = ? WHERE run_id = ?").run(mayHand ? 1 : 0, jobId);
}

/** Records that the queue has an event of the queue, and moves the queue behind the receiver's others. */
export async function noteHanded(tx: Statements, queue: QueueRow, isBarrier: boolean): Promise<void> {
  await tx
    .prepared(
      `UPDATE webhook_queues SET under_way = under_way + 1, is_barrier_under_way = ?, may_hand = ?,
         turn = (SELECT coalesce(max(turn), 0) + 1 FROM webhook_queues WHERE receiver_id = ? AND may_hand = 1)
       WHERE run_id = ?`,
    )
    .run(isBarrier ? 1 : 0, isBarrier ? 0 : 1, queue.receiverId, queue.jobId);
  await tx.prepared("UPDATE webhook_receivers SET handed = handed + 1 WHERE id = ?").run(queue.receiverId);
}

/** Records that an event of the queue was delivered or is dead. */
export async function recordEnded(
  tx: Statements,
  { jobId, isBarrier }: { readonly jobId: string; readonly isBarrier: number },
): Promise<void> {
  await tx
    .prepared(
      `UPDATE webhook_queues SET under_way = under_way - 1, may_hand = 1,
         is_barrier_under_way = CASE WHEN ? = 1 THEN 0 ELSE is_barrier_under_way END
       WHERE run_id = ?`,
    )
    .run(isBarrier, jobId);
}

/** Records that an ended event is tried again, and resets the failures of its receiver. */
export async function noteRevived(
  tx: Statements,
  { jobId, receiverId }: { readonly jobId: string; readonly receiverId: string },
): Promise<void> {
  await tx
    .prepared("UPDATE webhook_queues SET under_way = under_way + 1, may_hand = 1 WHERE run_id = ?")
    .run(jobId);
  await tx
    .prepared("UPDATE webhook_receivers SET failures = 0, paused_until = 0 WHERE id = ?")
    .run(receiverId);
}

interface Taken {
  readonly isDelivered: boolean;
  /** True: it was the first attempt of its event. */
  readonly isFirst: boolean;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly nowMs: number;
  /** Set when the receiver has failed so often that it is paused until then. */
  readonly pausedUntilMs: number;
}

export async function noteTaken(tx: Statements, receiverId: string, taken: Taken): Promise<void> {
  await tx
    .prepared(
      `UPDATE webhook_receivers SET handed = handed - ?, failures = CASE WHEN ? = 1 THEN 0 ELSE failures + 1 END,
         paused_until = ?, last_at = ?, last_status = ?, last_error = ? WHERE id = ?`,
    )
    .run(
      taken.isFirst ? 1 : 0,
      taken.isDelivered ? 1 : 0,
      taken.pausedUntilMs,
      taken.nowMs,
      taken.status ?? null,
      taken.error ?? null,
      receiverId,
    );
}
