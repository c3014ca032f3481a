import type { Migration } from "./interface/migration.ts";

/**
 * What several machines share. Where each request to the store of blobs costs, many captures become one blob. Own search is
 * in the database; an embedded one has a file next to it instead.
 */
export const sharedStores: Migration = {
  version: 65,
  name: "shared-stores",
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
    // Postgres takes no entry of more than 2,704 bytes: a capture with a longer address could not be kept.
    "DROP INDEX captures_by_url",
    "CREATE INDEX captures_by_url ON captures (url) WHERE length(url) <= 2000",
  ],
  ofTextSearch: [
    `CREATE TABLE indexed_teams (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      team_id text NOT NULL UNIQUE
    )`,
    `CREATE TABLE indexed_pages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      team_id text NOT NULL,
      url_hash text NOT NULL,
      content_hash text NOT NULL,
      url text NOT NULL,
      scrape_id text NOT NULL,
      capture_id text NOT NULL,
      title text NOT NULL,
      description text NOT NULL,
      markdown text NOT NULL,
      words tsvector NOT NULL,
      UNIQUE (team_id, url_hash)
    )`,
    // Ranking reads the words of many pages: unpacking them would take longer than comparing them.
    "ALTER TABLE indexed_pages ALTER COLUMN words SET STORAGE EXTERNAL",
    "CREATE INDEX indexed_pages_words ON indexed_pages USING gin (words)",
  ],
};
