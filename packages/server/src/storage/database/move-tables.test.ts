import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { moveTables } from "./move-tables.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres-server.suite.ts";
import { nextOfSequence } from "./sequences.ts";

const programs = findPostgres();
const JOBS = 1203;
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

describe.runIf(programs)("moving a database from SQLite to Postgres", () => {
  let server: PostgresServer;
  let schemas = 0;
  let from: Database;
  let to: Database;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    from = await openDatabase("sqlite::memory:");
    await from.migrate();
    await fill(from);
    to = await openDatabase(server.url(`moved_${(schemas += 1)}`));
  });
  afterEach(() => Promise.all([from.close(), to.close()]));

  async function fill(database: Database): Promise<void> {
    await database.transaction(async (tx) => {
      for (const name of ["Ünïcode 😀", "before\0after", "quote's"]) {
        await tx
          .prepared("INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)")
          .run(name, name, 2 ** 41);
        await tx
          .prepared("INSERT INTO api_keys (id, team_id, name, key_hash, created_at) VALUES (?, ?, ?, ?, ?)")
          .run(name, name, "", name, 1);
      }
      await nextOfSequence(tx, "audit", 7);
      for (let sequence = 1; sequence <= JOBS; sequence += 1) {
        await tx
          .prepared(
            "INSERT INTO jobs (sequence, kind, job_group, priority, run_at, failures, deaths, payload) VALUES (?, 'k', 'g', 1, 0, 0, 0, ?)",
          )
          .run(sequence, "{}");
      }
      await tx
        .prepared("INSERT INTO unpacked_captures (capture_id, bytes) VALUES ('small', ?)")
        .run(EVERY_BYTE);
      await tx.prepared("INSERT INTO leases (name, holder, held_until) VALUES ('mine', 'me', 1)").run();
    });
  }

  test("takes every row along, once", async () => {
    const told: string[] = [];
    const moved = await moveTables(from, to, ({ name }) => told.push(name));
    expect(told[0]).toBe("teams");
    expect(moved).toContainEqual({ name: "jobs", rows: JOBS });
    expect(moved.map(({ name }) => name)).not.toContain("leases");
    const teams = await to.prepared<{ name: string }>("SELECT name FROM teams ORDER BY created_at, id").all();
    expect(teams.map(({ name }) => name)).toContain("Ünïcode 😀");
    expect(await to.prepared("SELECT value FROM sequences WHERE name = 'audit'").get()).toMatchObject({
      value: 7,
    });
    const small = await to.prepared<{ bytes: Uint8Array }>("SELECT bytes FROM unpacked_captures").get();
    expect(Uint8Array.from(small?.bytes ?? [])).toEqual(EVERY_BYTE);
    await expect(moveTables(from, to, () => undefined)).rejects.toThrow(
      "The target has 3 rows in teams already, and nothing was changed.",
    );
  });

  test("goes on where it was interrupted", async () => {
    const stopping = (table: { readonly name: string; readonly rows: number }) => {
      if (table.name === "jobs") throw new Error("killed");
    };
    await expect(moveTables(from, to, stopping)).rejects.toThrow("killed");
    expect(await to.prepared("SELECT count(*) AS jobs FROM jobs").get()).toMatchObject({ jobs: JOBS });
    const moved = await moveTables(from, to, () => undefined);
    expect(moved).toContainEqual({ name: "jobs", rows: JOBS });
    expect(await to.prepared("SELECT count(*) AS jobs FROM jobs").get()).toMatchObject({ jobs: JOBS });
  });

  test("notices what was changed meanwhile", async () => {
    let changed: Promise<unknown> = Promise.resolve();
    const change = ({ name }: { readonly name: string }) => {
      if (name === "jobs") changed = to.prepared("UPDATE jobs SET payload = '[]' WHERE sequence = 700").run();
    };
    await expect(moveTables(from, to, change)).rejects.toThrow("The table jobs differs from its original");
    await changed;
  });
});
