import type { Migration } from "../interface/migration.ts";

/** Batches, crawls and the like: their requests, progress, outcome and receivers. */
export const jobRuns: Migration = {
  version: 21,
  name: "job-runs",
  statements: [
    `CREATE TABLE job_runs (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      key_id text,
      family text NOT NULL,
      state text NOT NULL,
      options text NOT NULL,
      link_base text NOT NULL,
      created_at bigint NOT NULL,
      ended_at bigint,
      total bigint NOT NULL,
      completed bigint NOT NULL,
      failed bigint NOT NULL,
      credits_used bigint NOT NULL,
      documents bigint NOT NULL,
      handed bigint NOT NULL,
      max_handed bigint NOT NULL,
      max_team_handed bigint NOT NULL,
      has_more integer NOT NULL,
      turn bigint NOT NULL,
      warnings text NOT NULL,
      error text
    )`,
    "CREATE INDEX job_runs_turns ON job_runs (team_id, turn) WHERE state = 'scraping'",
    "CREATE INDEX job_runs_of_teams ON job_runs (team_id, created_at)",
    "CREATE INDEX job_runs_ended ON job_runs (ended_at) WHERE ended_at IS NOT NULL",
    `CREATE TABLE job_documents (
      run_id text NOT NULL,
      position bigint NOT NULL,
      scrape_id text NOT NULL,
      size_bytes bigint NOT NULL,
      body text,
      PRIMARY KEY (run_id, position)
    )`,
    `CREATE TABLE job_errors (
      run_id text NOT NULL,
      number bigint NOT NULL,
      id text NOT NULL,
      happened_at bigint NOT NULL,
      url text NOT NULL,
      code text,
      message text NOT NULL,
      is_robots integer NOT NULL,
      PRIMARY KEY (run_id, number)
    )`,
    `CREATE TABLE idempotency_keys (
      team_id text NOT NULL,
      idempotency_key text NOT NULL,
      used_at bigint NOT NULL,
      PRIMARY KEY (team_id, idempotency_key)
    )`,
    "CREATE INDEX idempotency_keys_used ON idempotency_keys (used_at)",
  ],
};
