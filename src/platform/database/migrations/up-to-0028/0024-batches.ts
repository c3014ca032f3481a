import type { Migration } from "../interface/migration.ts";

/** Who works on runs, what is left of old ones, and the pages that batches have yet to make. */
export const batches: Migration = {
  version: 24,
  name: "batches",
  statements: [
    "ALTER TABLE job_runs ADD COLUMN lane text NOT NULL DEFAULT 'service'",
    "ALTER TABLE job_runs ADD COLUMN is_purged integer NOT NULL DEFAULT 0",
    "ALTER TABLE job_runs ADD COLUMN document_bytes bigint NOT NULL DEFAULT 0",
    "DROP INDEX job_runs_turns",
    "CREATE INDEX job_runs_turns ON job_runs (team_id, lane, turn) WHERE state = 'scraping'",
    `CREATE TABLE batch_parts (
      id text PRIMARY KEY,
      run_id text NOT NULL,
      team_id text NOT NULL,
      options text NOT NULL,
      pages bigint NOT NULL,
      next_page bigint NOT NULL,
      turn bigint,
      created_at bigint NOT NULL
    )`,
    "CREATE INDEX batch_parts_of_runs ON batch_parts (run_id, turn)",
    `CREATE TABLE batch_pages (
      part_id text NOT NULL,
      number bigint NOT NULL,
      url text NOT NULL,
      PRIMARY KEY (part_id, number)
    )`,
  ],
};
