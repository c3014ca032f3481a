import type { Migration } from "../interface/migration.ts";

/** Work that is written down before it is done. A job without an owner waits until it is due. */
export const jobs: Migration = {
  version: 19,
  name: "jobs",
  statements: [
    `CREATE TABLE jobs (
      sequence bigint PRIMARY KEY,
      kind text NOT NULL,
      job_group text NOT NULL,
      priority integer NOT NULL,
      run_at bigint NOT NULL,
      failures integer NOT NULL,
      deaths integer NOT NULL,
      owner text,
      payload text NOT NULL,
      error text
    )`,
    "CREATE INDEX jobs_waiting ON jobs (kind, priority, run_at, sequence) WHERE owner IS NULL",
    "CREATE INDEX jobs_owned ON jobs (owner) WHERE owner IS NOT NULL",
    "CREATE INDEX jobs_groups ON jobs (job_group)",
  ],
};
