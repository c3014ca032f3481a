import type { Migration } from "../interface/migration.ts";

/** Whose files and captures are, so that they can be erased with their team. Null: from before this was noted. */
export const owners: Migration = {
  version: 6,
  name: "owners",
  statements: ["ALTER TABLE files ADD COLUMN team_id text", "ALTER TABLE captures ADD COLUMN team_id text"],
};
