import { lazy } from "@pergamon-dev/kit/lazy";
import type { HeldBodies } from "../api/held-bodies.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { TaskQueue } from "./queue/task-queue.ts";
import { getJob, type Job } from "./job-rows.ts";
import type { JobWatch } from "./job-watch.ts";
import type { Outbox } from "./webhooks/outbox.ts";

/** Where jobs live: the database of the service, or memory, which stores nothing of them. */
export interface JobStore {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  /** The queue that runs its tasks. */
  readonly queue: TaskQueue;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly isPersistent: boolean;
  /** Counts the documents that are held in memory. */
  readonly bodies: HeldBodies;
  /** How long documents are kept after the end of their job. */
  readonly retentionMs: number;
  /**
   * Runs the work in the given transaction of the service's database, or in a transaction of its own for jobs
   * in memory.
   */
  within<T>(tx: Statements, work: (tx: Statements) => Promise<T>): Promise<T>;
  /** Calls the listener for each change of a job. @returns a function that stops it. */
  watch(jobId: string, listener: () => void): () => void;
}

export interface StoredJob {
  readonly job: Job;
  readonly store: JobStore;
}

interface JobStoresParts {
  readonly watch: Pick<JobWatch, "watchAll">;
  readonly processName: () => Promise<string | undefined>;
}

/** The stores of all jobs. */
export class JobStores {
  readonly persistent: JobStore;
  readonly #inMemory: () => Promise<JobStore>;
  readonly #watch: Pick<JobWatch, "watchAll">;
  /** Name of this process. Undefined where other processes cannot ask it. */
  readonly processName: () => Promise<string | undefined>;
  #hasInMemory = false;

  /**
   * @param openInMemory called once, for the first job that must not be stored.
   * @param watch reports changes of the runs in all stores.
   */
  constructor(
    lasting: JobStore,
    openInMemory: () => Promise<JobStore>,
    { watch, processName }: JobStoresParts,
  ) {
    this.persistent = lasting;
    this.processName = processName;
    this.#watch = watch;
    this.#inMemory = lazy(openInMemory);
  }

  fleeting(): Promise<JobStore> {
    this.#hasInMemory = true;
    return this.#inMemory();
  }

  /** Calls the listener for each change of a job of this process. @returns a function that stops it. */
  watchAll(listener: (jobId: string) => void): () => void {
    return this.#watch.watchAll(listener);
  }

  /** Stores that may have runs. */
  async all(): Promise<readonly JobStore[]> {
    return this.#hasInMemory ? [await this.#inMemory(), this.persistent] : [this.persistent];
  }

  async find(id: string): Promise<StoredJob | undefined> {
    for (const store of await this.all()) {
      const job = await getJob(store.database, id);
      if (job) return { job, store };
    }
    return undefined;
  }
}
