import type { Database } from "../storage/database/database.ts";
import { type AuditLine, type AuditLog, eventsSince } from "./audit.ts";

/** Sends lines of JSON to a collector. @throws when it has not taken them, or the signal is aborted. */
type SendLines = (lines: string, signal: AbortSignal) => Promise<void>;

interface AuditDelivery {
  readonly database: Database;
  readonly audit: AuditLog;
  /** What tells collectors apart: the URL. */
  readonly collector: string;
  readonly send: SendLines;
}

const BATCH = 500;

/**
 * Sends what the collector has not had yet, in order. One process does so at a time: then an event arrives once. After a
 * failure, or in the place of a process that died, the next round continues where the last one has noted that it ended, so
 * an event may arrive twice and is never left out.
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

/** Never goes back, also when a process that is late notes what another one has sent since. */
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
