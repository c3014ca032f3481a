import { afterAll, beforeAll, describe } from "vitest";

import { ManualClock } from "../../storage/clock/manual-clock.suite.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../../storage/database/postgres-server.suite.ts";
import { WatchedDatabases } from "../../storage/database/watched-database.suite.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import { describeQueue, type QueueProcess, type QueueWorld } from "./task-queue.suite.ts";
import { MortalProcess, ProcessLeases } from "./mortal-process.suite.ts";

const programs = findPostgres();

describe.runIf(programs)("jobs in Postgres", () => {
  let server: PostgresServer;
  let worlds = 0;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server.stop());

  describeQueue(async () => openWorld(await server.migrated(`jobs_${(worlds += 1)}`)));
});

async function openWorld(url: string): Promise<QueueWorld> {
  const databases = new WatchedDatabases();
  const clock = new ManualClock();
  const leases = new ProcessLeases(clock);
  const own = databases.watch(await openDatabase(url));
  const processes = new Map<MortalProcess, Database>();
  /** A dead process says nothing more over its connections: to open them again takes most of the time of a test. */
  const ofTheDead = (): Database | undefined => {
    for (const [process, connections] of processes) {
      if (process.isKilled && processes.delete(process)) return connections;
    }
    return undefined;
  };
  return {
    clock,
    database: own,
    async open(): Promise<QueueProcess> {
      leases.releaseDead();
      const connections = ofTheDead() ?? (await openDatabase(url));
      const process = new MortalProcess(databases.watch(connections), leases, clock, openDatabaseQueue);
      processes.set(process, connections);
      return process;
    },
    async close() {
      for (const process of processes.keys()) await process.end();
      await own.close();
      databases.close();
    },
  };
}
