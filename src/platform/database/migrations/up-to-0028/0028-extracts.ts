import type { Migration } from "../interface/migration.ts";

/** How far extractions are, and their results. Their pages wait in the tables of batches. */
export const extracts: Migration = {
  version: 28,
  name: "extracts",
  statements: [
    `CREATE TABLE extracts (
      run_id text PRIMARY KEY,
      team_id text NOT NULL,
      stage text NOT NULL,
      finds bigint NOT NULL,
      next_find bigint NOT NULL,
      found text NOT NULL,
      result text
    )`,
    "CREATE INDEX extracts_of_teams ON extracts (team_id)",
  ],
};
