import type { Migration } from "./interface/migration.ts";

/** Backups that the dashboard has begun, in whichever process. */
export const backups: Migration = {
  version: 51,
  name: "backups",
  statements: [
    `CREATE TABLE backups (
      id text PRIMARY KEY,
      file text NOT NULL,
      with_files smallint NOT NULL,
      started_at bigint NOT NULL,
      seen_at bigint NOT NULL,
      ended_at bigint,
      step text NOT NULL,
      size_bytes bigint,
      problem text
    )`,
  ],
};
