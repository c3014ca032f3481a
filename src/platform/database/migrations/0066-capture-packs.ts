import type { Migration } from "./migration.ts";

/** Where each request to the store of blobs costs: many captures become one blob. */
export const capturePacks: Migration = {
  version: 66,
  name: "capture-packs",
  statements: [
    // Those that wait to be packed. All processes read them here.
    `CREATE TABLE unpacked_captures (
      capture_id text PRIMARY KEY,
      bytes bytea NOT NULL
    )`,
    `CREATE TABLE capture_packs (
      id text PRIMARY KEY,
      removed integer NOT NULL
    )`,
    "CREATE INDEX capture_packs_to_rewrite ON capture_packs (id) WHERE removed > 0",
    `CREATE TABLE packed_captures (
      capture_id text PRIMARY KEY,
      pack_id text NOT NULL,
      start integer NOT NULL,
      size_bytes integer NOT NULL
    )`,
    "CREATE INDEX packed_captures_by_pack ON packed_captures (pack_id)",
  ],
};
