import type { Migration } from "../interface/migration.ts";

/** Teams and their keys, usage counters, stored captures, the history of scrapes and its documents. */
export const initial: Migration = {
  version: 1,
  name: "initial",
  statements: [
    `CREATE TABLE teams (
      id text PRIMARY KEY,
      name text NOT NULL,
      created_at bigint NOT NULL
    )`,
    `CREATE TABLE api_keys (
      id text PRIMARY KEY,
      team_id text NOT NULL REFERENCES teams (id),
      name text NOT NULL,
      key_hash text NOT NULL UNIQUE,
      created_at bigint NOT NULL,
      last_used_at bigint,
      revoked_at bigint
    )`,
    "CREATE INDEX api_keys_by_team ON api_keys (team_id)",
    `CREATE TABLE usage (
      team_id text NOT NULL,
      key_id text NOT NULL,
      month bigint NOT NULL,
      credits_used bigint NOT NULL,
      requests bigint NOT NULL,
      PRIMARY KEY (team_id, month, key_id)
    )`,
    `CREATE TABLE captures (
      id text PRIMARY KEY,
      scope text NOT NULL,
      key_hash text NOT NULL,
      url text NOT NULL,
      screenshot text NOT NULL,
      wait_for_ms integer NOT NULL,
      status_code integer NOT NULL,
      size_bytes bigint NOT NULL,
      representation text NOT NULL,
      stored_at bigint NOT NULL
    )`,
    "CREATE INDEX captures_by_key ON captures (key_hash, stored_at)",
    "CREATE INDEX captures_by_age ON captures (stored_at)",
    `CREATE TABLE scrapes (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      key_id text,
      url text NOT NULL,
      status text NOT NULL,
      status_code integer,
      error_code text,
      credits_used integer NOT NULL,
      duration_ms integer NOT NULL,
      cache_state text,
      origin text,
      document_key text,
      capture_id text,
      recipe text,
      created_at bigint NOT NULL
    )`,
    "CREATE INDEX scrapes_by_team ON scrapes (team_id, created_at, id)",
    "CREATE INDEX scrapes_by_age ON scrapes (created_at)",
    `CREATE TABLE documents (
      document_key text PRIMARY KEY,
      blob_id text NOT NULL,
      size_bytes bigint NOT NULL,
      expires_at bigint NOT NULL
    )`,
    "CREATE INDEX documents_by_expiry ON documents (expires_at)",
    "CREATE INDEX documents_by_blob ON documents (blob_id)",
  ],
};
