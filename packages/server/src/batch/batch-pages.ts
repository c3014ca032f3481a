import { setImmediate as nextTurn } from "node:timers/promises";

import type { ListPart, PageToDo } from "../jobs/family.ts";
import { inSteps } from "../jobs/in-steps.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";

/** What a request adds to a batch: pages with the same options. */
export interface NewPart {
  readonly id: string;
  readonly runId: string;
  readonly teamId: string;
  /** As text that tells nothing to readers of the database. */
  readonly options: string;
  /** An address as it may be stored. */
  readonly stored: (url: string) => string;
}

/** One page of a part. */
export interface PageKey {
  readonly partId: string;
  readonly number: number;
}

/** Pages that are written in one transaction: some 5 ms. */
const SLICE = 1000;
/** A part that is this old and belongs to no run was being written when its process died. */
const ABANDONED_MS = 60 * 60 * 1000;

/** The pages that batches have yet to make. */
export class BatchPages implements TeamData {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Writes a part down, in slices between which others have their turn. It belongs to its run once `join` says so. */
  async write({ id, runId, teamId, options, stored }: NewPart, urls: readonly string[]): Promise<void> {
    await this.#database
      .prepared(
        `INSERT INTO batch_parts (id, run_id, team_id, options, pages, next_page, created_at)
         VALUES (?, ?, ?, ?, ?, 0, ?)`,
      )
      .run(id, runId, teamId, options, urls.length, this.#clock.now());
    for (let start = 0; start < urls.length; start += SLICE) {
      await this.#writeSlice(id, urls.slice(start, start + SLICE).map(stored), start);
      await nextTurn();
    }
  }

  async #writeSlice(partId: string, urls: readonly string[], start: number): Promise<void> {
    await this.#database.transaction(async (inside) => {
      const insert = inside.prepared("INSERT INTO batch_pages (part_id, number, url) VALUES (?, ?, ?)");
      for (const [index, url] of urls.entries()) await insert.run(partId, start + index, url);
    });
  }

  /** Has the pages of a part be made after those of the earlier parts of its run. */
  async join(inside: Statements, { id, runId }: Pick<NewPart, "id" | "runId">): Promise<void> {
    await inside
      .prepared(
        `UPDATE batch_parts SET turn = (SELECT coalesce(max(turn), 0) + 1 FROM batch_parts WHERE run_id = ?)
         WHERE id = ?`,
      )
      .run(runId, id);
  }

  /** The next pages of a run, which no other worker gets. */
  async take(inside: Statements, runId: string, count: number): Promise<readonly PageKey[]> {
    const part = await inside
      .prepared<{ id: string; next: number; pages: number }>(
        `SELECT id, next_page AS "next", pages FROM batch_parts
         WHERE run_id = ? AND turn IS NOT NULL AND next_page < pages ORDER BY turn LIMIT 1`,
      )
      .get(runId);
    if (!part) return [];
    const taken = Math.min(count, part.pages - part.next);
    await inside
      .prepared("UPDATE batch_parts SET next_page = next_page + ? WHERE id = ?")
      .run(taken, part.id);
    const keys = Array.from({ length: taken }, (_, index) => ({
      partId: part.id,
      number: part.next + index,
    }));
    return taken < count ? [...keys, ...(await this.take(inside, runId, count - taken))] : keys;
  }

  /** The address of a page and the options of its part; undefined when the page has ended. */
  get({ partId, number }: PageKey): Promise<{ url: string; options: string } | undefined> {
    return this.#database
      .prepared<{ url: string; options: string }>(
        `SELECT batch_pages.url AS url, batch_parts.options AS options
         FROM batch_pages JOIN batch_parts ON batch_parts.id = batch_pages.part_id
         WHERE batch_pages.part_id = ? AND batch_pages.number = ?`,
      )
      .get(partId, number);
  }

  /** Pages of a run that have not ended, in the order in which they are made. */
  async list(
    statements: Statements,
    runId: string,
    { after, count }: ListPart,
  ): Promise<readonly PageToDo[]> {
    const [turn = 0, number = -1] = (after ?? "").split(" ").filter(Boolean).map(Number);
    const rows = await statements
      .prepared<{ url: string; turn: number; number: number; next: number }>(
        `SELECT url, turn, number, next_page AS "next"
         FROM batch_parts JOIN batch_pages ON batch_pages.part_id = batch_parts.id
         WHERE run_id = ? AND turn IS NOT NULL AND (turn > ? OR (turn = ? AND number > ?))
         ORDER BY turn, number LIMIT ?`,
      )
      .all(runId, turn, turn, number, count);
    return rows.map((row) => ({
      url: row.url,
      isUnderWay: row.number < row.next,
      cursor: `${row.turn} ${row.number}`,
    }));
  }

  async remove(inside: Statements, { partId, number }: PageKey): Promise<void> {
    await inside.prepared("DELETE FROM batch_pages WHERE part_id = ? AND number = ?").run(partId, number);
  }

  /** Deletes what runs that have ended left, and what came to no run. */
  async prune(): Promise<void> {
    const abandonedMs = this.#clock.now() - ABANDONED_MS;
    await this.#removeParts(
      `SELECT id FROM batch_parts WHERE
         (turn IS NOT NULL AND NOT EXISTS
           (SELECT 1 FROM job_runs WHERE job_runs.id = batch_parts.run_id AND state = 'scraping'))
         OR (turn IS NULL AND created_at <= ?) LIMIT 100`,
      abandonedMs,
    );
  }

  async erase(teamId: string): Promise<void> {
    await this.#removeParts("SELECT id FROM batch_parts WHERE team_id = ? LIMIT 100", teamId);
  }

  async #removeParts(find: string, value: string | number): Promise<void> {
    await inSteps(1, async () => {
      const parts = await this.#database.prepared<{ id: string }>(find).all(value);
      for (const { id } of parts) await this.#removePart(id);
      return parts.length;
    });
  }

  async #removePart(id: string): Promise<void> {
    const some = this.#database.prepared(
      `DELETE FROM batch_pages WHERE part_id = ? AND number IN
         (SELECT number FROM batch_pages WHERE part_id = ? LIMIT ?)`,
    );
    await inSteps(SLICE, (count) => some.run(id, id, count));
    await this.#database.prepared("DELETE FROM batch_parts WHERE id = ?").run(id);
  }
}
