import { afterAll, beforeAll, describe, expect } from "vitest";

import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/drivers.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.suite.ts";
import { findRedis, type RedisTestServer, startRedis } from "../redis/redis-server.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import { openPostgresCoordinator } from "./postgres.ts";

const postgresPrograms = findPostgres();
const redisProgram = findRedis();

const fail = (failure: unknown): void => {
  throw failure;
};

describe.runIf(postgresPrograms && redisProgram)("coordination through Postgres and Redis", () => {
  let postgres: PostgresServer;
  let redis: RedisTestServer;
  let schemas = 0;

  beforeAll(async () => {
    postgres = await startPostgres(postgresPrograms ?? "");
    redis = await startRedis(redisProgram ?? "");
  });
  afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

  async function openProcess(url: string, clock?: () => number) {
    const database: Database = await openDatabase(url);
    await database.migrate();
    const coordinator = openPostgresCoordinator({ database, redisUrl: redis.url, onError: fail, clock });
    await expect.poll(() => coordinator.redis?.isUsed(), { timeout: 10_000 }).toBe(true);
    return {
      coordinator,
      async close() {
        await coordinator.close();
        await database.close();
      },
    };
  }

  describeCoordinator(async (clock) => {
    const url = postgres.url(`suite_${(schemas += 1)}`);
    const [one, other] = [await openProcess(url, clock), await openProcess(url, clock)];
    return {
      one: one.coordinator,
      other: other.coordinator,
      close: () => Promise.all([one.close(), other.close()]).then(() => undefined),
    };
  });
});
