import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { writeMigratedFile } from "../storage/database/migrated-file.suite.ts";
import { openDatabaseQueue } from "./queue/database-queue.ts";
import { MortalProcess, ProcessLeases } from "./queue/mortal-process.suite.ts";
import { CountingFamily, type MakePage } from "./counting-family.suite.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { JobInsert } from "./job-rows.ts";
import { noEvents, type JobEvents } from "./job-events.ts";

/** A process of a service with runs of one family. */
export interface JobsProcess {
  readonly process: MortalProcess;
  readonly dispatcher: Dispatcher;
  readonly family: CountingFamily;
  /** Starts a job with so many pages. */
  start(job: Partial<JobInsert> & { readonly id: string }, pages: number): Promise<void>;
}

interface JobsProcessOptions {
  readonly make?: MakePage | undefined;
  readonly slots?: number;
  readonly events?: (process: MortalProcess) => JobEvents;
}

/** One database, a clock that is moved by hand, and processes over it. */
export class JobsWorld {
  readonly clock = new ManualClock();
  readonly database: Database;
  readonly #folder: string;
  readonly #leases = new ProcessLeases(this.clock);
  readonly #processes: MortalProcess[] = [];

  private constructor(folder: string, database: Database) {
    this.#folder = folder;
    this.database = database;
  }

  static async open(): Promise<JobsWorld> {
    const folder = await mkdtemp(join(tmpdir(), "runs-"));
    await writeMigratedFile(join(folder, "test.db"));
    const database = await openDatabase(`sqlite:${join(folder, "test.db")}`);
    await database.migrate();
    await CountingFamily.createTable(database);
    return new JobsWorld(folder, database);
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.end();
    await this.database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A process that starts: it knows who has died. */
  async openService({ make, slots = 100, events }: JobsProcessOptions = {}): Promise<JobsProcess> {
    this.#leases.releaseDead();
    const own = await openDatabase(`sqlite:${join(this.#folder, "test.db")}`);
    const process = new MortalProcess(own, this.#leases, this.clock, openDatabaseQueue);
    this.#processes.push(process);
    const told = events?.(process) ?? noEvents;
    const dispatcher = new Dispatcher({
      database: process.database,
      queue: process.queue,
      clock: this.clock,
      events: told,
      slots,
    });
    const family = new CountingFamily("batch", process.database, dispatcher, make);
    const start: JobsProcess["start"] = (job, pages) =>
      process.database.transaction(async (tx) => {
        await family.write(tx, job.id, pages);
        const linkBase = "http://service.test";
        const given = { keyId: undefined, family: "batch", options: "{}", linkBase, teamConcurrency: 4 };
        await dispatcher.start(tx, { ...given, total: pages, teamId: "team", ...job });
      });
    return { process, dispatcher, family, start };
  }
}
