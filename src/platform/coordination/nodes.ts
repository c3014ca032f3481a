import type { Database } from "../database/database.ts";

/** A process that says nothing for so long is taken for dead. */
const SILENT_MS = 30_000;

/** How this process is found by others. */
export interface OwnNode {
  /** Marks what it hands out, such as addresses of live pages. */
  readonly tag: string;
  /** Name of the lease that it has as long as it lives. */
  readonly process: string;
  /** Where it listens to the others. */
  readonly url: string;
}

/** The processes over a database that listen to each other. */
export class Nodes {
  readonly #database: Database;
  readonly #nowMs: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#nowMs = () => database.nowMs?.() ?? Date.now();
  }

  /** To be repeated: others forget a process that is silent. */
  async tell({ tag, process, url }: OwnNode): Promise<void> {
    const nowMs = this.#nowMs();
    await this.#database
      .prepared(
        `INSERT INTO nodes (tag, process, url, seen_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (tag) DO UPDATE SET process = excluded.process, url = excluded.url, seen_at = excluded.seen_at`,
      )
      .run(tag, process, url, nowMs);
    await this.#database.prepared("DELETE FROM nodes WHERE seen_at < ?").run(nowMs - SILENT_MS);
  }

  async leave(tag: string): Promise<void> {
    await this.#database.prepared("DELETE FROM nodes WHERE tag = ?").run(tag);
  }

  /**
   * @param name of the process, or its tag.
   * @returns where it listens; undefined when it does not, or is silent.
   */
  async urlOf(name: string): Promise<string | undefined> {
    const row = await this.#database
      .prepared<{ url: string }>("SELECT url FROM nodes WHERE (tag = ? OR process = ?) AND seen_at >= ?")
      .get(name, name, this.#nowMs() - SILENT_MS);
    return row?.url;
  }
}
