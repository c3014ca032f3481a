import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { writeMigratedFile } from "../storage/database/migrated-file.suite.ts";
import { openDatabaseJobs } from "./queue/database-jobs.ts";
import { MortalProcess, ProcessLeases } from "./queue/mortal-process.suite.ts";
import { CountingFamily, type MakePage } from "./counting-family.suite.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { NewRun } from "./run-rows.ts";
import { noEvents, type RunEvents } from "./run-events.ts";

/** A process of a service with runs of one family. */
export interface RunService {
  readonly process: MortalProcess;
  readonly dispatcher: Dispatcher;
  readonly family: CountingFamily;
  /** Starts a run with so many pages. */
  start(run: Partial<NewRun> & { readonly id: string }, pages: number): Promise<void>;
}

interface RunServiceOptions {
  readonly make?: MakePage | undefined;
  readonly slots?: number;
  readonly events?: (process: MortalProcess) => RunEvents;
}

/** One database, a clock that is moved by hand, and processes over it. */
export class RunWorld {
  readonly clock = new ManualClock();
  readonly database: Database;
  readonly #folder: string;
  readonly #leases = new ProcessLeases(this.clock);
  readonly #processes: MortalProcess[] = [];

  private constructor(folder: string, database: Database) {
    this.#folder = folder;
    this.database = database;
  }

  static async open(): Promise<RunWorld> {
    const folder = await mkdtemp(join(tmpdir(), "runs-"));
    await writeMigratedFile(join(folder, "test.db"));
    const database = await openDatabase(`sqlite:${join(folder, "test.db")}`);
    await database.migrate();
    await CountingFamily.createTable(database);
    return new RunWorld(folder, database);
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.end();
    await this.database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A process that starts: it knows who has died. */
  async openService({ make, slots = 100, events }: RunServiceOptions = {}): Promise<RunService> {
    this.#leases.releaseDead();
    const own = await openDatabase(`sqlite:${join(this.#folder, "test.db")}`);
    const process = new MortalProcess(own, this.#leases, this.clock, openDatabaseJobs);
    this.#processes.push(process);
    const told = events?.(process) ?? noEvents;
    const dispatcher = new Dispatcher({
      database: process.database,
      jobs: process.jobs,
      clock: this.clock,
      events: told,
      slots,
    });
    const family = new CountingFamily("batch", process.database, dispatcher, make);
    const start: RunService["start"] = (run, pages) =>
      process.database.transaction(async (tx) => {
        await family.write(tx, run.id, pages);
        const linkBase = "http://service.test";
        const given = { keyId: undefined, family: "batch", options: "{}", linkBase, teamConcurrency: 4 };
        await dispatcher.start(tx, { ...given, total: pages, teamId: "team", ...run });
      });
    return { process, dispatcher, family, start };
  }
}
