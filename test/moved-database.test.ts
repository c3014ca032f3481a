import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../packages/server/src/storage/database/postgres-server.suite.ts";
import { build, builtCommandLine } from "./built.ts";

const programs = findPostgres();
const JOBS = 5_000;

describe.runIf(programs)("an embedded database that is moved to Postgres", () => {
  const folder = testFolder();
  let server: PostgresServer;
  let from: string;

  beforeAll(async () => {
    await build();
    from = `sqlite:${join(folder, "pergamon.db")}`;
    server = await startPostgres(programs ?? "");
    const filled = join(folder, "filled.db");
    const database = await openDatabase(`sqlite:${filled}`);
    await database.migrate();
    await fill(database);
    await database.close();
    // This process may hold the file for a while, as a service does that runs.
    await copyFile(filled, join(folder, "pergamon.db"));
  });
  afterAll(async () => {
    await server.stop();
  });

  async function fill(database: Database): Promise<void> {
    await database.transaction(async (tx) => {
      const insert = tx.prepared(
        "INSERT INTO jobs (sequence, kind, job_group, priority, run_at, failures, deaths, payload) VALUES (?, 'k', 'g', 1, 0, 0, 0, ?)",
      );
      for (let sequence = 1; sequence <= JOBS; sequence += 1) await insert.run(sequence, `{"n":${sequence}}`);
    });
  }

  function move(to: string): ChildProcess {
    const parameters = [...builtCommandLine, "migrate", "--from", from, "--to", to];
    return spawn(process.execPath, parameters, { stdio: ["ignore", "ignore", "pipe"] });
  }

  async function textOf(child: ChildProcess): Promise<readonly [code: number | null, errors: string]> {
    let errors = "";
    child.stderr?.on("data", (chunk) => (errors += String(chunk)));
    const [code] = (await once(child, "exit")) as [number | null];
    return [code, errors];
  }

  test("goes on after kills at any moment, and every row is there once", async () => {
    const to = server.url("moved");
    const target = await openDatabase(to);
    // While the tables are made, and between others.
    for (const line of [0, 30]) {
      const child = move(to);
      await killedAfter(child, line);
    }
    expect(await textOf(move(to))).toEqual([0, expect.any(String)]);
    const jobs = await target
      .prepared<{ jobs: number; sum: number }>("SELECT count(*) AS jobs, sum(sequence) AS sum FROM jobs")
      .get();
    expect(jobs?.jobs).toBe(JOBS);
    expect(Number(jobs?.sum)).toBe((JOBS * (JOBS + 1)) / 2);
    await target.close();
    const [code, errors] = await textOf(move(to));
    expect(code).toBe(1);
    expect(errors).toContain("already, and nothing was changed");
    const running = await openDatabase(from);
    expect((await textOf(move(to)))[1]).toContain("Stop it, then run this command again");
    await running.close();
  });

  /** Kills it once it has told of so many tables, or it ends before. */
  async function killedAfter(child: ChildProcess, lines: number): Promise<void> {
    const ended = once(child, "exit");
    let told = 0;
    child.stderr?.on("data", (chunk) => {
      told += String(chunk).split("\n").length - 1;
      if (told >= lines) child.kill("SIGKILL");
    });
    if (lines === 0) setTimeout(() => child.kill("SIGKILL"), 500);
    expect((await ended)[1]).toBe("SIGKILL");
  }
});
