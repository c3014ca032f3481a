import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { openDatabase } from "../database/drivers.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import { openCoordinator } from "./drivers.ts";
import { openPostgresCoordinator } from "./postgres.ts";

const programs = findPostgres();

const fail = (failure: unknown): void => {
  throw failure;
};

describe.runIf(programs)("coordination through Postgres", () => {
  let server: PostgresServer;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server.stop());

  async function openMigrated(url: string) {
    const database = await openDatabase(url);
    await database.migrate();
    return database;
  }

  describeCoordinator(async (clock) => {
    const url = server.url(`suite_${(schemas += 1)}`);
    const [first, second] = [await openMigrated(url), await openMigrated(url)];
    const one = openPostgresCoordinator({ database: first, onError: fail, clock });
    const other = openPostgresCoordinator({ database: second, onError: fail, clock });
    return {
      one,
      other,
      async close() {
        await Promise.all([one.close(), other.close()]);
        await Promise.all([first.close(), second.close()]);
      },
    };
  });

  test("leases go by the clock of the server: the clocks of two machines may differ by ten minutes", async () => {
    const url = server.url(`suite_${(schemas += 1)}`);
    const [first, second] = [await openMigrated(url), await openMigrated(url)];
    const one = await openCoordinator({ url, database: first, onError: fail });
    const other = await openCoordinator({ url, database: second, onError: fail });
    const lease = await one.lease("work", 2000);
    const now = vi
      .spyOn(Date, "now")
      .mockImplementation(() => performance.timeOrigin + performance.now() + 600_000);
    try {
      expect(await other.lease("work", 2000)).toBeUndefined();
      // It is renewed meanwhile.
      await pause(2500);
      expect(await other.lease("work", 2000)).toBeUndefined();
    } finally {
      now.mockRestore();
    }
    await lease?.release();
    const next = await other.lease("work", 2000);
    expect(next).toBeDefined();
    await Promise.all([one.close(), other.close()]);
    await Promise.all([first.close(), second.close()]);
  });
});
