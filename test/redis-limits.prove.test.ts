import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { LimitProcess, type LimitSetUp, mostAtOnce, mostInWindow, until } from "../soak/limit-processes.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../src/platform/database/postgres-server.suite.ts";
import { findRedis, type RedisTestServer, startRedis } from "../src/platform/redis/redis-server.suite.ts";

const postgresPrograms = findPostgres();
const redisProgram = findRedis();

const SLOT = { kind: "enter", slot: "team", limit: 5, users: 3, holdMs: 30, restMs: 0 } as const;
const RATE = { kind: "count", key: "team", limit: 200, windowMs: 4000, users: 2, restMs: 4 } as const;
/** The time of a heartbeat and some: as long as a dead process can hold others up. */
const MAX_WAIT_MS = 20_000;

describe.runIf(postgresPrograms && redisProgram)("limits of three processes on Redis", () => {
  let postgres: PostgresServer;
  let redis: RedisTestServer;
  let setUp: LimitSetUp;
  let living: LimitProcess[];
  const all: LimitProcess[] = [];

  async function start(): Promise<LimitProcess> {
    const opened = new LimitProcess(setUp);
    all.push(opened);
    await until(() => opened.isReady);
    opened.order(SLOT);
    opened.order(RATE);
    return opened;
  }

  const areOnRedis = () => living.every(({ isOnRedis }) => isOnRedis);

  /** Each of those that live has entered since. */
  async function goOn(): Promise<void> {
    const before = living.map(({ entered }) => entered.length);
    await until(() => living.every(({ entered }, index) => entered.length > (before[index] ?? 0) + 3));
  }

  beforeAll(async () => {
    postgres = await startPostgres(postgresPrograms ?? "");
    redis = await startRedis(redisProgram ?? "");
    setUp = { databaseUrl: postgres.url("limits"), redisUrl: redis.url, returnAfterMs: 20 };
    living = await Promise.all([start(), start(), start()]);
    await until(areOnRedis);
  }, 120_000);

  afterAll(async () => {
    for (const opened of all) await opened.kill();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  /** What happens to Redis; when it is over, limits are kept there again. */
  const incidents: Readonly<Record<string, () => Promise<void>>> = {
    "is flushed": async () => void (await redis.command("FLUSHALL")),
    async "is killed, and starts without data"() {
      await redis.crash();
      await goOn();
      await redis.start();
    },
    async "is killed, and starts with data of before"() {
      await redis.command("SAVE");
      await goOn();
      await redis.crash();
      await redis.start();
    },
    async "stands still"() {
      redis.stand();
      await until(() => !areOnRedis());
      await goOn();
      redis.goOn();
    },
    async "is out of memory"() {
      await redis.command("CONFIG", "SET", "maxmemory", "1");
      await until(() => !areOnRedis());
      await goOn();
      await redis.command("CONFIG", "SET", "maxmemory", "0");
    },
    async "is set to delete data when it is full"() {
      await redis.command("CONFIG", "SET", "maxmemory", "100mb");
      await redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru").catch(() => undefined);
      await until(() => !areOnRedis());
      await goOn();
      await configure("maxmemory-policy", "noeviction");
    },
    async "is flushed while a process is stopped"() {
      living[0]?.signal("SIGSTOP");
      await redis.command("FLUSHALL");
      await pause(1500);
      living[0]?.signal("SIGCONT");
    },
    async "is flushed when a process has just died"() {
      await living.pop()?.kill();
      await redis.command("FLUSHALL");
      living.push(await start());
    },
  };

  /** Also where the settings that hold keep others from using it. */
  async function configure(name: string, value: string): Promise<void> {
    const { createClient } = await import("@redis/client");
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.configSet(name, value);
    client.destroy();
  }

  test.each(Object.entries(incidents))(
    "are never exceeded when it %s, and everybody goes on",
    async (_name, happen) => {
      await happen();
      await goOn();
      await until(areOnRedis);
      await goOn();
      const visits = all.flatMap((one) => one.visits);
      expect(mostAtOnce(visits)).toBe(SLOT.limit);
      const passes = all.flatMap((one) => one.passes);
      expect(mostInWindow(passes, RATE.windowMs)).toBeLessThanOrEqual(RATE.limit * 1.02);
      const waits = all.flatMap((one) => one.entered.map(({ waitedMs }) => waitedMs));
      expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MS);
      const failures = all.flatMap((one) => one.failures);
      for (const failure of failures) expect(failure).toMatch(/^Redis cannot be used/);
    },
    120_000,
  );
});
