import type { Migration } from "../interface/migration.ts";

/** Webhooks, in the order of each run, and the state of their deliveries. */
export const webhooks: Migration = {
  version: 22,
  name: "webhooks",
  statements: [
    `CREATE TABLE webhook_receivers (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      origin text NOT NULL,
      handed bigint NOT NULL,
      failures bigint NOT NULL,
      paused_until bigint NOT NULL,
      last_at bigint,
      last_status integer,
      last_error text
    )`,
    `CREATE TABLE webhook_queues (
      run_id text PRIMARY KEY,
      team_id text NOT NULL,
      receiver_id text NOT NULL,
      family text NOT NULL,
      events text NOT NULL,
      setting text NOT NULL,
      under_way bigint NOT NULL,
      is_barrier_under_way integer NOT NULL,
      may_hand integer NOT NULL,
      turn bigint NOT NULL
    )`,
    "CREATE INDEX webhook_queues_turns ON webhook_queues (receiver_id, turn) WHERE may_hand = 1",
    `CREATE TABLE webhook_events (
      id text PRIMARY KEY,
      run_id text NOT NULL,
      team_id text NOT NULL,
      receiver_id text NOT NULL,
      sequence bigint NOT NULL,
      type text NOT NULL,
      is_success integer NOT NULL,
      is_barrier integer NOT NULL,
      state text NOT NULL,
      attempts integer NOT NULL,
      scrape_id text,
      body text,
      page_url text,
      error text,
      created_at bigint NOT NULL,
      next_at bigint,
      ended_at bigint,
      last_status integer,
      last_error text
    )`,
    "CREATE INDEX webhook_events_waiting ON webhook_events (run_id, sequence) WHERE state = 'waiting'",
    "CREATE INDEX webhook_events_of_runs ON webhook_events (run_id, sequence)",
    "CREATE INDEX webhook_events_of_teams ON webhook_events (team_id, created_at)",
    "CREATE TABLE webhook_secrets (team_id text PRIMARY KEY, secret text NOT NULL, created_at bigint NOT NULL)",
  ],
};
