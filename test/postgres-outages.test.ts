import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { HoldOwner } from "../packages/server/src/accounts/abandoned-holds.ts";
import { type Credits, openCredits } from "../packages/server/src/accounts/credits.ts";
import { auditLedger } from "../packages/server/src/accounts/ledger-audit.ts";
import { createTeam, getTeam } from "../packages/server/src/accounts/teams.ts";
import { ownFailure } from "../packages/kit/src/process/own-failure.ts";
import { uuidV7 } from "../packages/kit/src/uuid.ts";
import { openMemoryCoordinator } from "../packages/server/src/storage/coordination/memory.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { migrate } from "../packages/server/src/storage/database/migrate.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../packages/server/src/storage/database/postgres-server.suite.ts";

const programs = findPostgres();
const CONNECTIONS = 20;
const SOCKET = ".s.PGSQL.5432";
const LATE_MS = 30;

describe.runIf(programs)("a Postgres database that", () => {
  let server: PostgresServer;
  let database: Database;
  /** By one test: connections are few. */
  const opened: Database[] = [];

  beforeAll(async () => {
    const settings = [`max_connections=${CONNECTIONS}`, "superuser_reserved_connections=0"];
    server = await startPostgres(programs ?? "", settings);
    database = await openDatabase(server.url("outages"));
    await database.migrate();
  }, 120_000);
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  async function open(url: string): Promise<Database> {
    const one = await openDatabase(url);
    opened.push(one);
    return one;
  }

  const folder = (): string => new URL(server.url("any")).searchParams.get("host") ?? "";

  async function teamWith(credits: Credits, amount: number): Promise<string> {
    const { id } = await createTeam(database, { name: "team" });
    await credits.topUp(id, amount);
    return id;
  }

  async function charge(credits: Credits, teamId: string): Promise<boolean> {
    const team = await getTeam(database, teamId);
    const held = await credits.hold({ id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount: 1 });
    return held.charge(1);
  }

  const creditsOver = (one: Database): Credits =>
    openCredits({ database: one, owner: new HoldOwner(openMemoryCoordinator()) });

  /** Takes every connection that is left. */
  async function occupy(): Promise<readonly Client[]> {
    const taken: Client[] = [];
    for (;;) {
      const client = new Client({ host: folder(), user: "pergamon", database: "postgres" });
      client.on("error", () => undefined);
      try {
        await client.connect();
      } catch {
        return taken;
      }
      taken.push(client);
    }
  }

  test("has no connection left is waited for, and after some seconds that is told", async () => {
    const late = await open(server.url("outages"));
    const taken = await occupy();
    const count = () => late.prepared<{ teams: number }>("SELECT count(*) AS teams FROM teams").get();
    const asked = count();
    await pause(200);
    await Promise.all(taken.map((client) => client.end()));
    expect(await asked).toMatchObject({ teams: expect.any(Number) as number });
    await late.close();
    const later = await open(server.url("outages"));
    const again = await occupy();
    await expect(later.ping()).rejects.toThrow(/too many clients/);
    await Promise.all(again.map((client) => client.end()));
  }, 120_000);

  test("is away is the service's own failure, and told at once after the first time", async () => {
    const asking = await open(server.url("outages"));
    const count = () => asking.prepared("SELECT count(*) AS teams FROM teams").get();
    await count();
    await server.crash();
    try {
      const failure: unknown = await count().catch((thrown: unknown) => thrown);
      expect(ownFailure(failure)).toBe("database");
      const startMs = performance.now();
      await expect(count()).rejects.toThrow(/./);
      expect(performance.now() - startMs).toBeLessThan(1000);
    } finally {
      await server.start();
    }
    await expect.poll(() => count().catch(() => undefined), { timeout: 20_000 }).toBeDefined();
  }, 60_000);

  test("answers late charges as exactly as any", async () => {
    const slow = testFolder();
    const proxy = createServer((client) => {
      const upstream = connect(join(folder(), SOCKET));
      client.pipe(upstream);
      upstream.on("data", (chunk) => void pause(LATE_MS).then(() => client.write(chunk)));
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on("error", () => undefined);
        one.on("close", () => other.destroy());
      }
    });
    proxy.listen(join(slow, SOCKET));
    await once(proxy, "listening");
    try {
      const url = server.url("outages").replace(encodeURIComponent(folder()), encodeURIComponent(slow));
      const credits = creditsOver(await open(url));
      const teamId = await teamWith(creditsOver(database), 10);
      const attempts = Array.from({ length: 30 }, () => charge(credits, teamId).catch(() => false));
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(10);
      expect((await auditLedger(database)).problems).toEqual([]);
    } finally {
      proxy.close();
    }
  }, 120_000);

  test("is newer than the program is refused, and left alone", async () => {
    const newer = await open(server.url("newer"));
    await newer.migrate();
    await newer.prepared("INSERT INTO schema_versions VALUES (9999, 'later', 0)").run();
    await expect((await open(server.url("newer"))).migrate()).rejects.toThrow(/version 9999.*newer version/);
  }, 120_000);

  test("lost the program in the middle of a migration has nothing of it, and is migrated by the next one", async () => {
    const url = server.url("killed");
    const one = await open(url);
    await one.migrate();
    const half = "CREATE TABLE half (id text)";
    const first = { version: 9001, name: "one", statements: [half, "SELECT pg_sleep(30)"] };
    const drivers = fileURLToPath(
      new URL("../packages/server/src/storage/database/drivers.ts", import.meta.url),
    );
    const steps = fileURLToPath(
      new URL("../packages/server/src/storage/database/migrate.ts", import.meta.url),
    );
    const program = `
      import { openDatabase } from ${JSON.stringify(drivers)};
      import { migrate } from ${JSON.stringify(steps)};
      await migrate(await openDatabase(${JSON.stringify(url)}), ${JSON.stringify([first])});
    `;
    const child = spawn(process.execPath, [
      "--conditions=pergamon-source",
      "--import",
      "tsx",
      "--input-type=module",
      "--eval",
      program,
    ]);
    const sleeping = () =>
      one
        .prepared<{ busy: number }>(
          "SELECT count(*) AS busy FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'",
        )
        .get();
    await expect.poll(sleeping, { timeout: 60_000 }).toEqual({ busy: 1 });
    child.kill("SIGKILL");
    await database
      .prepared("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'")
      .all();
    const again = { version: 9001, name: "one", statements: [half] };
    await expect(migrate(one, [again])).resolves.toBeLessThan(9001);
    expect(await one.prepared("SELECT * FROM half").all()).toEqual([]);
  }, 120_000);

  test("has ten thousand teams charges any of them, and the books are added up", async () => {
    const many = `FROM generate_series(1, 10000) AS number`;
    await database
      .prepared(
        `INSERT INTO teams (id, name, is_limited, created_at) SELECT 'many ' || number, 'team', 1, 0 ${many}`,
      )
      .run();
    await database
      .prepared(`INSERT INTO ledger_accounts SELECT 'many ' || number, 'prepaid', 3, 0, 0, 0 ${many}`)
      .run();
    await database
      .prepared(
        `INSERT INTO ledger_entries SELECT 'many ' || number, 'grant', 'issuer', 'prepaid', 3, NULL, 0 ${many}`,
      )
      .run();
    const credits = creditsOver(database);
    const some = Array.from({ length: 200 }, (_, index) => `many ${1 + index * 50}`);
    expect(await Promise.all(some.map((teamId) => charge(credits, teamId)))).not.toContain(false);
    const { sums, problems } = await auditLedger(database);
    expect(problems).toEqual([]);
    expect(sums.teams).toBeGreaterThan(10_000);
  }, 120_000);

  test("is full charges nothing that it does not keep, and works again with room", async () => {
    const filler = `INSERT INTO ledger_entries SELECT 'filler', 'id ' || number, 'issuer', 'used', 1, NULL, 0
      FROM generate_series(1, 280000) AS number`;
    await database.prepared(filler).run();
    const size = await database
      .prepared<{ bytes: number }>("SELECT pg_relation_size('outages.ledger_entries') AS bytes")
      .get();
    const [pid = ""] = (await readFile(join(folder(), "data/postmaster.pid"), "utf8")).split("\n");
    // Only the owner of a process may change what it may do.
    const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const limit = (bytes: string) =>
      promisify(execFile)("prlimit", ["--pid", pid, `--fsize=${bytes}:`], owner);
    await limit(String(size?.bytes));
    // Connections of before have the limits of before.
    const full = await open(server.url("outages"));
    const credits = creditsOver(full);
    const teamId = await teamWith(creditsOver(database), 10_000);
    let charged = 0;
    const fill = async () => {
      for (;;) {
        await Promise.all(
          Array.from({ length: 50 }, async () => {
            await charge(credits, teamId);
            charged += 1;
          }),
        );
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: "billing_unavailable" });
    await credits.flush();
    expect((await auditLedger(database)).problems).toEqual([]);
    await limit("unlimited");
    const roomy = creditsOver(await open(server.url("outages")));
    expect(await charge(roomy, teamId)).toBe(true);
    const { remaining } = await roomy.balance(await getTeam(database, teamId));
    expect(remaining).toBe(10_000 - charged - 1);
    await database.prepared("DELETE FROM ledger_entries WHERE team_id = 'filler'").run();
  }, 120_000);
});
