import type { Migration } from "../interface/migration.ts";

/** Named browser storage with its writer's lock, and files that answers link to. */
export const profilesAndFiles: Migration = {
  version: 2,
  name: "profiles and files",
  statements: [
    `CREATE TABLE profiles (
      team_id text NOT NULL,
      name text NOT NULL,
      blob_id text,
      size_bytes bigint NOT NULL,
      created_at bigint NOT NULL,
      saved_at bigint,
      lock_id text,
      locked_until bigint NOT NULL,
      PRIMARY KEY (team_id, name)
    )`,
    `CREATE TABLE files (
      file_key text PRIMARY KEY,
      blob_id text NOT NULL,
      content_type text NOT NULL,
      size_bytes bigint NOT NULL,
      expires_at bigint NOT NULL
    )`,
    "CREATE INDEX files_by_expiry ON files (expires_at)",
    "CREATE INDEX files_by_blob ON files (blob_id)",
  ],
};
