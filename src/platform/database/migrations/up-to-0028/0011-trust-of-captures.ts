import type { Migration } from "../interface/migration.ts";

/**
 * Which captures came over TLS that nobody verified, and for whom each is. Those from before may have come by http
 * and stand under https, so they answer nobody any more; what was answered from them can still be asked for again.
 */
export const trustOfCaptures: Migration = {
  version: 11,
  name: "trust of captures",
  statements: [
    "ALTER TABLE captures ADD COLUMN has_unverified_tls integer NOT NULL DEFAULT 1",
    "UPDATE captures SET scope = 'nobody'",
    "DROP INDEX captures_by_key",
    "CREATE INDEX captures_by_name ON captures (scope, key_hash, stored_at)",
  ],
};
