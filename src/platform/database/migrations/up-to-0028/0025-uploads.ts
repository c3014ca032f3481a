import type { Migration } from "../interface/migration.ts";

/** Files that were sent ahead of the request that parses them. */
export const uploads: Migration = {
  version: 25,
  name: "uploads",
  statements: [
    `CREATE TABLE uploads (
      id text PRIMARY KEY,
      team_id text NOT NULL,
      name text NOT NULL,
      content_type text,
      created_at bigint NOT NULL,
      blob_id text,
      size_bytes bigint NOT NULL DEFAULT 0,
      is_parsed integer NOT NULL DEFAULT 0
    )`,
    "CREATE INDEX uploads_of_teams ON uploads (team_id, created_at)",
    "CREATE INDEX uploads_by_age ON uploads (created_at)",
    "CREATE INDEX uploads_by_blob ON uploads (blob_id)",
  ],
};
