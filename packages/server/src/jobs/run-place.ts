import { lazy } from "@pergamon-dev/kit/lazy";
import type { HeldBodies } from "../api/held-bodies.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Jobs } from "./queue/jobs.ts";
import { getRun, type JobRun } from "./run-rows.ts";
import type { RunWatch } from "./run-watch.ts";
import type { Outbox } from "./webhooks/outbox.ts";

/** Where runs live: the database of the service, or memory, which stores nothing of them. */
export interface JobStore {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  /** The queue that runs its tasks. */
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly isLasting: boolean;
  /** Counts the documents that are held in memory. */
  readonly bodies: HeldBodies;
  /** How long documents are kept after the end of their run. */
  readonly retentionMs: number;
  /**
   * Runs the work in the given transaction of the service's database, or in a transaction of its own for runs
   * in memory.
   */
  within<T>(tx: Statements, work: (tx: Statements) => Promise<T>): Promise<T>;
  /** Calls the listener for each change of a run. @returns a function that stops it. */
  watch(runId: string, listener: () => void): () => void;
}

export interface PlacedRun {
  readonly run: JobRun;
  readonly place: JobStore;
}

interface RunPlacesParts {
  readonly watch: Pick<RunWatch, "watchAll">;
  readonly processName: () => Promise<string | undefined>;
}

/** The stores of all runs. */
export class RunPlaces {
  readonly lasting: JobStore;
  readonly #fleeting: () => Promise<JobStore>;
  readonly #watch: Pick<RunWatch, "watchAll">;
  /** Name of this process. Undefined where other processes cannot ask it. */
  readonly processName: () => Promise<string | undefined>;
  #hasFleeting = false;

  /**
   * @param openFleeting called once, for the first run that must not be stored.
   * @param watch reports changes of the runs in all stores.
   */
  constructor(
    lasting: JobStore,
    openFleeting: () => Promise<JobStore>,
    { watch, processName }: RunPlacesParts,
  ) {
    this.lasting = lasting;
    this.processName = processName;
    this.#watch = watch;
    this.#fleeting = lazy(openFleeting);
  }

  fleeting(): Promise<JobStore> {
    this.#hasFleeting = true;
    return this.#fleeting();
  }

  /** Calls the listener for each change of a run of this process. @returns a function that stops it. */
  watchAll(listener: (runId: string) => void): () => void {
    return this.#watch.watchAll(listener);
  }

  /** Stores that may have runs. */
  async all(): Promise<readonly JobStore[]> {
    return this.#hasFleeting ? [await this.#fleeting(), this.lasting] : [this.lasting];
  }

  async find(id: string): Promise<PlacedRun | undefined> {
    for (const place of await this.all()) {
      const run = await getRun(place.database, id);
      if (run) return { run, place };
    }
    return undefined;
  }
}
