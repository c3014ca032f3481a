import type { Database } from "../storage/database/database.ts";
import { type AuditLine, type AuditLog, eventsSince } from "./audit.ts";

/**
 * Sends JSON lines to a collector.
 * @throws when the collector did not accept them, or the signal is aborted.
 */
type SendLines = (lines: string, signal: AbortSignal) => Promise<void>;

interface AuditDelivery {
  readonly database: Database;
  readonly audit: AuditLog;
  /** The collector's URL, which identifies it. */
  readonly collector: string;
  readonly send: SendLines;
}

const BATCH = 500;

/**
 * Sends events that the collector has not received, in order. One process sends at a time, so an event
 * normally arrives once. After a failure, or when another process takes over, delivery resumes at the last
 * recorded position: an event may arrive twice but is never skipped.
 * @param signal aborted when another process may send.
 */
export async function deliverAudit(delivery: AuditDelivery, signal: AbortSignal): Promise<void> {
  const { database, audit, collector, send } = delivery;
  await audit.flush();
  let delivered = await lastDelivered(database, collector);
  for (;;) {
    signal.throwIfAborted();
    const events = await eventsSince(database, delivered, BATCH);
    const last = events.at(-1);
    if (!last) return;
    await send(`${events.map(({ text }) => text).join("\n")}\n`, signal);
    await noteDelivered(database, collector, last);
    delivered = last.sequence;
    if (events.length < BATCH) return;
  }
}

async function lastDelivered(database: Database, collector: string): Promise<number> {
  const row = await database
    .prepared<{ sequence: number }>(
      "SELECT last_sequence AS sequence FROM audit_deliveries WHERE collector = ?",
    )
    .get(collector);
  return row?.sequence ?? 0;
}

/** The position never moves back, even when a slow process records it after another one has sent more. */
async function noteDelivered(database: Database, collector: string, last: AuditLine): Promise<void> {
  await database
    .prepared(
      `INSERT INTO audit_deliveries (collector, last_event_id, last_sequence) VALUES (?, ?, ?)
       ON CONFLICT (collector) DO UPDATE SET
         last_event_id = excluded.last_event_id, last_sequence = excluded.last_sequence
       WHERE audit_deliveries.last_sequence < excluded.last_sequence`,
    )
    .run(collector, last.id, last.sequence);
}
