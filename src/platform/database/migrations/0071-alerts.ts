import type { Migration } from "./interface/migration.ts";

/** How the parts of the service fared when they were last used, and alerts for the operator. */
export const alerts: Migration = {
  version: 71,
  name: "alerts",
  statements: [
    `CREATE TABLE part_health (
      part text NOT NULL,
      target text NOT NULL,
      last_success_at bigint,
      last_failure_at bigint,
      problem text,
      failures_in_row bigint NOT NULL,
      hour bigint NOT NULL,
      successes bigint NOT NULL,
      failures bigint NOT NULL,
      PRIMARY KEY (part, target)
    )`,
    `CREATE TABLE alert_settings (
      id text PRIMARY KEY,
      version bigint NOT NULL,
      value text NOT NULL,
      changed_at bigint NOT NULL
    )`,
    `CREATE TABLE alerts (
      cause text PRIMARY KEY,
      title text NOT NULL,
      detail text NOT NULL,
      began_at bigint NOT NULL,
      seen_at bigint NOT NULL
    )`,
    `CREATE TABLE alert_messages (
      id text PRIMARY KEY,
      channel text NOT NULL,
      title text NOT NULL,
      body text NOT NULL,
      state text NOT NULL,
      problem text,
      created_at bigint NOT NULL,
      ended_at bigint
    )`,
    "CREATE INDEX alert_messages_newest ON alert_messages (created_at)",
  ],
};
