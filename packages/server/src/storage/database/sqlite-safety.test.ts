import {
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";

const PAGE_BYTES = 4096;
const FRAME_BYTES = 24 + PAGE_BYTES;
const addTeam = "INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)";

let folder: string;
let path: string;
let database: Database;

beforeEach(async () => {
  folder = testFolder();
  path = join(folder, "test.db");
  database = await openDatabase(`sqlite:${path}`);
  await database.migrate();
});

afterEach(async () => {
  await database.close().catch(() => undefined);
});

async function addTeams(count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    await database.prepared(addTeam).run(`team ${index}`, "x".repeat(500), 1);
  }
}

/** What an attacker finds who has only this file. */
async function teamsInCopy([main = path, log]: readonly string[]): Promise<number> {
  const copies = await mkdtemp(join(folder, "copy-"));
  await copyFile(main, join(copies, "copy.db"));
  if (log) await copyFile(log, join(copies, "copy.db-wal"));
  const copy = new DatabaseSync(join(copies, "copy.db"));
  const row = copy.prepare("SELECT count(*) AS teams FROM teams").get() as { readonly teams: number };
  copy.close();
  return row.teams;
}

/** Ends without the tidying up that a close does: the files are what a kill leaves. */
async function crash(): Promise<void> {
  const left = await mkdtemp(join(folder, "left-"));
  for (const name of ["test.db", "test.db-wal"]) await copyFile(join(folder, name), join(left, name));
  await database.close();
  for (const name of ["test.db", "test.db-wal"]) await rename(join(left, name), join(folder, name));
  await rm(`${path}-shm`, { force: true });
}

async function flipBit(file: string, at: number): Promise<void> {
  const handle = await open(file, "r+");
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  buffer[0] = (buffer[0] ?? 0) ^ 1;
  await handle.write(buffer, 0, 1, at);
  await handle.close();
}

async function zeroPages(file: string, first: number, count: number): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(PAGE_BYTES * count), 0, PAGE_BYTES * count, PAGE_BYTES * first);
  await handle.close();
}

/** Opens what is there, as a start does. */
async function inspect(): Promise<readonly string[]> {
  database = await openDatabase(`sqlite:${path}`);
  return (await database.inspect?.()) ?? [];
}

test("R1 after a close the main file alone has every row", async () => {
  await addTeams(50);
  await database.close();
  expect((await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0).toBe(0);
  expect(await teamsInCopy([path])).toBe(50);
});

test("R1 after the migrations of a start the main file alone has every row of before", async () => {
  await addTeams(50);
  await crash();
  await inspect();
  expect(await database.migrate()).toBeGreaterThan(0);
  expect(await teamsInCopy([path])).toBe(50);
});

test("R1 after the checkpoint of every minute the main file alone has every row", async () => {
  await addTeams(50);
  expect(await teamsInCopy([path])).toBe(0);
  await database.checkpoint?.();
  expect(await teamsInCopy([path])).toBe(50);
});

test("R1 a close beside somebody who reads keeps the log, and nothing is lost", async () => {
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM teams").get();
  await addTeams(20);
  await database.close();
  expect(await teamsInCopy([path, `${path}-wal`])).toBe(20);
  reader.close();
});

test("R1 a log that a kill left whole is read without a warning", async () => {
  await addTeams(30);
  await crash();
  expect(await inspect()).toEqual([]);
  expect(await database.prepared("SELECT count(*) AS teams FROM teams").get()).toMatchObject({ teams: 30 });
});

test.each([
  ["in the middle", 32 + 5 * FRAME_BYTES + 1000],
  ["in the first frame", 32 + 100],
  ["in the header", 17],
  ["in the salt of a frame", 32 + 5 * FRAME_BYTES + 9],
])("R1 a bit that has turned %s of the log is told at the start, and the log is kept", async (_where, at) => {
  await addTeams(30);
  await crash();
  await flipBit(`${path}-wal`, at);
  const damaged = await readFile(`${path}-wal`);

  const warnings = await inspect();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(`${path}-wal is damaged at byte`);
  expect(warnings[0]).toMatch(/\d+ transactions? from there on could not be read.*pergamon restore FILE/);
  const kept = (await readdir(folder)).filter((name) => name.includes(".damaged-"));
  expect(kept).toHaveLength(1);
  expect(warnings[0]).toContain(kept[0]);
  expect(await readFile(join(folder, kept[0] ?? ""))).toEqual(damaged);
  expect((await stat(join(folder, kept[0] ?? ""))).mode & 0o777).toBe(0o600);

  await database.migrate();
  await addTeams(1, 1000);
  await crash();
  expect(await inspect()).toEqual([]);
});

test("R1 frames left over from before the log was begun anew are no damage", async () => {
  await addTeams(60);
  await database.checkpoint?.();
  await addTeams(3, 100);
  await crash();
  expect((await stat(`${path}-wal`)).size).toBeGreaterThan(30 * FRAME_BYTES);
  expect(await inspect()).toEqual([]);
  expect(await database.prepared("SELECT count(*) AS teams FROM teams").get()).toMatchObject({ teams: 63 });
});

test("R1 a log that ends in the middle of a transaction is told", async () => {
  await addTeams(30);
  await crash();
  await truncate(`${path}-wal`, (await stat(`${path}-wal`)).size - 100);
  expect(await inspect()).toEqual([
    expect.stringContaining(`${path}-wal ends in the middle of a transaction`),
  ]);
});

test("R1 another process in the middle of its commit is no damage", async () => {
  await addTeams(1);
  const [main, logBefore] = await Promise.all([readFile(path), readFile(`${path}-wal`)]);
  await addTeams(1, 1);
  const logAfter = await readFile(`${path}-wal`);
  const copy = join(folder, "copy.db");
  await Promise.all([writeFile(copy, main), writeFile(`${copy}-wal`, logBefore)]);
  const [other, starting] = await Promise.all([
    openDatabase(`sqlite:${copy}`),
    openDatabase(`sqlite:${copy}`),
  ]);

  let inspected: Promise<readonly string[]> | undefined;
  await other.transaction(async (tx) => {
    // What a commit has written before it tells the others.
    await writeFile(`${copy}-wal`, logAfter);
    inspected = starting.inspect?.();
    await setTimeout(100);
    await tx.prepared(addTeam).run("team 1", "x".repeat(500), 1);
  });
  expect(await inspected).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.includes(".damaged-"))).toEqual([]);
  await Promise.all([starting.close(), other.close()]);
});

test("R1 a log without its database is not deleted, and the error says what to do", async () => {
  await addTeams(30);
  await crash();
  const log = await readFile(`${path}-wal`);
  for (const isThere of [false, true]) {
    await rm(path, { force: true });
    if (isThere) await writeFile(path, "");
    await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(
      `The database ${path} cannot be used: it is missing or empty, and ${path}-wal contains data that would be deleted`,
    );
    expect(await readFile(`${path}-wal`)).toEqual(log);
  }
});

test("R10 a page of zeros stops the start with one line that says what to do", async () => {
  await addTeams(200);
  await database.close();
  await zeroPages(path, 5, 1);
  await expect(inspect()).rejects.toThrow(
    new RegExp(`^The database ${path} is damaged: .*\\. Restore a backup: pergamon restore FILE`),
  );
});

test("R10 damage that is met while running is told as billing_unavailable, by the ping too, and ends all writing", async () => {
  await addTeams(200);
  await database.checkpoint?.();
  const size = (await stat(path)).size;
  await zeroPages(path, 1, size / PAGE_BYTES - 1);
  // A write by another process makes this connection forget what it has in memory.
  const other = new DatabaseSync(path);
  other.exec("PRAGMA user_version = 7");
  other.close();

  const read = database.prepared("SELECT count(name) AS teams FROM teams").get();
  await expect(read).rejects.toMatchObject({
    name: "ServiceError",
    code: "billing_unavailable",
    retryAfterSeconds: 60,
    message: expect.not.stringContaining(path),
  });
  await expect(database.ping()).rejects.toThrow("The database of this service is damaged");
  for (const refused of [
    database.prepared(addTeam).run("a", "A", 1),
    database.transaction((tx) => tx.prepared(addTeam).run("b", "B", 1)),
    database.prepared("SELECT * FROM teams").all(),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: "billing_unavailable" });
  }
  await database.close();
});
