import type { Migration } from "../interface/migration.ts";

/** Threat policies of teams, and the audit log. */
export const governance: Migration = {
  version: 4,
  name: "governance",
  statements: [
    "ALTER TABLE teams ADD COLUMN threat_policy text",
    "ALTER TABLE teams ADD COLUMN threat_policy_updated_at bigint",
    `CREATE TABLE audit_events (
      id text PRIMARY KEY,
      team_id text,
      created_at bigint NOT NULL,
      event text NOT NULL
    )`,
  ],
};
