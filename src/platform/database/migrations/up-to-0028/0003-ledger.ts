import type { Migration } from "../interface/migration.ts";

/** What teams may do, restrictions of keys, and the ledger of credits. */
export const ledger: Migration = {
  version: 3,
  name: "ledger",
  statements: [
    "ALTER TABLE teams ADD COLUMN flags text NOT NULL DEFAULT '{}'",
    "ALTER TABLE teams ADD COLUMN limits text NOT NULL DEFAULT '{}'",
    "ALTER TABLE teams ADD COLUMN is_limited integer NOT NULL DEFAULT 0",
    "ALTER TABLE teams ADD COLUMN allowance bigint",
    "ALTER TABLE teams ADD COLUMN allowance_period text",
    "ALTER TABLE teams ADD COLUMN deleted_at bigint",
    "ALTER TABLE api_keys ADD COLUMN restrictions text NOT NULL DEFAULT '{}'",
    `CREATE TABLE ledger_accounts (
      team_id text NOT NULL,
      account text NOT NULL,
      credited bigint NOT NULL,
      debited bigint NOT NULL,
      granted bigint NOT NULL,
      period_start bigint NOT NULL,
      PRIMARY KEY (team_id, account),
      CHECK (debited >= 0 AND debited <= credited)
    )`,
    `CREATE TABLE ledger_entries (
      team_id text NOT NULL,
      id text NOT NULL,
      from_account text NOT NULL,
      to_account text NOT NULL,
      amount bigint NOT NULL CHECK (amount > 0),
      key_id text,
      created_at bigint NOT NULL,
      PRIMARY KEY (team_id, id)
    )`,
    `CREATE TABLE ledger_holds (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      key_id text,
      amount bigint NOT NULL,
      created_at bigint NOT NULL
    )`,
  ],
};
