import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { findPages, type Ranked } from "./find-pages.ts";
import type { ExcerptOrder } from "./index-store.ts";
import { excerptOf, folded, headingsOf, MAX_TEXT_LENGTH } from "./index-words.ts";
import type { ExcerptedPage, FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";
import { type Counted, MAX_COUNTED, type Stage } from "./query-stages.ts";
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

/**
 * Version of the tables. A file with another version is replaced by an empty one, and pages return when they
 * are scraped again.
 */
const VERSION = 2;
const REMOVED = ["DROP TABLE IF EXISTS words", "DROP TABLE IF EXISTS pages", "DROP TABLE IF EXISTS teams"];

/** Weights of a word in the title, in headings and in the text. */
const WEIGHTS = "8.0, 3.0, 1.0";

/** Database pages of the index that are merged after a removal. */
const MERGED_PAGES = 500;

/** The stored row of a page that is added again. */
interface Before {
  readonly id: number;
  /** 1 when the content has not changed. */
  readonly isSame: number;
}

/** The search index in a file of its own. It is synchronous, so it runs in a thread. */
export class IndexFile {
  readonly #database: DatabaseSyncInstance;
  /** Compiled once, because compiling for each page would cost a sixth of indexing it. */
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    prepareTables(this.#database);
  }

  /** For a URL that is there already, the later page replaces the earlier one. */
  add(pages: readonly IndexedPage[]): void {
    this.#inOne(() => {
      for (const page of pages) this.#put(page);
    });
  }

  /** Best first. */
  async search({ teamId, words, limit }: IndexQuery): Promise<readonly FoundPage[]> {
    const team = this.#rangeOf(teamId);
    if (!team) return [];
    const ids = await findPages(
      { words, limit },
      {
        matching: (stage, count) => this.#matching(team, stage, count),
        counted: (terms) => this.#counted(team, terms),
      },
    );
    return ids.flatMap((id) => this.#read(id) ?? []);
  }

  /** Excerpts of the pages with these URLs. Missing pages are left out. */
  excerpts({ teamId, urls, words }: ExcerptOrder): ReadonlyMap<string, ExcerptedPage> {
    const text = words === undefined ? "'' AS markdown" : "markdown";
    const select = this.#prepared(
      `SELECT url, scrape_id AS scrapeId, capture_id AS captureId, title, description, ${text}
       FROM pages WHERE team_id = ? AND url = ?`,
    );
    return new Map(
      urls.flatMap((url) => {
        const row = select.get(teamId, url) as Row | undefined;
        if (!row) return [];
        const { markdown, ...page } = row;
        return [[url, { ...page, excerpt: excerptOf(markdown, words ?? "") }]];
      }),
    );
  }

  /** Rows with ids above `afterId`, in order. */
  entries(afterId: number, count: number): readonly IndexEntry[] {
    return this.#database
      .prepare(
        `SELECT id, scrape_id AS scrapeId, capture_id AS captureId FROM pages WHERE id > ? ORDER BY id LIMIT ?`,
      )
      .all(afterId, count) as readonly IndexEntry[];
  }

  remove(ids: readonly number[]): void {
    this.#inOne(() => {
      for (const id of ids) this.#removeOne(id);
    });
    // Removed words stay on disk until their segment of the index is merged.
    this.#database.exec(`INSERT INTO words (words, rank) VALUES ('merge', ${MERGED_PAGES})`);
  }

  /** Removes all data of the team from the file. */
  removeTeam(teamId: string): void {
    const rows = this.#database.prepare("SELECT id FROM pages WHERE team_id = ?").all(teamId);
    this.remove(rows.map((row) => (row as { readonly id: number }).id));
    this.#prepared("DELETE FROM teams WHERE team_id = ?").run(teamId);
    this.#database.exec("INSERT INTO words (words) VALUES ('optimize')");
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #put({ teamId, url, scrapeId, captureId, title, description, markdown }: IndexedPage): void {
    const text = markdown.slice(0, MAX_TEXT_LENGTH);
    const before = this.#prepared(
      `SELECT id, title = ? AND description = ? AND markdown = ? AS isSame FROM pages WHERE team_id = ? AND url = ?`,
    ).get(title, description, text, teamId, url) as Before | undefined;
    // An unchanged page keeps its words. Finding them again would cost a fifth of computing the page.
    if (before?.isSame === 1) {
      this.#prepared("UPDATE pages SET scrape_id = ?, capture_id = ? WHERE id = ?").run(
        scrapeId,
        captureId,
        before.id,
      );
      return;
    }
    if (before) this.#removeOne(before.id);
    const id = this.#nextId(teamId);
    this.#prepared(
      `INSERT INTO pages (id, team_id, url, scrape_id, capture_id, title, description, markdown)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(id, teamId, url, scrapeId, captureId, title, description, text);
    this.#prepared("INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)").run(
      id,
      folded(title),
      folded(headingsOf(text)),
      folded(`${description}\n${text}`),
    );
  }

  #rangeOf(teamId: string): Range | undefined {
    const row = this.#prepared("SELECT number FROM teams WHERE team_id = ?").get(teamId);
    if (!row) return undefined;
    const first = (row as { readonly number: number }).number * PAGES_OF_A_TEAM;
    return { first, last: first + PAGES_OF_A_TEAM - 1 };
  }

  #nextId(teamId: string): number {
    this.#prepared("INSERT OR IGNORE INTO teams (team_id) VALUES (?)").run(teamId);
    const { first = 0, last = 0 } = this.#rangeOf(teamId) ?? {};
    const row = this.#prepared("SELECT max(id) AS id FROM pages WHERE id BETWEEN ? AND ?").get(first, last);
    return ((row as { readonly id: number | null }).id ?? first) + 1;
  }

  #removeOne(id: number): void {
    this.#prepared("DELETE FROM words WHERE rowid = ?").run(id);
    this.#prepared("DELETE FROM pages WHERE id = ?").run(id);
  }

  #matching(
    { first, last }: Range,
    { expression, maxCompared = -1 }: Stage,
    count: number,
  ): readonly Ranked[] {
    return this.#prepared(
      `SELECT pages.id AS id, title
       FROM (
         SELECT id, score FROM (
           SELECT rowid AS id, bm25(words, ${WEIGHTS}) AS score FROM words
           WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?
         ) ORDER BY score LIMIT ?
       ) AS best
       JOIN pages ON pages.id = best.id ORDER BY score, pages.id`,
    ).all(expression, first, last, maxCompared, count) as readonly Ranked[];
  }

  /** The number of the team's pages that contain each term. */
  #counted({ first, last }: Range, terms: readonly string[]): readonly Counted[] {
    const count = this.#prepared(
      `SELECT count(*) AS pages
       FROM (SELECT 1 FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${MAX_COUNTED})`,
    );
    return terms.map((term) => {
      const { pages } = count.get(term, first, last) as { readonly pages: number };
      return { term, pages };
    });
  }

  #read(id: number): FoundPage | undefined {
    return this.#prepared(
      "SELECT url, scrape_id AS scrapeId, capture_id AS captureId, title, description FROM pages WHERE id = ?",
    ).get(id) as FoundPage | undefined;
  }

  #prepared(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #inOne(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (failure) {
      this.#database.exec("ROLLBACK");
      throw failure;
    }
  }
}

/** The range of page numbers of one team. */
interface Range {
  readonly first: number;
  readonly last: number;
}

type Row = FoundPage & { readonly markdown: string };

/** Prepares the connection and the file. Other processes may do so at the same time. */
function prepareTables(database: DatabaseSyncInstance): void {
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
