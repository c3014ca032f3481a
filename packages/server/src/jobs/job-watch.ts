import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import type { Database } from "../storage/database/database.ts";

/** Listeners to changes of jobs. */
export class JobWatch {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #ofAll = new Set<(jobId: string) => void>();

  /** @returns a function that stops it. */
  watch(jobId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(jobId) ?? new Set();
    this.#listeners.set(jobId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(jobId);
    };
  }

  /** @param listener called with the id of each changed job. @returns a function that stops it. */
  watchAll(listener: (jobId: string) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  /** Call this in the transaction of the change. It calls listeners after the transaction. */
  changed(jobId: string): void {
    const listeners = this.#listeners.get(jobId);
    if (!listeners && this.#ofAll.size === 0) return;
    setImmediate(() => {
      listeners?.forEach((listener) => listener());
      this.#ofAll.forEach((listener) => listener(jobId));
    });
  }
}

interface JobPollingParts {
  readonly database: Database;
  readonly watch: JobWatch;
  readonly onError: (failure: unknown) => void;
}

interface Watched {
  watchers: number;
  /** State at the last look. Undefined before the first one. */
  seen: string | undefined;
}

/** How often jobs that other processes may work on are read. */
const LOOK_MS = 1000;
const MAX_POLLED_AT_ONCE = 500;

/** Polls the jobs that are watched in this process, once for all watchers of a job. */
export class JobPolling {
  readonly #parts: JobPollingParts;
  readonly #watched = new Map<string, Watched>();
  #looking: Repetition | undefined;

  constructor(parts: JobPollingParts) {
    this.#parts = parts;
  }

  /** @param listener called when the job may have changed. @returns a function that stops it. */
  watch(jobId: string, listener: () => void): () => void {
    const forget = this.#parts.watch.watch(jobId, listener);
    const watched = this.#watched.get(jobId) ?? { watchers: 0, seen: undefined };
    watched.watchers += 1;
    this.#watched.set(jobId, watched);
    this.#looking ??= repeat(LOOK_MS, () => this.#look(), this.#parts.onError);
    return () => {
      forget();
      watched.watchers -= 1;
      if (watched.watchers === 0) this.#watched.delete(jobId);
      if (this.#watched.size > 0) return;
      void this.#looking?.stop();
      this.#looking = undefined;
    };
  }

  async #look(): Promise<void> {
    const ids = [...this.#watched.keys()];
    for (let from = 0; from < ids.length; from += MAX_POLLED_AT_ONCE)
      await this.#lookAt(ids.slice(from, from + MAX_POLLED_AT_ONCE));
  }

  async #lookAt(ids: readonly string[]): Promise<void> {
    const rows = await this.#parts.database
      .prepared<{ readonly id: string }>(
        `SELECT id, state, total, completed, failed, documents, credits_used, handed, turn, is_purged FROM job_runs
         WHERE id IN (${ids.map(() => "?").join(", ")})`,
      )
      .all(...ids);
    const found = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    for (const id of ids) {
      const watched = this.#watched.get(id);
      const seen = found.get(id) ?? "";
      if (!watched || watched.seen === seen) continue;
      watched.seen = seen;
      this.#parts.watch.changed(id);
    }
  }
}
