import { createHash } from "node:crypto";

import { chunksOf } from "../../storage/database/chunks.ts";
import type { Database, SqlValue } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";
import { findPages, type Ranked } from "./find-pages.ts";
import type { ExcerptOrder, IndexStore } from "./index-store.ts";
import type { IndexThread } from "./index-thread.ts";
import { MAX_TEXT_LENGTH } from "./index-words.ts";
import type { ExcerptedPage, FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";
import { MAX_COUNTED } from "./query-stages.ts";
import { type VectorOf, vectorQuery } from "./text-vector.ts";

/** Weights D, C, B, A of Postgres: text, unused, headings and title. */
const WEIGHTS = "{0.125, 0.125, 0.375, 1.0}";
/** Postgres normalisation flag. Longer pages contain more words by chance. */
const BY_LOGARITHM_OF_LENGTH = 1;
/** Maximum pages to rank, because ranking reads all words of a page. */
const MAX_RANKED = 2_000;
/** Maximum team numbers in memory. */
const MAX_REMEMBERED_TEAMS = 10_000;
const FOUND = `url, scrape_id AS "scrapeId", capture_id AS "captureId", title, description`;

/** The index in tables of a database with text search, where all machines find each other's pages. */
export class TableStore implements IndexStore {
  readonly #database: Database;
  /** Makes excerpts of untrusted texts. */
  readonly #thread: IndexThread;
  /** Splits them into words. */
  readonly #vectorOf: VectorOf;
  readonly #teams = new Map<string, number>();

  constructor(database: Database, thread: IndexThread, vectorOf: VectorOf) {
    this.#vectorOf = vectorOf;
    this.#thread = thread;
    this.#database = database;
  }

  async add(pages: readonly IndexedPage[]): Promise<void> {
    const all = [...new Map(pages.map((page) => [`${page.teamId} ${page.url}`, rowOf(page)])).values()];
    // A fixed order prevents deadlocks between two machines.
    const rows = all.toSorted((one, other) => (one.urlHash < other.urlHash ? -1 : 1));
    const unchanged = await this.#renew(rows);
    const changed = rows.filter((row) => !unchanged.has(row));
    if (changed.length === 0) return;
    const filled = await Promise.all(
      changed.map(async (row) => {
        const team = await this.#numberOf(row.page.teamId);
        return valuesOf(row, await this.#vectorOf({ team, page: row.page }));
      }),
    );
    await this.#database.transaction((tx) => insertRows(tx, INDEXED_PAGES, filled), { locksItsRows: true });
  }

  async search({ teamId, words, limit }: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]> {
    const team = await this.#knownNumberOf(teamId);
    if (team === undefined) return [];
    const ids = await findPages(
      { words, limit },
      {
        matching: async ({ expression, maxCompared = MAX_RANKED }, count) => {
          signal.throwIfAborted();
          const compared = Math.min(maxCompared, MAX_RANKED);
          return this.#matching(vectorQuery(team, expression), compared, count);
        },
        counted: (terms) =>
          Promise.all(
            terms.map(async (term) => ({ term, pages: await this.#count(vectorQuery(team, term)) })),
          ),
      },
    );
    if (ids.length === 0) return [];
    const rows = await this.#database
      .prepared<FoundPage & { readonly id: number }>(
        `SELECT id, ${FOUND} FROM indexed_pages WHERE id IN (${placesOf(ids)})`,
      )
      .all(...ids);
    const byId = new Map(rows.map(({ id, ...page }) => [id, page]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async excerpts(
    { teamId, urls, words }: ExcerptOrder,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExcerptedPage>> {
    if (urls.length === 0) return new Map();
    const rows = await this.#database
      .prepared<FoundPage & { readonly markdown: string }>(
        `SELECT ${FOUND}, ${words === undefined ? "''" : "markdown"} AS markdown FROM indexed_pages WHERE url_hash IN (${placesOf(urls)}) AND team_id = ?`,
      )
      .all(...urls.map(hashOf), teamId);
    const texts = rows.map(({ markdown }) => markdown);
    const excerpts =
      words === undefined
        ? []
        : ((await this.#thread.run("excerptsOf", { texts, words }, { teamId, signal })) as readonly string[]);
    return new Map(
      rows.map(({ markdown: _markdown, ...page }, index) => [
        page.url,
        { ...page, excerpt: excerpts[index] ?? "" },
      ]),
    );
  }

  /** Pages are findable once they are added. */
  async index(): Promise<number> {
    return 0;
  }

  async entries(afterId: number, count: number): Promise<readonly IndexEntry[]> {
    return this.#database
      .prepared<IndexEntry>(
        `SELECT id, scrape_id AS "scrapeId", capture_id AS "captureId" FROM indexed_pages WHERE id > ? ORDER BY id LIMIT ?`,
      )
      .all(afterId, count);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.prepared(`DELETE FROM indexed_pages WHERE id IN (${placesOf(ids)})`).run(...ids);
  }

  async removeTeam(teamId: string): Promise<void> {
    this.#teams.delete(teamId);
    await this.#database.prepared("DELETE FROM indexed_pages WHERE team_id = ?").run(teamId);
    await this.#database.prepared("DELETE FROM indexed_teams WHERE team_id = ?").run(teamId);
  }

  /** @returns the pages that are there with the same content, which keep their words. */
  async #renew(rows: readonly Row[]): Promise<ReadonlySet<Row>> {
    const renewed = new Set<Row>();
    for (const chunk of chunksOf(rows)) {
      const given = chunk.map(({ page, urlHash, contentHash }) => {
        return [page.teamId, urlHash, contentHash, page.scrapeId, page.captureId];
      });
      const found = await this.#database
        .prepared<{ teamId: string; urlHash: string }>(
          `UPDATE indexed_pages SET scrape_id = given.scrape_id, capture_id = given.capture_id
           FROM (VALUES ${given.map(() => "(?, ?, ?, ?, ?)").join(", ")})
             AS given (team_id, url_hash, content_hash, scrape_id, capture_id)
           WHERE indexed_pages.team_id = given.team_id AND indexed_pages.url_hash = given.url_hash
             AND indexed_pages.content_hash = given.content_hash
           RETURNING indexed_pages.team_id AS "teamId", indexed_pages.url_hash AS "urlHash"`,
        )
        .all(...given.flat());
      const keys = new Set(found.map(({ teamId, urlHash }) => `${teamId} ${urlHash}`));
      for (const row of chunk) if (keys.has(`${row.page.teamId} ${row.urlHash}`)) renewed.add(row);
    }
    return renewed;
  }

  async #matching(query: string, compared: number, count: number): Promise<readonly Ranked[]> {
    return this.#database
      .prepared<Ranked>(
        `SELECT id, title FROM (
           SELECT id, title, words FROM indexed_pages WHERE words @@ ?::tsquery LIMIT ?
         ) AS compared
         ORDER BY ts_rank('${WEIGHTS}', words, ?::tsquery, ${BY_LOGARITHM_OF_LENGTH}) DESC, id LIMIT ?`,
      )
      .all(query, compared, query, count);
  }

  async #count(query: string): Promise<number> {
    const row = await this.#database
      .prepared<{ pages: number }>(
        `SELECT count(*) AS pages FROM (SELECT 1 FROM indexed_pages WHERE words @@ ?::tsquery LIMIT ?) AS matching`,
      )
      .get(query, MAX_COUNTED);
    return row?.pages ?? 0;
  }

  async #numberOf(teamId: string): Promise<number> {
    const known = await this.#knownNumberOf(teamId);
    if (known !== undefined) return known;
    const insert = "INSERT INTO indexed_teams (team_id) VALUES (?) ON CONFLICT DO NOTHING";
    await this.#database.prepared(insert).run(teamId);
    return (await this.#knownNumberOf(teamId)) ?? 0;
  }

  async #knownNumberOf(teamId: string): Promise<number | undefined> {
    const known = this.#teams.get(teamId);
    if (known !== undefined) return known;
    const row = await this.#database
      .prepared<{ number: number }>("SELECT number FROM indexed_teams WHERE team_id = ?")
      .get(teamId);
    if (this.#teams.size >= MAX_REMEMBERED_TEAMS) this.#teams.clear();
    if (row) this.#teams.set(teamId, row.number);
    return row?.number;
  }
}

interface Row {
  readonly page: IndexedPage;
  /** URLs may be too long for a database index, so it uses their hash. */
  readonly urlHash: string;
  readonly contentHash: string;
}

function rowOf(given: IndexedPage): Row {
  const page = { ...given, markdown: given.markdown.slice(0, MAX_TEXT_LENGTH) };
  const { url, title, description, markdown } = page;
  const contentHash = hashOf(JSON.stringify([title, description, markdown]));
  return { page, urlHash: hashOf(url), contentHash };
}

const INDEXED_PAGES = {
  into: `indexed_pages
    (team_id, url_hash, content_hash, url, scrape_id, capture_id, title, description, markdown, words)`,
  row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?::tsvector)",
  ending: `ON CONFLICT (team_id, url_hash) DO UPDATE SET content_hash = excluded.content_hash,
    scrape_id = excluded.scrape_id, capture_id = excluded.capture_id, title = excluded.title,
    description = excluded.description, markdown = excluded.markdown, words = excluded.words`,
};

/** A row of `indexed_pages`. */
function valuesOf({ page, urlHash, contentHash }: Row, words: string): readonly SqlValue[] {
  const { teamId, url, scrapeId, captureId, title, description, markdown } = page;
  return [teamId, urlHash, contentHash, url, scrapeId, captureId, title, description, markdown, words];
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function placesOf(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
