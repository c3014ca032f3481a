import { existsSync } from "node:fs";

import { Piscina } from "piscina";

import type { Database } from "../../platform/database/database.ts";
import type { TeamData } from "../team-data.ts";
import type { FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";
import { programFile } from "../../kit/process/program-file.ts";

const PROGRAM = { bundle: "page-index-worker.js", loader: "worker-source.mjs" };

interface PageIndexOptions {
  /** Made when it is missing. */
  readonly path: string;
  readonly database: Database;
  /** Writes what is recorded, so that it can be seen. */
  readonly flushRecords: () => Promise<void>;
  readonly onError: (failure: unknown) => void;
}

/** Pages that wait to be indexed are so few and so small at most; later ones are left out until there is room. */
const MAX_WAITING = 2000;
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Pages come in batches: one transaction costs as much as indexing a page. */
const BATCH_SIZE = 50;
const PAUSE_MS = 200;
/** Rows that are looked at together. */
const PRUNED_AT_ONCE = 200;
const IDLE_MS = 60_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 } as const;

/**
 * Full-text search over the pages that the scrapes of each team answered with. A page is found as long as its scrape is
 * recorded and its capture is kept. All work on it is done in a thread.
 */
export class PageIndex implements TeamData {
  readonly #options: PageIndexOptions;
  #pool: Piscina | undefined;
  #waiting: IndexedPage[] = [];
  #waitingLength = 0;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PageIndexOptions) {
    this.#options = options;
  }

  /** Has the page indexed soon. */
  add(page: IndexedPage): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) return;
    if (this.#waitingLength + page.markdown.length > MAX_WAITING_LENGTH) return;
    this.#waiting.push(page);
    this.#waitingLength += page.markdown.length;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Best first. @throws the signal's reason once it is aborted. */
  async search(query: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]> {
    await this.#writing;
    return this.#present((await this.#run("search", query, signal)) as readonly FoundPage[]);
  }

  /** What the team's own copies of pages say of these words, by URL. @throws the signal's reason once it is aborted. */
  async excerpts(
    order: { readonly teamId: string; readonly urls: readonly string[]; readonly words: string },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    await this.#writing;
    const found = (await this.#run("excerpts", order, signal)) as ReadonlyMap<string, FoundPage>;
    const present = await this.#present([...found.values()]);
    return new Map(present.map(({ url, excerpt }) => [url, excerpt]));
  }

  async erase(teamId: string): Promise<void> {
    await this.#writing;
    if (existsSync(this.#options.path)) await this.#run("removeTeam", teamId);
  }

  /** Removes pages that can no longer be found. */
  async prune(): Promise<void> {
    if (!existsSync(this.#options.path)) return;
    await this.#options.flushRecords();
    for (let afterId = 0; !this.#isClosed;) {
      const entries = (await this.#run("entries", {
        afterId,
        count: PRUNED_AT_ONCE,
      })) as readonly IndexEntry[];
      const present = new Set(await this.#presentOf(entries));
      const gone = entries.filter((entry) => !present.has(entry)).map(({ id }) => id);
      if (gone.length > 0) await this.#run("remove", gone);
      const last = entries.at(-1);
      if (!last || entries.length < PRUNED_AT_ONCE) return;
      afterId = last.id;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#pool?.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < BATCH_SIZE && !this.#isClosed) await pause(PAUSE_MS);
      const batch = this.#waiting.splice(0, BATCH_SIZE);
      this.#waitingLength -= batch.reduce((length, { markdown }) => length + markdown.length, 0);
      await this.#run("add", batch).catch(this.#options.onError);
    }
  }

  async #present(found: readonly FoundPage[]): Promise<readonly FoundPage[]> {
    if (found.length === 0) return found;
    await this.#options.flushRecords();
    return this.#presentOf(found);
  }

  /** Those whose scrape and capture are there. */
  async #presentOf<Page extends Pick<FoundPage, "scrapeId">>(
    pages: readonly Page[],
  ): Promise<readonly Page[]> {
    if (pages.length === 0) return [];
    const places = pages.map(() => "?").join(", ");
    const rows = await this.#options.database
      .prepared<{ id: string }>(
        `SELECT scrapes.id AS id FROM scrapes JOIN captures ON captures.id = scrapes.capture_id
         WHERE scrapes.id IN (${places})`,
      )
      .all(...pages.map(({ scrapeId }) => scrapeId));
    const present = new Set(rows.map(({ id }) => id));
    return pages.filter(({ scrapeId }) => present.has(scrapeId));
  }

  #run(name: string, task: unknown, signal?: AbortSignal): Promise<unknown> {
    this.#pool ??= new Piscina({
      filename: programFile(import.meta.url, PROGRAM).path,
      workerData: { path: this.#options.path },
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: THREAD_LIMITS,
    });
    // A thread that dies without work is begun again for the next.
    if (this.#pool.listenerCount("error") === 0) this.#pool.on("error", () => undefined);
    return this.#pool.run(task, { name, ...(signal && { signal }) });
  }
}

function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, timeMs));
}
