import { rm } from "node:fs/promises";

import type { Database } from "../../storage/database/database.ts";
import type { TeamData } from "../../storage/team-data.ts";
import type { IndexThread } from "./index-thread.ts";
import type { ExcerptOrder, IndexStore } from "./index-store.ts";
import type { VectorOf } from "./text-vector.ts";
import type { ExcerptedPage, FoundPage, IndexedPage, IndexQuery } from "./indexed-pages.ts";

interface PageIndexOptions {
  /** File of the index for an embedded database. */
  readonly path: string;
  readonly database: Database;
  /** The index does not close this thread. */
  readonly thread: IndexThread;
  readonly vectorOf: VectorOf;
  /** Writes waiting records, so that the index can read them. */
  readonly flushRecords: () => Promise<void>;
  readonly onError: (failure: unknown) => void;
}

/** Maximum number and size of pages that wait. Pages beyond these are not indexed. */
const MAX_WAITING = 2000;
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Pages are written in batches, because a transaction costs as much as indexing a page. */
const BATCH_SIZE = 50;
const PAUSE_MS = 200;
/**
 * Added pages are made findable when none has come for this long, when a search comes, or when many wait: it takes
 * as long as a tenth of computing them, and a thread.
 */
const IDLE_MS = 2000;
const MAX_UNINDEXED = 2000;
/**
 * Searches wait at most this long for pages that were added before. During a crawl more pages always wait.
 */
const MAX_SEARCH_WAIT_MS = 1000;
/** Scrapes are kept for this long at least. A page that is revalidated later keeps the first one's row of the index. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Rows per step of pruning. */
const PRUNED_AT_ONCE = 200;
const READ_AT_ONCE = 500;

/**
 * Full-text search over the pages that answered the scrapes of each team. A page is found while its scrape is
 * recorded and its capture is kept.
 */
export class PageIndex implements TeamData {
  readonly #options: PageIndexOptions;
  #opened: Promise<IndexStore> | undefined;
  #waiting: IndexedPage[] = [];
  #waitingLength = 0;
  #writing: Promise<void> | undefined;
  #batch: Promise<void> | undefined;
  #addedCount = 0;
  #writtenCount = 0;
  #indexing: Promise<void> | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Written pages that are not findable yet. At the start one, because an earlier process may have left some. */
  #unindexedCount = 1;
  #isClosed = false;

  constructor(options: PageIndexOptions) {
    this.#options = options;
  }

  /** Queues the page for indexing. */
  add(page: IndexedPage): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) return;
    if (this.#waitingLength + page.markdown.length > MAX_WAITING_LENGTH) return;
    this.#waiting.push(page);
    this.#addedCount += 1;
    this.#waitingLength += page.markdown.length;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Pages that the last search could not find yet. */
  get unindexedCount(): number {
    return this.#unindexedCount;
  }

  /** Best first. @throws the signal's reason once it is aborted. */
  async search(query: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]> {
    const indexed = this.#allUntilNow().then(() => this.#index());
    await Promise.race([indexed, pause(MAX_SEARCH_WAIT_MS)]);
    return this.#present(await (await this.#store()).search(query, signal));
  }

  /**
   * The team's own copies of pages by URL, with excerpts for the words.
   * @throws the signal's reason once it is aborted.
   */
  async copies(order: ExcerptOrder, signal: AbortSignal): Promise<ReadonlyMap<string, ExcerptedPage>> {
    await Promise.race([this.#allUntilNow(), pause(MAX_SEARCH_WAIT_MS)]);
    const copies = new Map<string, ExcerptedPage>();
    for (let from = 0; from < order.urls.length; from += READ_AT_ONCE) {
      const urls = order.urls.slice(from, from + READ_AT_ONCE);
      const found = await (await this.#store()).excerpts({ ...order, urls }, signal);
      for (const page of await this.#present([...found.values()])) copies.set(page.url, page);
    }
    return copies;
  }

  async erase(teamId: string): Promise<void> {
    await this.#allUntilNow();
    await (await this.#store()).removeTeam(teamId);
  }

  /** Removes pages that can no longer be found. */
  async prune(): Promise<void> {
    const store = await this.#store();
    await this.#options.flushRecords();
    for (let afterId = 0; !this.#isClosed;) {
      const entries = await store.entries(afterId, PRUNED_AT_ONCE);
      const present = new Set(await this.#presentOf(entries));
      const gone = entries.filter((entry) => !present.has(entry)).map(({ id }) => id);
      if (gone.length > 0) await this.#written(gone.length, store.remove(gone));
      const last = entries.at(-1);
      if (!last || entries.length < PRUNED_AT_ONCE) return;
      afterId = last.id;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#writing;
    await this.#indexing;
    await (await this.#opened?.catch(() => undefined))?.close?.();
  }

  #store(): Promise<IndexStore> {
    // The cause of a failure may pass, so the next call tries again.
    this.#opened ??= openStore(this.#options).catch((failure: unknown) => {
      this.#opened = undefined;
      throw failure;
    });
    return this.#opened;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#batch = this.#writeBatch();
      await this.#batch;
    }
  }

  async #writeBatch(): Promise<void> {
    if (this.#waiting.length < BATCH_SIZE && !this.#isClosed) await pause(PAUSE_MS);
    const batch = this.#waiting.splice(0, BATCH_SIZE);
    this.#waitingLength -= batch.reduce((length, { markdown }) => length + markdown.length, 0);
    const added = this.#store().then((store) => store.add(batch));
    await this.#written(batch.length, added).catch(this.#options.onError);
    this.#writtenCount += batch.length;
  }

  async #allUntilNow(): Promise<void> {
    for (const wanted = this.#addedCount; this.#writtenCount < wanted;) await this.#batch;
  }

  async #written(count: number, writing: Promise<void>): Promise<void> {
    await writing;
    this.#unindexedCount += count;
    clearTimeout(this.#idle);
    if (this.#unindexedCount > MAX_UNINDEXED) void this.#index();
    else this.#idle = setTimeout(() => void this.#index(), IDLE_MS).unref();
  }

  /** Makes all written pages findable, until the index closes. */
  #index(): Promise<void> {
    return (this.#indexing ??= this.#indexAll()
      .catch(this.#options.onError)
      .finally(() => {
        this.#indexing = undefined;
      }));
  }

  async #indexAll(): Promise<void> {
    const store = await this.#store();
    while (this.#unindexedCount > 0 && !this.#isClosed) this.#unindexedCount = await store.index();
  }

  async #present<Page extends FoundPage>(found: readonly Page[]): Promise<readonly Page[]> {
    if (found.length === 0) return found;
    await this.#options.flushRecords();
    return this.#presentOf(found);
  }

  /** Keeps the pages whose capture exists, with their scrape or revalidated within the time that scrapes are kept. */
  async #presentOf<Page extends Pick<FoundPage, "scrapeId" | "captureId">>(
    pages: readonly Page[],
  ): Promise<readonly Page[]> {
    if (pages.length === 0) return [];
    const scraped = await this.#idsIn(
      "SELECT scrapes.id AS id FROM scrapes JOIN captures ON captures.id = scrapes.capture_id WHERE scrapes.id IN",
      pages.map(({ scrapeId }) => scrapeId),
    );
    const others = pages.filter(({ scrapeId }) => !scraped.has(scrapeId));
    if (others.length === 0) return pages;
    const renewed = await this.#idsIn(
      "SELECT id FROM captures WHERE stored_at >= ? AND id IN",
      others.map(({ captureId }) => captureId),
      Date.now() - KEPT_MS,
    );
    return pages.filter(({ scrapeId, captureId }) => scraped.has(scrapeId) || renewed.has(captureId));
  }

  async #idsIn(query: string, ids: readonly string[], ...before: number[]): Promise<Set<string>> {
    const rows = await this.#options.database
      .prepared<{ id: string }>(`${query} (${ids.map(() => "?").join(", ")})`)
      .all(...before, ...ids);
    return new Set(rows.map(({ id }) => id));
  }
}

function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, timeMs));
}

/**
 * Uses tables that all machines share where the database supports text search. Otherwise it uses a file of
 * this machine.
 */
async function openStore({ path, database, thread, vectorOf }: PageIndexOptions): Promise<IndexStore> {
  if (!database.hasTextSearch) return new (await import("./file-store.ts")).FileStore(path, thread);
  // Deletes the file of an earlier embedded database, because the data of deleted teams would never be erased
  // from it.
  for (const end of ["", "-wal", "-shm"]) await rm(path + end, { force: true });
  return new (await import("./table-store.ts")).TableStore(database, thread, vectorOf);
}
