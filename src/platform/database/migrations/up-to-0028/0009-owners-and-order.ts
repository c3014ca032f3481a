import type { Migration } from "../interface/migration.ts";

/**
 * Holds get an owner, and audit events a number in the order in which they can be read; those that are there keep the
 * order of their ids.
 */
export const ownersAndOrder: Migration = {
  version: 9,
  name: "owners of holds and order of audit events",
  statements: [
    "ALTER TABLE ledger_holds ADD COLUMN owner text NOT NULL DEFAULT ''",
    "ALTER TABLE audit_events ADD COLUMN sequence bigint NOT NULL DEFAULT 0",
    `UPDATE audit_events SET sequence = numbered.sequence
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS sequence FROM audit_events) AS numbered
     WHERE numbered.id = audit_events.id`,
    "CREATE UNIQUE INDEX audit_events_in_order ON audit_events (sequence)",
    "INSERT INTO sequences (name, value) SELECT 'audit', count(*) FROM audit_events",
    "ALTER TABLE audit_deliveries ADD COLUMN last_sequence bigint NOT NULL DEFAULT 0",
    `UPDATE audit_deliveries SET last_sequence = (
       SELECT count(*) FROM audit_events WHERE audit_events.id <= audit_deliveries.last_event_id
     )`,
  ],
};
