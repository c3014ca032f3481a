import type { Migration } from "./interface/migration.ts";

/** A key can be replaced while its old text still works for a while, and is identified by its last characters. */
export const rotatedKeys: Migration = {
  version: 35,
  name: "rotated-keys",
  statements: [
    "ALTER TABLE api_keys ADD COLUMN ending text",
    "ALTER TABLE api_keys ADD COLUMN old_hash text",
    "ALTER TABLE api_keys ADD COLUMN old_until bigint",
    "CREATE INDEX api_keys_by_old_hash ON api_keys (old_hash) WHERE old_hash IS NOT NULL",
  ],
};
