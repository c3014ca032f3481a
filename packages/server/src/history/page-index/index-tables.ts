import type { DatabaseSyncInstance } from "@photostructure/sqlite";

import { writeAhead } from "../../storage/database/sqlite-write-ahead.ts";

/** How long other processes that write are waited for. */
export const BUSY_TIMEOUT_MS = 5000;
/** Removed text is overwritten. */
const PRAGMAS = ["PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = ON"];

/**
 * Pages of a team are numbered from its own number on, times this. So a search reads the words of one team alone, and
 * need not look for the team in each page.
 */
export const PAGES_OF_A_TEAM = 2 ** 32;

const TEAMS = `CREATE TABLE IF NOT EXISTS teams (
  number integer PRIMARY KEY,
  team_id text NOT NULL UNIQUE
)`;

const PAGES = `CREATE TABLE IF NOT EXISTS pages (
  id integer PRIMARY KEY,
  team_id text NOT NULL,
  url text NOT NULL,
  scrape_id text NOT NULL,
  capture_id text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  markdown text NOT NULL,
  UNIQUE (team_id, url)
)`;

const WORDS = `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
  title, headings, text,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
)`;

/** Segments that are merged at once: twice the default makes adding pages a tenth cheaper, and searches hardly dearer. */
const MERGED_LATER = "INSERT INTO words (words, rank) VALUES ('automerge', 8)";

/** Of the tables. A file with others is begun again: pages come back when they are scraped again. */
const VERSION = 2;
const REMOVED = ["DROP TABLE IF EXISTS words", "DROP TABLE IF EXISTS pages", "DROP TABLE IF EXISTS teams"];

/** Makes the connection and its file ready, while other processes do the same. */
export function prepareTables(database: DatabaseSyncInstance): void {
  writeAhead(database, BUSY_TIMEOUT_MS);
  for (const pragma of PRAGMAS) database.exec(pragma);
  if (versionOf(database) === VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  if (versionOf(database) !== VERSION)
    for (const statement of [
      ...REMOVED,
      TEAMS,
      PAGES,
      WORDS,
      MERGED_LATER,
      `PRAGMA user_version = ${VERSION}`,
    ])
      database.exec(statement);
  database.exec("COMMIT");
}

function versionOf(database: DatabaseSyncInstance): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}
