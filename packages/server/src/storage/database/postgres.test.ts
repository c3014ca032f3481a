import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { failAlone } from "./batch-writer.ts";
import type { Database } from "./database.ts";
import { addTeam, countTeams, describeDatabase } from "./database.suite.ts";
import { assertDatabaseUrl, openDatabase } from "./drivers.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres-server.suite.ts";
import { openPostgres } from "./postgres.ts";
import { describeOutages } from "./postgres-outages.suite.ts";
import { findPooler, type Pooler, startPooler } from "./pooler-server.suite.ts";
import { postgresSql } from "./postgres-pool.ts";
import { parsePostgresUrl } from "./postgres-url.ts";

const programs = findPostgres();
const pooler = findPooler();

describe.runIf(programs)("a Postgres database", () => {
  let server: PostgresServer;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server.stop());

  const nextUrl = () => server.url(`test_${(schemas += 1)}`);

  describeDatabase(async () => {
    const url = await server.migrated(`database_${(schemas += 1)}`);
    return { open: () => openDatabase(url), close: async () => undefined };
  });

  async function openMigrated(): Promise<Database> {
    return openDatabase(await server.migrated(`migrated_${(schemas += 1)}`));
  }

  test("is fit for the service, and what may lose commits is told", async () => {
    const database = await openMigrated();
    expect(await database.inspect?.()).toEqual([expect.stringContaining("fsync = off")]);
    await database.close();
  });

  test("programs that start at the same time run each migration once", async () => {
    const url = nextUrl();
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(url)));
    const found = await Promise.all(databases.map((database) => database.migrate()));
    expect(found.filter((version) => version === 0)).toHaveLength(1);
    await Promise.all(databases.map((database) => database.close()));
  });

  test("tables of two schemas do not meet", async () => {
    const [one, other] = [await openDatabase(nextUrl()), await openDatabase(nextUrl())];
    await Promise.all([one.migrate(), other.migrate()]);
    await one.prepared(addTeam).run("a", "A", 1);
    expect(await other.prepared(countTeams).get()).toMatchObject({ teams: 0 });
    await Promise.all([one.close(), other.close()]);
  });

  test("its clock is that of the server, which all programs share", async () => {
    const database = await openMigrated();
    expect(Math.abs((database.nowMs?.() ?? 0) - Date.now())).toBeLessThan(5000);
    await database.close();
  });

  describeOutages(() => ({ server, open: openMigrated }));

  test("a conflict that is told in other words is one, too: the transaction is run again", async () => {
    const url = await server.migrated(`wrapped_${(schemas += 1)}`);
    const [one, other] = [await openDatabase(url), await openDatabase(url)];
    await one.prepared(addTeam).run("a", "A", 1);
    const rename = "UPDATE teams SET name = ? WHERE id = 'a'";
    let tries = 0;
    await one.transaction(async (tx) => {
      tries += 1;
      await tx.prepared(countTeams).get();
      if (tries === 1) await other.prepared(rename).run("B");
      await tx.prepared(rename).run("C").catch(failAlone);
    });
    expect(tries).toBe(2);
    await Promise.all([one.close(), other.close()]);
  });

  test("a statement that waits for who waits for it is run again", async () => {
    const url = await server.migrated(`deadlock_${(schemas += 1)}`);
    const [one, other] = [await openDatabase(url), await openDatabase(url)];
    for (const id of ["a", "b"]) await one.prepared(addTeam).run(id, id, 1);
    const rename = "UPDATE teams SET name = ? WHERE id IN (?, ?)";
    let writing: Promise<number> | undefined;
    await other.transaction(
      async (tx) => {
        await tx.prepared(rename).run("of the other", "b", "b");
        // It has the first row and waits for the second; the server ends who has waited longer.
        writing = one.prepared(rename).run("of the one", "a", "b");
        await pause(300);
        await tx.prepared(rename).run("of the other", "a", "a");
      },
      { locksItsRows: true },
    );
    expect(await writing).toBe(2);
    await Promise.all([one.close(), other.close()]);
  });

  test("connections to a server that has become read-only are left for others", async () => {
    const url = await server.migrated(`standby_${(schemas += 1)}`);
    const operator = await openDatabase(url);
    const setReadOnly = (value: string) =>
      operator
        .prepared(`ALTER DATABASE standby_${schemas} SET default_transaction_read_only = ${value}`)
        .run();
    await setReadOnly("on");
    const database = await openDatabase(url);
    const writing = database.transaction((tx) => tx.prepared(addTeam).run("a", "A", 1));
    await pause(300);
    await setReadOnly("off");
    await writing;
    expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 1 });
    await Promise.all([database.close(), operator.close()]);
  });

  test("where nobody is at the other end of connections any more, others take their place", async () => {
    const url = await server.migrated(`silent_${(schemas += 1)}`);
    const database = openPostgres(url, { answerLimitMs: 1000 });
    const held = Array.from({ length: 3 }, () =>
      database.prepared<{ pid: number }>("SELECT pg_backend_pid() AS pid, pg_sleep(0.2)").get(),
    );
    const backends = (await Promise.all(held)).map((row) => row?.pid ?? 0);
    for (const pid of backends) process.kill(pid, "SIGSTOP");
    await database.transaction((tx) => tx.prepared(addTeam).run("a", "A", 1));
    await Promise.all(held.map(() => database.prepared(countTeams).get()));
    for (const pid of backends) process.kill(pid, "SIGCONT");
    expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 1 });
    await database.close();
  });

  describe.runIf(pooler)("behind a pooler in transaction mode", () => {
    let pooled: Pooler;
    beforeAll(async () => {
      pooled = await startPooler(pooler ?? "", server);
    });
    afterAll(() => pooled.stop());

    describeDatabase(async () => {
      const directUrl = await server.migrated(`database_${(schemas += 1)}`);
      return {
        open: () => openDatabase(pooled.through(directUrl), { directUrl }),
        close: async () => undefined,
      };
    });

    async function openPooled(): Promise<Database> {
      const directUrl = await server.migrated(`pooled_${(schemas += 1)}`);
      return openDatabase(pooled.through(directUrl), { directUrl });
    }

    describeOutages(() => ({ server, open: openPooled }));

    test("nothing is kept in connections, which other clients get", async () => {
      const database = await openPooled();
      await database.prepared(addTeam).run("a", "A", 1);
      const kept = await database.prepared("SELECT count(*) AS statements FROM pg_prepared_statements").get();
      expect(kept).toMatchObject({ statements: 0 });
      await database.close();
    });
  });
});

describe("the URL of a Postgres database", () => {
  test("says where it is, and who comes", () => {
    expect(parsePostgresUrl("postgres://me:p%40ss@db.test:6000/data?schema=own&sslmode=disable")).toEqual({
      host: "db.test",
      port: 6000,
      user: "me",
      password: "p@ss",
      database: "data",
      schema: "own",
      tls: undefined,
    });
  });

  test.each([
    ["postgresql://me@db.test/x", { ca: undefined }],
    ["postgres://me@db.test/x?sslmode=require", { ca: undefined }],
    ["postgres://me@127.0.0.1/x?sslmode=verify-full", { ca: undefined }],
    ["postgres://me@localhost/x", undefined],
    ["postgres://me@[::1]/x", undefined],
    ["postgres://me@localhost/x?host=/run/postgresql", undefined],
  ])("%s is encrypted and verified unless it is this machine", (url, tls) => {
    expect(parsePostgresUrl(url).tls).toEqual(tls);
  });

  test.each([
    ["postgres://me:hunter2@db.test/x?sslmode=no-verify", "sslmode must be verify-full"],
    ["postgres://me:hunter2@db.test/x?sslmode=prefer", "sslmode must be verify-full"],
    ["postgres://me:hunter2@db.test/x?sslrootcert=/nowhere.pem", "/nowhere.pem could not be read"],
    ["postgres://me:hunter2@db.test/x?application_name=y", "not application_name"],
    ["postgres://me:hunter2@db.test/x?schema=a;drop", "The schema of a Postgres URL"],
    ["postgres://me:hunter2@db.test", "needs a user and a database"],
    ["postgres://db.test/x", "needs a user and a database"],
    ["postgres://me:hunter2@/x", "is not a valid Postgres URL"],
    ["postgres://me:hunter2@db.test:x/x", "is not a valid Postgres URL"],
  ])("%s is refused, without its password", (url, message) => {
    expect(() => assertDatabaseUrl(url)).toThrow(message);
    expect(() => assertDatabaseUrl(url)).toThrow(/^(?!.*hunter2)/s);
  });
});

test.each([
  [
    "SELECT '?' AS a, \"?\" FROM b WHERE c = ? AND d = ?",
    "SELECT '?' AS a, \"?\" FROM b WHERE c = $1 AND d = $2",
  ],
  [
    "SELECT a FROM b WHERE c LIKE ? AND d = 'it''s LIKE ?'",
    "SELECT a FROM b WHERE c ILIKE $1 AND d = 'it''s LIKE ?'",
  ],
  [
    "CREATE TABLE a (text text NOT NULL, b bigint)",
    'CREATE TABLE a (text text COLLATE "C" NOT NULL, b bigint)',
  ],
  ["UPDATE a SET text = ?", "UPDATE a SET text = $1"],
])("%s is told to Postgres in its own way", (sql, told) => {
  expect(postgresSql(sql)).toBe(told);
});
