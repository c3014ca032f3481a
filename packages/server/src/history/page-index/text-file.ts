import type { IndexedPage, IndexEntry } from "./indexed-pages.ts";
import { MAX_TEXT_LENGTH } from "./index-words.ts";
import { SearchFile } from "./search-file.ts";

/** Pages are written for this long before other work has its turn. */
const TURN_MS = 5;

/** The stored row of a page that is added again. */
interface Before {
  readonly id: number;
  /** 1 when the content has not changed. */
  readonly isSame: number;
}

/** Writes the texts of pages. It is synchronous and quick, so it needs no thread. */
export class TextFile extends SearchFile {
  constructor(path: string) {
    super(path);
    // Another process that writes must not keep this thread.
    this.database.exec("PRAGMA busy_timeout = 0");
    // It hardly reads.
    this.database.exec("PRAGMA cache_size = -512");
  }

  /**
   * Writes pages for some milliseconds and returns how many it has written. For a URL that is there already, the
   * later page replaces the earlier one. @throws while another process writes.
   */
  put(pages: readonly IndexedPage[]): number {
    const endsAtMs = performance.now() + TURN_MS;
    return this.inOne(() => {
      let count = 0;
      do this.#put(pages[count++] as IndexedPage);
      while (count < pages.length && performance.now() < endsAtMs);
      return count;
    });
  }

  /** Rows with ids above `afterId`, in order. */
  entries(afterId: number, count: number): readonly IndexEntry[] {
    return this.prepared(
      `SELECT id, scrape_id AS scrapeId, capture_id AS captureId FROM pages WHERE id > ? ORDER BY id LIMIT ?`,
    ).all(afterId, count) as readonly IndexEntry[];
  }

  remove(ids: readonly number[]): void {
    this.inOne(() => {
      for (const id of ids) this.#removeOne(id);
    });
  }

  #put({ teamId, url, scrapeId, captureId, title, description, markdown }: IndexedPage): void {
    const text = markdown.slice(0, MAX_TEXT_LENGTH);
    const before = this.prepared(
      `SELECT id, title = ? AND description = ? AND markdown = ? AS isSame FROM pages WHERE team_id = ? AND url = ?`,
    ).get(title, description, text, teamId, url) as Before | undefined;
    // An unchanged page keeps its words. Finding them again would cost a fifth of computing the page.
    if (before?.isSame === 1) {
      this.prepared("UPDATE pages SET scrape_id = ?, capture_id = ? WHERE id = ?").run(
        scrapeId,
        captureId,
        before.id,
      );
      return;
    }
    if (before) this.#removeOne(before.id);
    const id = this.#nextId(teamId);
    this.prepared(
      `INSERT INTO pages (id, team_id, url, scrape_id, capture_id, title, description, markdown)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(id, teamId, url, scrapeId, captureId, title, description, text);
    this.#note(id);
  }

  #nextId(teamId: string): number {
    this.prepared("INSERT OR IGNORE INTO teams (team_id) VALUES (?)").run(teamId);
    const { first = 0, last = 0 } = this.rangeOf(teamId) ?? {};
    const row = this.prepared("SELECT max(id) AS id FROM pages WHERE id BETWEEN ? AND ?").get(first, last);
    return ((row as { readonly id: number | null }).id ?? first) + 1;
  }

  #removeOne(id: number): void {
    this.prepared("DELETE FROM pages WHERE id = ?").run(id);
    this.#note(id);
  }

  #note(id: number): void {
    this.prepared("INSERT OR IGNORE INTO changes (id) VALUES (?)").run(id);
  }
}
