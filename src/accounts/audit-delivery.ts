import type { Database } from "../platform/database/database.ts";
import type { AuditLog } from "./audit.ts";

/** Sends lines of JSON to a collector. @throws when it has not taken them. */
export type SendLines = (lines: string) => Promise<void>;

export interface AuditDelivery {
  readonly database: Database;
  readonly audit: AuditLog;
  /** What tells collectors apart: the URL. */
  readonly collector: string;
  readonly send: SendLines;
}

const BATCH = 500;

/**
 * Sends what the collector has not had yet, in order. After a failure the next round goes on where this one ended, so
 * an event may arrive twice and is never left out.
 */
export async function deliverAudit({ database, audit, collector, send }: AuditDelivery): Promise<void> {
  for (;;) {
    const events = await audit.read({ afterId: await lastDelivered(database, collector), count: BATCH });
    const last = events.at(-1);
    if (!last) return;
    await send(`${events.map(({ text }) => text).join("\n")}\n`);
    await database
      .prepared(
        `INSERT INTO audit_deliveries (collector, last_event_id) VALUES (?, ?)
         ON CONFLICT (collector) DO UPDATE SET last_event_id = excluded.last_event_id`,
      )
      .run(collector, last.id);
    if (events.length < BATCH) return;
  }
}

async function lastDelivered(database: Database, collector: string): Promise<string> {
  const row = await database
    .prepared<{ id: string }>('SELECT last_event_id AS "id" FROM audit_deliveries WHERE collector = ?')
    .get(collector);
  return row?.id ?? "";
}
