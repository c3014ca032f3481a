import type { Migration } from "./interface/migration.ts";

/** Which addresses want messages about the monitors of a team. */
export const mailSubscriptions: Migration = {
  version: 73,
  name: "mail-subscriptions",
  statements: [
    `CREATE TABLE mail_subscriptions (
      token text PRIMARY KEY,
      team_id text NOT NULL,
      address_hash text NOT NULL,
      status text NOT NULL,
      asked_at bigint,
      changed_at bigint NOT NULL,
      UNIQUE (team_id, address_hash)
    )`,
  ],
};
