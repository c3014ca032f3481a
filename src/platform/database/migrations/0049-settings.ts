import type { Migration } from "./interface/migration.ts";

/** Settings that the operator makes in the dashboard, sealed. Without a value: taken back. */
export const settings: Migration = {
  version: 49,
  name: "settings",
  statements: [
    `CREATE TABLE settings (
      name text PRIMARY KEY,
      value text,
      sequence bigint NOT NULL,
      changed_at bigint NOT NULL
    )`,
  ],
};
