import type { Migration } from "../interface/migration.ts";

/** What teams say about their jobs: once for each job. */
export const feedback: Migration = {
  version: 10,
  name: "feedback",
  statements: [
    `CREATE TABLE feedback (
       id text PRIMARY KEY,
       team_id text NOT NULL,
       key_id text,
       job_id text NOT NULL,
       content text NOT NULL,
       created_at bigint NOT NULL
     )`,
    "CREATE UNIQUE INDEX feedback_of_job ON feedback (team_id, job_id)",
    "CREATE INDEX feedback_by_age ON feedback (created_at)",
  ],
};
