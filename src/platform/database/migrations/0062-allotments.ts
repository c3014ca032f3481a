import type { Migration } from "./interface/migration.ts";

/**
 * Credits that a process took from an account of a team in advance, and the usage counted by processes that would
 * otherwise write the same rows. `ledger_accounts.debited` counts what is in allotments, too.
 */
export const allotments: Migration = {
  version: 62,
  name: "allotments",
  statements: [
    `CREATE TABLE ledger_allotments (
      team_id text NOT NULL,
      account text NOT NULL,
      owner text NOT NULL,
      credits bigint NOT NULL CHECK (credits >= 0),
      PRIMARY KEY (team_id, account, owner)
    )`,
    `CREATE TABLE usage_parts (
      team_id text NOT NULL,
      key_id text NOT NULL,
      month bigint NOT NULL,
      part integer NOT NULL,
      credits_used bigint NOT NULL,
      requests bigint NOT NULL,
      PRIMARY KEY (team_id, month, key_id, part)
    )`,
  ],
};
