import type { Migration } from "../interface/migration.ts";

/** Logins of operators in browsers, links that log in once, and keys that end by themselves. */
export const operatorSessions: Migration = {
  version: 15,
  name: "operator-sessions",
  statements: [
    `CREATE TABLE operator_sessions (
       id text PRIMARY KEY,
       token_hash text NOT NULL UNIQUE,
       address text NOT NULL,
       user_agent text NOT NULL,
       created_at bigint NOT NULL,
       last_used_at bigint NOT NULL
     )`,
    `CREATE TABLE login_tokens (
       token_hash text PRIMARY KEY,
       created_at bigint NOT NULL
     )`,
    "ALTER TABLE api_keys ADD COLUMN expires_at bigint",
  ],
};
