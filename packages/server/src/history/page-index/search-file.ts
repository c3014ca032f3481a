import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { writeAhead } from "../../storage/database/sqlite-write-ahead.ts";

/** Maximum wait for other processes that write. */
const BUSY_TIMEOUT_MS = 5000;
/** `secure_delete` overwrites removed text. */
const PRAGMAS = ["PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = ON"];

/**
 * The page numbers of a team start at its own number times this. So a search reads the words of one team
 * alone, and need not check the team of each page.
 */
const PAGES_OF_A_TEAM = 2 ** 32;

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

/** Numbers of pages that came or went since their words were written. */
const CHANGES = "CREATE TABLE IF NOT EXISTS changes (id integer PRIMARY KEY)";

/**
 * Version of the tables. A file with a version that is not known is replaced by an empty one, and pages return
 * when they are scraped again.
 */
const VERSION = 3;
const VERSION_WITHOUT_CHANGES = 2;
const REMOVED = ["DROP TABLE IF EXISTS words", "DROP TABLE IF EXISTS pages", "DROP TABLE IF EXISTS teams"];

/** The range of page numbers of one team. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * The file that keeps the texts of pages and their words. Texts are written first, which takes little; words
 * later, in a thread.
 */
export class SearchFile {
  protected readonly database: DatabaseSyncInstance;
  /** Compiled once, because compiling for each page would cost a sixth of indexing it. */
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    prepareTables(this.database);
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  protected rangeOf(teamId: string): Range | undefined {
    const row = this.prepared("SELECT number FROM teams WHERE team_id = ?").get(teamId);
    if (!row) return undefined;
    const first = (row as { readonly number: number }).number * PAGES_OF_A_TEAM;
    return { first, last: first + PAGES_OF_A_TEAM - 1 };
  }

  protected prepared(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  protected inOne<Result>(work: () => Result): Result {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.database.exec("COMMIT");
      return result;
    } catch (failure) {
      this.database.exec("ROLLBACK");
      throw failure;
    }
  }
}

/** Prepares the connection and the file. Other processes may do so at the same time. */
function prepareTables(database: DatabaseSyncInstance): void {
  writeAhead(database, BUSY_TIMEOUT_MS);
  for (const pragma of PRAGMAS) database.exec(pragma);
  if (versionOf(database) === VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  const version = versionOf(database);
  const tables = [...REMOVED, TEAMS, PAGES, WORDS, MERGED_LATER];
  const missing = version === VERSION_WITHOUT_CHANGES ? [] : tables;
  for (const statement of version === VERSION
    ? []
    : [...missing, CHANGES, `PRAGMA user_version = ${VERSION}`])
    database.exec(statement);
  database.exec("COMMIT");
}

function versionOf(database: DatabaseSyncInstance): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}
