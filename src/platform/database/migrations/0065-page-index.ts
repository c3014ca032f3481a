import type { Migration } from "./migration.ts";

/** Own search where several machines share a database. An embedded database has a file beside it instead. */
export const pageIndex: Migration = {
  version: 65,
  name: "page-index",
  statements: [],
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
