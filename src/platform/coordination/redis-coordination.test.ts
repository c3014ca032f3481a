import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";

import type { Database } from "../database/database.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.suite.ts";
import { findRedis, findValkey, type RedisTestServer, startRedis } from "../redis/redis-server.suite.ts";
import { openSharedSchema, type SharedSchema } from "./coordination-rows.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import { openPostgresCoordinator } from "./postgres.ts";

const postgresPrograms = findPostgres();
const redis = findRedis();
const valkey = findValkey();

const fail = (failure: unknown): void => {
  throw failure;
};

describe.runIf(postgresPrograms && redis)("coordination through Postgres and Redis", () => {
  describeServer(redis ?? "");
});

describe.runIf(postgresPrograms && valkey)("coordination through Postgres and Valkey", () => {
  describeServer(valkey ?? "");
});

function describeServer(program: string): void {
  let postgres: PostgresServer;
  let server: RedisTestServer;
  let schema: SharedSchema;

  beforeAll(async () => {
    postgres = await startPostgres(postgresPrograms ?? "");
    server = await startRedis(program);
    schema = await openSharedSchema(postgres.url("suite"));
  });
  afterEach(() => schema.clean());
  afterAll(async () => {
    await schema.close();
    await Promise.all([postgres.stop(), server.stop()]);
  });

  async function openOnRedis(database: Database, clock?: () => number) {
    const coordinator = openPostgresCoordinator({ database, redisUrl: server.url, onError: fail, clock });
    await expect.poll(() => coordinator.redis?.isUsed(), { timeout: 10_000, interval: 10 }).toBe(true);
    return coordinator;
  }

  describeCoordinator(async (clock) => {
    const [first, second] = schema.databases;
    const [one, other] = [await openOnRedis(first, clock), await openOnRedis(second, clock)];
    return { one, other, close: () => Promise.all([one.close(), other.close()]).then(() => undefined) };
  });
}
