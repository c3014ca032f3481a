import { lazy } from "@pergamon-dev/kit/lazy";
import type { HeldBodies } from "../api/held-bodies.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { getRun, type JobRun } from "./run-rows.ts";
import type { RunWatch } from "./run-watch.ts";

/** Where runs live: in the database of the service, or in memory, where nothing of them is kept. */
export interface JobStore {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly isLasting: boolean;
  /** Documents that are read count there. */
  readonly bodies: HeldBodies;
  /** How long documents are there after the end of their run. */
  readonly retentionMs: number;
  /** Runs the work in a transaction of the service's database, or in one of its own where runs do not last. */
  within<T>(tx: Statements, work: (tx: Statements) => Promise<T>): Promise<T>;
  /** Tells each time that something of a run is different. @returns what ends that. */
  watch(runId: string, listener: () => void): () => void;
}

/** A run, and where it lives. */
export interface PlacedRun {
  readonly run: JobRun;
  readonly place: JobStore;
}

interface RunPlacesParts {
  readonly watch: Pick<RunWatch, "watchAll">;
  readonly processName: () => Promise<string | undefined>;
}

/** All places of runs. */
export class RunPlaces {
  readonly lasting: JobStore;
  readonly #fleeting: () => Promise<JobStore>;
  readonly #watch: Pick<RunWatch, "watchAll">;
  /** Name of this process; undefined where others cannot ask it. */
  readonly processName: () => Promise<string | undefined>;
  #hasFleeting = false;

  /**
   * @param openFleeting called once, for the first run of which nothing may be kept.
   * @param watch tells of the runs of all places.
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

  /** Tells each time that something of a run of this process is different. @returns what ends that. */
  watchAll(listener: (runId: string) => void): () => void {
    return this.#watch.watchAll(listener);
  }

  /** Those that may have runs. */
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
