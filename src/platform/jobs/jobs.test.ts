import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe } from "vitest";

import { ManualClock } from "../clock/manual-clock.suite.ts";
import { openDatabase } from "../database/drivers.ts";
import { writeMigratedFile } from "../database/migrated-file.suite.ts";
import { openDatabaseJobs } from "./database-jobs.ts";
import { describeJobs, type JobsProcess, type JobsWorld } from "./jobs.suite.ts";
import { MortalProcess, ProcessLeases } from "./mortal-process.suite.ts";

describe("jobs in SQLite", () => {
  describeJobs(openWorld);
});

async function openWorld(): Promise<JobsWorld> {
  const folder = await mkdtemp(join(tmpdir(), "jobs-"));
  const clock = new ManualClock();
  const leases = new ProcessLeases(clock);
  const url = `sqlite:${join(folder, "test.db")}`;
  await writeMigratedFile(join(folder, "test.db"));
  const own = await openDatabase(url);
  await own.migrate();
  const processes: MortalProcess[] = [];
  return {
    clock,
    database: own,
    async open(): Promise<JobsProcess> {
      const database = await openDatabase(url);
      // One machine: who starts knows who has died.
      leases.releaseDead();
      const process = new MortalProcess(database, leases, clock, openDatabaseJobs);
      processes.push(process);
      return process;
    },
    async close() {
      for (const process of processes) await process.end();
      await own.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
