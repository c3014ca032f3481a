import { existsSync } from "node:fs";
import { setImmediate, setTimeout as pause } from "node:timers/promises";

import { isBusy } from "../../storage/database/sqlite-failures.ts";
import type { ExcerptOrder, IndexStore } from "./index-store.ts";
import type { IndexThread, TenantOfThread } from "./index-thread.ts";
import type { ExcerptedPage, FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";
import { TextFile } from "./text-file.ts";

const BUSY_PAUSE_MS = 20;

/** Keeps the index in a file next to an embedded database. The file is created when missing. */
export class FileStore implements IndexStore {
  readonly #path: string;
  readonly #thread: IndexThread;
  /** Texts and words are written in turns. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #texts: TextFile | undefined;
  #isThreadUsed = false;

  constructor(path: string, thread: IndexThread) {
    this.#path = path;
    this.#thread = thread;
  }

  async add(pages: readonly IndexedPage[]): Promise<void> {
    for (let rest = pages; rest.length > 0; await setImmediate()) {
      const count = await this.#write(() => this.#opened().put(rest));
      rest = rest.slice(count);
    }
  }

  async index(): Promise<number> {
    if (!existsSync(this.#path)) return 0;
    return this.#write(async () => (await this.#run("index", {})) as number);
  }

  async search(query: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]> {
    const whose = { teamId: query.teamId, signal };
    return (await this.#run("search", query, whose)) as readonly FoundPage[];
  }

  async excerpts(order: ExcerptOrder, signal: AbortSignal): Promise<ReadonlyMap<string, ExcerptedPage>> {
    const whose = { teamId: order.teamId, signal };
    return (await this.#run("excerpts", order, whose)) as ReadonlyMap<string, ExcerptedPage>;
  }

  async entries(afterId: number, count: number): Promise<readonly IndexEntry[]> {
    return existsSync(this.#path) ? this.#opened().entries(afterId, count) : [];
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#write(() => this.#opened().remove(ids));
  }

  async removeTeam(teamId: string): Promise<void> {
    if (existsSync(this.#path)) await this.#write(() => this.#run("removeTeam", { teamId }));
  }

  async close(): Promise<void> {
    this.#texts?.close();
    this.#texts = undefined;
    if (this.#isThreadUsed) await this.#run("closeFile", {});
  }

  #opened(): TextFile {
    return (this.#texts ??= new TextFile(this.#path));
  }

  #run(name: string, task: object, whose?: TenantOfThread): Promise<unknown> {
    this.#isThreadUsed = true;
    return this.#thread.run(name, { ...task, path: this.#path }, whose);
  }

  #write<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#lastTurn.then(() => onceFree(work));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

/** Does the work again while another process writes to the file. */
async function onceFree<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
      await pause(BUSY_PAUSE_MS);
    }
  }
}
