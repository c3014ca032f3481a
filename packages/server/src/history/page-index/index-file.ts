import { findPages, type Ranked } from "./find-pages.ts";
import type { ExcerptOrder } from "./index-store.ts";
import { excerptOf, folded, headingsOf } from "./index-words.ts";
import type { ExcerptedPage, FoundPage, IndexQuery } from "./indexed-pages.ts";
import { type Counted, MAX_COUNTED, type Stage } from "./query-stages.ts";
import { type Range, SearchFile } from "./search-file.ts";

/** Weights of a word in the title, in headings and in the text. */
const WEIGHTS = "8.0, 3.0, 1.0";

/** Pages whose words share a transaction, during which no text can be written: some 30 ms. */
const INDEXED_AT_ONCE = 20;
/** Database pages of the index that are merged after a removal. */
const MERGED_PAGES = 500;

interface Words {
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/** Writes the words of pages whose texts are in the file, and searches them. It runs in a thread. */
export class IndexFile extends SearchFile {
  /** Writes words of some pages that came, removes those of some that went. Returns how many are left. */
  index(): number {
    const ids = this.prepared(`SELECT id FROM changes ORDER BY id LIMIT ${INDEXED_AT_ONCE}`).all();
    const hasRemoved = this.inOne(() =>
      ids.map((row) => this.#indexOne((row as { readonly id: number }).id)).includes(false),
    );
    // Removed words stay on disk until their segment of the index is merged.
    if (hasRemoved) this.database.exec(`INSERT INTO words (words, rank) VALUES ('merge', ${MERGED_PAGES})`);
    return (this.prepared("SELECT count(*) AS left FROM changes").get() as { readonly left: number }).left;
  }

  /** Best first. */
  async search({ teamId, words, limit }: IndexQuery): Promise<readonly FoundPage[]> {
    const team = this.rangeOf(teamId);
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
    const select = this.prepared(
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

  /** Removes all data of the team from the file. */
  removeTeam(teamId: string): void {
    const { first, last } = this.rangeOf(teamId) ?? { first: 0, last: -1 };
    this.inOne(() => {
      for (const table of ["pages", "changes"])
        this.prepared(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`).run(first, last);
      this.prepared("DELETE FROM words WHERE rowid BETWEEN ? AND ?").run(first, last);
      this.prepared("DELETE FROM teams WHERE team_id = ?").run(teamId);
    });
    this.database.exec("INSERT INTO words (words) VALUES ('optimize')");
    this.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Returns whether the page is there. */
  #indexOne(id: number): boolean {
    // The number may be that of an earlier page.
    this.prepared("DELETE FROM words WHERE rowid = ?").run(id);
    this.prepared("DELETE FROM changes WHERE id = ?").run(id);
    const page = this.prepared("SELECT title, description, markdown FROM pages WHERE id = ?").get(id);
    if (!page) return false;
    const { title, description, markdown } = page as Words;
    this.prepared("INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)").run(
      id,
      folded(title),
      folded(headingsOf(markdown)),
      folded(`${description}\n${markdown}`),
    );
    return true;
  }

  #matching(
    { first, last }: Range,
    { expression, maxCompared = -1 }: Stage,
    count: number,
  ): readonly Ranked[] {
    return this.prepared(
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
    const count = this.prepared(
      `SELECT count(*) AS pages
       FROM (SELECT 1 FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${MAX_COUNTED})`,
    );
    return terms.map((term) => {
      const { pages } = count.get(term, first, last) as { readonly pages: number };
      return { term, pages };
    });
  }

  #read(id: number): FoundPage | undefined {
    return this.prepared(
      "SELECT url, scrape_id AS scrapeId, capture_id AS captureId, title, description FROM pages WHERE id = ?",
    ).get(id) as FoundPage | undefined;
  }
}

type Row = FoundPage & { readonly markdown: string };
