import { setTimeout as pause } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.suite.ts";
import { openSharedSchema, type SharedSchema } from "./coordination-rows.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import { openDatabaseCoordinator } from "./database.ts";
import { openCoordinator } from "./drivers.ts";

const programs = findPostgres();

const fail = (failure: unknown): void => {
  throw failure;
};

describe.runIf(programs)("coordination through Postgres", () => {
  let server: PostgresServer;
  let schema: SharedSchema;
  let url = "";

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    url = server.url("suite");
    schema = await openSharedSchema(url);
  });
  afterEach(() => schema.clean());
  afterAll(async () => {
    await schema.close();
    await server.stop();
  });

  describeCoordinator(async (clock) => {
    const [first, second] = schema.databases;
    const one = openDatabaseCoordinator({ database: first, onError: fail, clock });
    const other = openDatabaseCoordinator({ database: second, onError: fail, clock });
    return { one, other, close: () => Promise.all([one.close(), other.close()]).then(() => undefined) };
  });

  test("leases go by the clock of the server: the clocks of two machines may differ by ten minutes", async () => {
    const [first, second] = schema.databases;
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
  });
});
