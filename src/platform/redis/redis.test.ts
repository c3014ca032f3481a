import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { RedisConnection } from "./redis-connection.ts";
import { findRedis, type RedisTestServer, startRedis } from "./redis-server.suite.ts";
import { readServer } from "./redis-server.ts";
import { parseRedisUrl } from "./redis-url.ts";

describe("the URL of a server", () => {
  test("names host, user, password and database, and TLS by its scheme", () => {
    expect(parseRedisUrl("rediss://me:p%40ss@redis.test:7000/3")).toEqual({
      host: "redis.test",
      port: 7000,
      user: "me",
      password: "p@ss",
      database: 3,
      tls: { ca: undefined },
    });
    expect(parseRedisUrl("redis://[::1]")).toMatchObject({
      host: "::1",
      port: 6379,
      database: 0,
      tls: undefined,
    });
  });

  test.each([
    ["http://a.test", "begins with redis://"],
    ["redis://", "needs a host"],
    ["redis://h/zero", "must be a number"],
    ["redis://h?db=1", "not db"],
    ["redis://h?sslrootcert=/x", "begins with rediss://"],
    ["rediss://h?sslrootcert=/nowhere/ca.pem", "could not be read"],
    ["redis://me:hunter2%@h", "%25"],
  ])("%s is refused without being quoted", (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(reason);
    expect(() => parseRedisUrl(url)).not.toThrow("hunter2");
  });
});

const GOOD = {
  redis_version: "7.0.15",
  run_id: "abc",
  loading: "0",
  role: "master",
  cluster_enabled: "0",
  maxmemory: "0",
  maxmemory_policy: "allkeys-lru",
};

function info(changes: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ ...GOOD, ...changes }).map(([name, value]) => `${name}:${value}`);
  return `# Server\r\n${fields.join("\r\n")}\r\n`;
}

describe("a server", () => {
  test("is known by its run and its version", () => {
    expect(readServer(info())).toEqual({ run: "abc", version: "Redis 7.0.15" });
    expect(readServer(info({ valkey_version: "8.1.0" })).version).toBe("Valkey 8.1.0");
  });

  test.each([
    [{ role: "slave" }, "replica"],
    [{ loading: "1" }, "loading"],
    [{ cluster_enabled: "1" }, "Cluster"],
    [{ maxmemory: "1000000" }, "noeviction"],
    [{ run_id: "" }, "run_id"],
  ])("that says %j is refused", (changes, reason) => {
    expect(() => readServer(info(changes))).toThrow(reason);
  });
});

const program = findRedis();

describe.runIf(program)("a connection", () => {
  let server: RedisTestServer;

  beforeAll(async () => {
    server = await startRedis(program ?? "");
  });
  afterAll(() => server.stop());

  const open = () => RedisConnection.open(parseRedisUrl(server.url));

  test("answers what is asked, and hears what is published", async () => {
    const [one, other] = [await open(), await open()];
    const heard: string[] = [];
    await one.hear("channel", (text) => heard.push(text));
    expect(await other.send("PUBLISH", "channel", "é")).toBe(1);
    await expect.poll(() => heard).toEqual(["é"]);
    expect(await one.send("GET", "nothing")).toBe(null);
    await expect(one.send("NONSENSE")).rejects.toThrow("unknown command");
    await one.look();
    for (const connection of [one, other]) connection.close();
    await expect(one.send("PING")).rejects.toThrow("was closed");
  });

  test("that is not answered in time is lost, and stays so", async () => {
    const connection = await open();
    server.stand();
    try {
      const asked = [connection.send("PING"), connection.send("PING")];
      for (const answer of asked) await expect(answer).rejects.toThrow("No answer from Redis within 1000 ms");
      expect(connection.lost.aborted).toBe(true);
    } finally {
      server.goOn();
    }
    await expect(connection.send("PING")).rejects.toThrow("No answer");
  });

  test("is refused without the password, which no error contains", async () => {
    await server.command("CONFIG", "SET", "requirepass", "hunter2");
    await expect(open()).rejects.toThrow("NOAUTH");
    const wrong = RedisConnection.open({ ...parseRedisUrl(server.url), password: "hunter3" });
    await expect(wrong).rejects.toThrow(/^(?!.*hunter)/);
    const right = await RedisConnection.open({ ...parseRedisUrl(server.url), password: "hunter2" });
    right.close();
  });

  test("to nobody fails at once", async () => {
    await server.crash();
    await expect(open()).rejects.toThrow("ECONNREFUSED");
  });
});
