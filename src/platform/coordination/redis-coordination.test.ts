import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import type { Database } from "../database/database.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.suite.ts";
import { findRedis, findValkey, type RedisTestServer, startRedis } from "../redis/redis-server.suite.ts";
import { openSharedSchema, type SharedSchema } from "./coordination-rows.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import { openPostgresCoordinator } from "./postgres.ts";

const postgresPrograms = findPostgres();
const servers = [
  ["Redis", findRedis()],
  ["Valkey", findValkey()],
] as const;

const fail = (failure: unknown): void => {
  throw failure;
};

describe.each(servers)("coordination through Postgres and %s", (_name, program) => {
  if (!postgresPrograms || program === undefined) return test.skip("is not installed");
  let postgres: PostgresServer;
  let redis: RedisTestServer;
  let schema: SharedSchema;

  beforeAll(async () => {
    postgres = await startPostgres(postgresPrograms);
    redis = await startRedis(program);
    schema = await openSharedSchema(postgres.url("suite"));
  });
  afterEach(() => schema.clean());
  afterAll(async () => {
    await schema.close();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  async function openOnRedis(database: Database, clock?: () => number) {
    const coordinator = openPostgresCoordinator({ database, redisUrl: redis.url, onError: fail, clock });
    await expect.poll(() => coordinator.redis?.isUsed(), { timeout: 10_000, interval: 10 }).toBe(true);
    return coordinator;
  }

  describeCoordinator(async (clock) => {
    const [first, second] = schema.databases;
    const [one, other] = [await openOnRedis(first, clock), await openOnRedis(second, clock)];
    return { one, other, close: () => Promise.all([one.close(), other.close()]).then(() => undefined) };
  });
});
