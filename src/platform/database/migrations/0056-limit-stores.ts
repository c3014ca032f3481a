import type { Migration } from "./interface/migration.ts";

/** Where processes count with each other, and which of them have gone along when that was changed last. */
export const limitStores: Migration = {
  version: 56,
  name: "limit stores",
  statements: [
    `CREATE TABLE limit_stores (
      name text PRIMARY KEY,
      number bigint NOT NULL,
      kind text NOT NULL,
      token text NOT NULL,
      server text NOT NULL,
      changed_at bigint NOT NULL
    )`,
    "CREATE TABLE limit_members (process text PRIMARY KEY, number bigint NOT NULL, server text NOT NULL)",
  ],
};
