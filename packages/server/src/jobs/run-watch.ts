import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import type { Database } from "../storage/database/database.ts";

/** Listeners to changes of runs. */
export class RunWatch {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #ofAll = new Set<(runId: string) => void>();

  /** @returns a function that stops it. */
  watch(runId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(runId);
    };
  }

  /** @param listener called with the id of each changed run. @returns a function that stops it. */
  watchAll(listener: (runId: string) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  /** Call this in the transaction of the change. It calls listeners after the transaction. */
  changed(runId: string): void {
    const listeners = this.#listeners.get(runId);
    if (!listeners && this.#ofAll.size === 0) return;
    setImmediate(() => {
      listeners?.forEach((listener) => listener());
      this.#ofAll.forEach((listener) => listener(runId));
    });
  }
}

interface RunLooksParts {
  readonly database: Database;
  readonly watch: RunWatch;
  readonly onError: (failure: unknown) => void;
}

interface Watched {
  watchers: number;
  /** State at the last look. Undefined before the first one. */
  seen: string | undefined;
}

/** How often runs that other processes may work on are read. */
const LOOK_MS = 1000;
const RUNS_AT_ONCE = 500;

/** Polls the runs that are watched in this process, once for all watchers of a run. */
export class RunLooks {
  readonly #parts: RunLooksParts;
  readonly #watched = new Map<string, Watched>();
  #looking: Repetition | undefined;

  constructor(parts: RunLooksParts) {
    this.#parts = parts;
  }

  /** @param listener called when the run may have changed. @returns a function that stops it. */
  watch(runId: string, listener: () => void): () => void {
    const forget = this.#parts.watch.watch(runId, listener);
    const watched = this.#watched.get(runId) ?? { watchers: 0, seen: undefined };
    watched.watchers += 1;
    this.#watched.set(runId, watched);
    this.#looking ??= repeat(LOOK_MS, () => this.#look(), this.#parts.onError);
    return () => {
      forget();
      watched.watchers -= 1;
      if (watched.watchers === 0) this.#watched.delete(runId);
      if (this.#watched.size > 0) return;
      void this.#looking?.stop();
      this.#looking = undefined;
    };
  }

  async #look(): Promise<void> {
    const ids = [...this.#watched.keys()];
    for (let from = 0; from < ids.length; from += RUNS_AT_ONCE)
      await this.#lookAt(ids.slice(from, from + RUNS_AT_ONCE));
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
