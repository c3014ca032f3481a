import { open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { checkSqlite } from "./sqlite-check.ts";
import { copySqlite, isInUse } from "./sqlite-copy.ts";

let folder: string;
let path: string;
let database: Database;

beforeEach(async () => {
  folder = testFolder();
  path = join(folder, "test.db");
  database = await openDatabase(`sqlite:${path}`);
  await database.migrate();
});

afterEach(() => database.close());

async function addTeams(count: number, from = 0): Promise<void> {
  const statement = database.prepared("INSERT INTO teams (id, name, created_at) VALUES (?, ?, 1)");
  for (let index = from; index < from + count; index += 1) {
    await statement.run(`team ${index}`, "x".repeat(500));
  }
}

function countIn(file: string, table: string): number {
  const opened = new DatabaseSync(file);
  const row = opened.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { readonly rows: number };
  opened.close();
  return row.rows;
}

test("a copy is made while others write, is whole, private and a single file", async () => {
  await addTeams(20);
  const target = join(folder, "copy.db");
  const copied = new AbortController();
  const writing = (async () => {
    for (let index = 20; !copied.signal.aborted; index += 1) {
      await addTeams(1, index);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  await copySqlite(path, target, () => undefined);
  copied.abort();
  await writing;
  expect(checkSqlite(target, "integrity_check")).toBeGreaterThan(0);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).filter((name) => name.startsWith("copy.db"))).toEqual(["copy.db"]);
  expect(countIn(target, "teams")).toBeGreaterThanOrEqual(20);
});

test("a copy replaces nothing, and is not made of a database that is not there", async () => {
  const target = join(folder, "copy.db");
  await writeFile(target, "mine");
  await expect(copySqlite(path, target, () => undefined)).rejects.toThrow("EEXIST");
  expect(await readFile(target, "utf8")).toBe("mine");
  const missing = join(folder, "missing.db");
  await expect(copySqlite(missing, join(folder, "b.db"), () => undefined)).rejects.toThrow("ENOENT");
  expect(await readdir(folder)).not.toContain("missing.db");
});

test("a copy with damage is refused", async () => {
  await addTeams(200);
  const target = join(folder, "copy.db");
  await copySqlite(path, target, () => undefined);
  const handle = await open(target, "r+");
  await handle.write(Buffer.alloc(4096), 0, 4096, 5 * 4096);
  await handle.close();
  expect(() => checkSqlite(target, "quick_check")).toThrow("is damaged");
});

test("whether a database is in use is known, and asking changes nothing", async () => {
  const used = join(folder, "used.db");
  const user = new DatabaseSync(used);
  user.exec("PRAGMA journal_mode = WAL; CREATE TABLE kept (id text); INSERT INTO kept VALUES ('a')");
  expect(isInUse(used)).toBe(true);
  user.exec("INSERT INTO kept VALUES ('b')");
  user.close();
  expect(isInUse(used)).toBe(false);
  expect(countIn(used, "kept")).toBe(2);
  expect(isInUse(join(folder, "missing.db"))).toBe(false);
  await writeFile(join(folder, "garbage.db"), "no database".repeat(1000));
  expect(isInUse(join(folder, "garbage.db"))).toBe(false);
});
