import type { DatabaseSyncInstance } from "@photostructure/sqlite";

import { writeAhead } from "../../storage/database/sqlite-write-ahead.ts";

/** Maximum wait for other processes that write. */
export const BUSY_TIMEOUT_MS = 5000;
/** `secure_delete` overwrites removed text. */
const PRAGMAS = ["PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = ON"];

/**
 * The page numbers of a team start at its own number times this. So a search reads the words of one team
 * alone, and need not check the team of each page.
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

/**
 * Number of segments that FTS5 merges at once. Twice the default makes adding pages a tenth cheaper, while
 * searches cost hardly more.
 */
const MERGED_LATER = "INSERT INTO words (words, rank) VALUES ('automerge', 8)";

/**
 * Version of the tables. A file with another version is replaced by an empty one, and pages return when they
 * are scraped again.
 */
const VERSION = 2;
const REMOVED = ["DROP TABLE IF EXISTS words", "DROP TABLE IF EXISTS pages", "DROP TABLE IF EXISTS teams"];

/** Prepares the connection and the file. Other processes may do so at the same time. */
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
