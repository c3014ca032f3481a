import type { Migration } from "../interface/migration.ts";

/** How far the audit log was delivered to a collector. */
export const auditDeliveries: Migration = {
  version: 5,
  name: "audit deliveries",
  statements: ["CREATE TABLE audit_deliveries (collector text PRIMARY KEY, last_event_id text NOT NULL)"],
};
