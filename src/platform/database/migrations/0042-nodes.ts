import type { Migration } from "./interface/migration.ts";

/** Processes that others can pass requests on to, and which of them has a run that is kept nowhere else. */
export const nodes: Migration = {
  version: 42,
  name: "nodes",
  statements: [
    `CREATE TABLE nodes (
      tag text PRIMARY KEY,
      process text NOT NULL,
      url text NOT NULL,
      seen_at bigint NOT NULL
    )`,
    "CREATE INDEX nodes_process ON nodes (process)",
    "ALTER TABLE job_runs ADD COLUMN process text",
  ],
};
