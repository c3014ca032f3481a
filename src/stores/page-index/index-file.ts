import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";

import { excerptOf, folded, headingsOf, teamWord, termsOf } from "./index-words.ts";

/** A page that a scrape of a team answered with. */
export interface IndexedPage {
  readonly teamId: string;
  readonly url: string;
  /** The scrape, and what it was answered from. Both have to be there for the page to be found. */
  readonly scrapeId: string;
  readonly captureId: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/** What is looked for among the pages of a team. */
export interface IndexQuery {
  readonly teamId: string;
  readonly words: string;
  readonly limit: number;
}

export interface FoundPage {
  readonly url: string;
  readonly scrapeId: string;
  readonly captureId: string;
  readonly title: string;
  readonly description: string;
  /** The page's lines that matter for the words. */
  readonly excerpt: string;
}

/** Which scrape a page came from, by the number of its row. */
export interface IndexEntry {
  readonly id: number;
  readonly scrapeId: string;
  readonly captureId: string;
}

/** How much a word counts in the title and in headings, besides one in the text. The team is not a word of the page. */
const WEIGHTS = "0.0, 8.0, 3.0, 1.0";

/** The best pages, among which one whose title is what is looked for is put first. */
const RANKED = 20;
/** Of a page, in characters. What is behind is not searched. */
const MAX_TEXT_LENGTH = 200_000;

/** Pages of the index that are merged after a removal. */
const MERGED_PAGES = 500;

/** What each connection begins with. Removed text is overwritten. */
const PRAGMAS = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = NORMAL",
  "PRAGMA secure_delete = ON",
  "PRAGMA busy_timeout = 5000",
];

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
  team, title, headings, text,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
)`;

/** Segments that are merged at once: twice the default makes adding pages a tenth cheaper, and searches hardly dearer. */
const MERGED_LATER = "INSERT INTO words (words, rank) VALUES ('automerge', 8)";

/** What is known of a page that comes again. */
interface Before {
  readonly id: number;
  /** 1 when it says the same as before. */
  readonly isSame: number;
}

/** The words of pages in a file of its own. Synchronous: used in a thread. */
export class IndexFile {
  readonly #database: DatabaseSyncInstance;
  /** Compiled once: compiling them for each page would cost a sixth of indexing it. */
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    for (const statement of [...PRAGMAS, PAGES, WORDS, MERGED_LATER]) this.#database.exec(statement);
  }

  /** Of a page that is there already, the later one stays. */
  add(pages: readonly IndexedPage[]): void {
    this.#inOne(() => {
      for (const page of pages) this.#put(page);
    });
  }

  /**
   * Best first: those that have all words, then, where they are too few, those that have any. A page whose title is what
   * is looked for comes before all others.
   */
  search({ teamId, words, limit }: IndexQuery): readonly FoundPage[] {
    const terms = termsOf(words);
    if (terms.length === 0) return [];
    const count = Math.max(limit, RANKED);
    const found = new Map(this.#matching(teamId, terms.join(" AND "), count).map((row) => [row.id, row]));
    if (found.size < limit && terms.length > 1) {
      for (const row of this.#matching(teamId, terms.join(" OR "), count)) {
        if (found.size < limit && !found.has(row.id)) found.set(row.id, row);
      }
    }
    const wanted = folded(words);
    const [named, others]: [Ranked[], Ranked[]] = [[], []];
    for (const row of found.values()) (folded(row.title) === wanted ? named : others).push(row);
    return [...named, ...others].slice(0, limit).flatMap(({ id }) => this.#read(id, words) ?? []);
  }

  /** Excerpts of those of the URLs that are there. */
  excerpts(teamId: string, urls: readonly string[], words: string): ReadonlyMap<string, FoundPage> {
    const select = this.#database.prepare(
      `SELECT url, scrape_id AS scrapeId, capture_id AS captureId, title, description, markdown
       FROM pages WHERE team_id = ? AND url = ?`,
    );
    return new Map(
      urls.flatMap((url) => {
        const row = select.get(teamId, url) as Row | undefined;
        if (!row) return [];
        const { markdown, ...page } = row;
        return [[url, { ...page, excerpt: excerptOf(markdown, words) }]];
      }),
    );
  }

  /** Rows behind this number, in order. */
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
    // The words of what was removed stay on disk until their part of the index is merged.
    this.#database.exec(`INSERT INTO words (words, rank) VALUES ('merge', ${MERGED_PAGES})`);
  }

  /** Leaves nothing of the team in the file. */
  removeTeam(teamId: string): void {
    const rows = this.#database.prepare("SELECT id FROM pages WHERE team_id = ?").all(teamId);
    this.remove(rows.map((row) => (row as { readonly id: number }).id));
    this.#database.exec("INSERT INTO words (words) VALUES ('optimize')");
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #put({ teamId, url, scrapeId, captureId, title, description, markdown }: IndexedPage): void {
    const text = markdown.slice(0, MAX_TEXT_LENGTH);
    const before = this.#prepared(
      `SELECT id, title = ? AND description = ? AND markdown = ? AS isSame FROM pages WHERE team_id = ? AND url = ?`,
    ).get(title, description, text, teamId, url) as Before | undefined;
    // The words of a page that has not changed are known: finding them again would cost a fifth of computing the page.
    if (before?.isSame === 1) {
      this.#prepared("UPDATE pages SET scrape_id = ?, capture_id = ? WHERE id = ?").run(
        scrapeId,
        captureId,
        before.id,
      );
      return;
    }
    if (before) this.#removeOne(before.id);
    const { lastInsertRowid } = this.#prepared(
      `INSERT INTO pages (team_id, url, scrape_id, capture_id, title, description, markdown)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(teamId, url, scrapeId, captureId, title, description, text);
    this.#prepared("INSERT INTO words (rowid, team, title, headings, text) VALUES (?, ?, ?, ?, ?)").run(
      lastInsertRowid,
      teamWord(teamId),
      folded(title),
      folded(headingsOf(text)),
      folded(`${description}\n${text}`),
    );
  }

  #removeOne(id: number): void {
    this.#prepared("DELETE FROM words WHERE rowid = ?").run(id);
    this.#prepared("DELETE FROM pages WHERE id = ?").run(id);
  }

  #matching(teamId: string, terms: string, count: number): readonly Ranked[] {
    const matching = `team : ${teamWord(teamId)} AND {title headings text} : (${terms})`;
    return this.#prepared(
      `SELECT pages.id AS id, title
       FROM (SELECT rowid, bm25(words, ${WEIGHTS}) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?)
       JOIN pages ON pages.id = rowid ORDER BY score, pages.id`,
    ).all(matching, count) as readonly Ranked[];
  }

  #read(id: number, words: string): FoundPage | undefined {
    const row = this.#prepared(
      `SELECT url, scrape_id AS scrapeId, capture_id AS captureId, title, description, markdown
       FROM pages WHERE id = ?`,
    ).get(id) as Row | undefined;
    if (!row) return undefined;
    const { markdown, ...page } = row;
    return { ...page, excerpt: excerptOf(markdown, words) };
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

type Ranked = Pick<FoundPage, "title"> & { readonly id: number };
type Row = Omit<FoundPage, "excerpt"> & { readonly markdown: string };
