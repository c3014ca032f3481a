import { setImmediate as nextTurn } from "node:timers/promises";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { JobTable } from "./kept-jobs.ts";
import type { ListPart, NextTask, PendingPage } from "./job-handler.ts";
import type { SealedTexts } from "./sealed-options.ts";

/** Pages that were stored together, with the same options. They belong to their job after `join`. */
export interface PagePart {
  readonly id: string;
  readonly jobId: string;
}

/** A part before it is stored. @property options encrypted with the part's id. */
interface NewPart {
  readonly jobId: string;
  readonly teamId: string;
  readonly urls: readonly string[];
  readonly options?: (partId: string) => string;
}

/** A page of a list, with its part. */
export interface ListedPage {
  readonly url: string;
  /** Scrape whose stored page is read again. Undefined: the page is fetched. */
  readonly scrapeId?: string | undefined;
  readonly part: { readonly id: string; readonly options: string };
}

/** Pages per transaction. They take some 5 ms. */
const SLICE = 1000;

export const PAGE_LIST_TABLE: JobTable = {
  name: "batch_parts",
  key: "id",
  rows: [{ name: "batch_pages", owner: "part_id", key: "number" }],
  // What a cancelled job has not made stays listed.
  keptUntil: "expired",
  isDraft: "turn IS NULL",
};

interface PageListParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Encrypts URLs that contain a user name or a password. */
  readonly texts: SealedTexts;
}

/** Listed pages that jobs have yet to make: those of a batch, and those that an extract has found. */
export class PageList {
  readonly #parts: PageListParts;

  constructor(parts: PageListParts) {
    this.#parts = parts;
  }

  /** Stores a part in slices, between which other work gets its turn. */
  async write({ jobId, teamId, urls, options = () => "" }: NewPart): Promise<PagePart> {
    const { database, clock } = this.#parts;
    const id = uuidV7();
    await database
      .prepared(
        `INSERT INTO batch_parts (id, run_id, team_id, options, pages, next_page, created_at)
         VALUES (?, ?, ?, ?, ?, 0, ?)`,
      )
      .run(id, jobId, teamId, options(id), urls.length, clock.now());
    for (let start = 0; start < urls.length; start += SLICE) {
      await this.#writeSlice(id, urls.slice(start, start + SLICE), start);
      await nextTurn();
    }
    return { id, jobId };
  }

  async #writeSlice(partId: string, urls: readonly string[], start: number): Promise<void> {
    await this.#parts.database.transaction(async (tx) => {
      const insert = tx.prepared("INSERT INTO batch_pages (part_id, number, url) VALUES (?, ?, ?)");
      for (const [index, url] of urls.entries())
        await insert.run(partId, start + index, this.#stored(partId, url));
    });
  }

  /** Queues the pages of a part behind those of the earlier parts of its job. */
  async join(tx: Statements, { id, jobId }: PagePart): Promise<void> {
    await tx
      .prepared(
        `UPDATE batch_parts SET turn = (SELECT coalesce(max(turn), 0) + 1 FROM batch_parts WHERE run_id = ?)
         WHERE id = ?`,
      )
      .run(jobId, id);
  }

  /** Takes the next pages of a job. No other worker gets them. */
  async next(tx: Statements, jobId: string, count: number): Promise<readonly NextTask[]> {
    const part = await tx
      .prepared<{ id: string; next: number; pages: number }>(
        `SELECT id, next_page AS "next", pages FROM batch_parts
         WHERE run_id = ? AND turn IS NOT NULL AND next_page < pages ORDER BY turn LIMIT 1`,
      )
      .get(jobId);
    if (!part) return [];
    const taken = Math.min(count, part.pages - part.next);
    await tx.prepared("UPDATE batch_parts SET next_page = next_page + ? WHERE id = ?").run(taken, part.id);
    const tasks = Array.from({ length: taken }, (_, index) => ({
      payload: `${part.id} ${part.next + index}`,
    }));
    return taken < count ? [...tasks, ...(await this.next(tx, jobId, count - taken))] : tasks;
  }

  /** The page of a task. Undefined when it has ended, or was deleted with its job. */
  async get(payload: string): Promise<ListedPage | undefined> {
    const [partId, number] = keyOf(payload);
    const row = await this.#parts.database
      .prepared<{ url: string; options: string }>(
        `SELECT batch_pages.url AS url, batch_parts.options AS options
         FROM batch_pages JOIN batch_parts ON batch_parts.id = batch_pages.part_id
         WHERE batch_pages.part_id = ? AND batch_pages.number = ?`,
      )
      .get(partId, number);
    if (!row) return undefined;
    const [, scrapeId] = STORED_ENTRY.exec(row.url) ?? [];
    return {
      url: this.#opened(partId, urlOfEntry(row.url)),
      scrapeId,
      part: { id: partId, options: row.options },
    };
  }

  /** Unfinished pages of a job, in the order of their work. */
  async pending(
    statements: Statements,
    jobId: string,
    { after, count }: ListPart,
  ): Promise<readonly PendingPage[]> {
    const [turn = 0, number = -1] = (after ?? "").split(" ").filter(Boolean).map(Number);
    const rows = await statements
      .prepared<{ url: string; turn: number; number: number; next: number }>(
        `SELECT url, turn, number, next_page AS "next"
         FROM batch_parts JOIN batch_pages ON batch_pages.part_id = batch_parts.id
         WHERE run_id = ? AND turn IS NOT NULL AND (turn > ? OR (turn = ? AND number > ?))
         ORDER BY turn, number LIMIT ?`,
      )
      .all(jobId, turn, turn, number, count);
    return rows.map((row) => ({
      url: urlOfEntry(row.url),
      isUnderWay: row.number < row.next,
      cursor: `${row.turn} ${row.number}`,
    }));
  }

  /** The first part of a job, with the options of its pages. */
  async firstPart(
    statements: Statements,
    jobId: string,
  ): Promise<{ readonly id: string; readonly options: string } | undefined> {
    return statements
      .prepared<{ id: string; options: string }>(
        "SELECT id, options FROM batch_parts WHERE run_id = ? AND turn IS NOT NULL ORDER BY turn LIMIT 1",
      )
      .get(jobId);
  }

  async remove(tx: Statements, payload: string): Promise<void> {
    await tx.prepared("DELETE FROM batch_pages WHERE part_id = ? AND number = ?").run(...keyOf(payload));
  }

  /** Encrypts a URL that contains a user name or a password. Other URLs are stored as they are. */
  #stored(partId: string, url: string): string {
    return STORED_ENTRY.test(url) || withoutCredentials(url) === url
      ? url
      : this.#parts.texts.seal(partId, url);
  }

  #opened(partId: string, stored: string): string {
    return /^https?:/i.test(stored) ? stored : this.#parts.texts.open(partId, stored);
  }
}

const STORED_ENTRY = /^scrape:([0-9a-f-]{36}) (.*)$/;

/** Entry of a list for the stored page of a scrape, whose URL has no user name and password. */
export function storedEntry(scrapeId: string, url: string): string {
  return `scrape:${scrapeId} ${url}`;
}

export function urlOfEntry(entry: string): string {
  return entry.replace(STORED_ENTRY, "$2");
}

function keyOf(payload: string): readonly [partId: string, number: number] {
  const [partId = "", number = ""] = payload.split(" ");
  return [partId, Number(number)];
}
