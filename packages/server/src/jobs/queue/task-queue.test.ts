import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { systemClock } from "../../storage/clock/clock.ts";
import { ManualClock } from "../../storage/clock/manual-clock.suite.ts";
import { openMemoryCoordinator } from "../../storage/coordination/memory.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { writeMigratedFile } from "../../storage/database/migrated-file.suite.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import { describeQueue, type QueueProcess, type QueueWorld } from "./task-queue.suite.ts";
import { MortalProcess, ProcessLeases } from "./mortal-process.suite.ts";

describe("tasks in SQLite", () => {
  describeQueue(openWorld);
});

test("an outage ends although timers fire a little early", async () => {
  const database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const clock = { ...systemClock, after: (ms: number, then: () => void) => systemClock.after(ms - 20, then) };
  const failures: unknown[] = [];
  const onError = (failure: unknown) => void failures.push(failure);
  const queue = openDatabaseQueue({ database, coordinator: openMemoryCoordinator(), onError, clock });
  const tried = new Set<string>();
  const made: string[] = [];
  queue.work({
    kind: "page",
    slots: 10,
    attempts: 3,
    async run({ payload }) {
      if (tried.has(payload)) made.push(payload);
      else {
        tried.add(payload);
        throw new PartAway("disk", undefined);
      }
      return undefined;
    },
    giveUp: async () => undefined,
  });
  const added = ["a", "b", "c"].map((payload) => ({ kind: "page", group: "g", payload }));
  await database.transaction((tx) => queue.add(tx, added));
  await expect.poll(() => made.length, { timeout: 5000 }).toBe(3);
  await queue.close();
  await database.close();
  expect(failures).toEqual([]);
});

async function openWorld(): Promise<QueueWorld> {
  const folder = testFolder();
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
    async open(): Promise<QueueProcess> {
      const database = await openDatabase(url);
      // One machine: who starts knows who has died.
      leases.releaseDead();
      const process = new MortalProcess(database, leases, clock, openDatabaseQueue);
      processes.push(process);
      return process;
    },
    async close() {
      for (const process of processes) await process.end();
      await own.close();
    },
  };
}
