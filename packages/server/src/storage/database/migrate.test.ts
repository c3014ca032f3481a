import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { migrate } from "./migrate.ts";
import { FIRST_VERSION, type Migration, migrations } from "./schema.ts";

const first: Migration = {
  version: 1,
  name: "first",
  statements: ["CREATE TABLE one (id text PRIMARY KEY)"],
};
const second: Migration = {
  version: 2,
  name: "second",
  statements: ["ALTER TABLE one ADD COLUMN size bigint", "CREATE TABLE two (id text PRIMARY KEY)"],
};
const broken: Migration = {
  ...second,
  statements: ["CREATE TABLE two (id text)", "CREATE TABLE two (id text)"],
};

let drivers: string;
let folder: string;
let database: Database;

beforeAll(async () => {
  drivers = await bundleDrivers();
});

beforeEach(async () => {
  folder = testFolder();
  database = await openDatabase(`sqlite:${folder}/test.db`);
});

afterEach(() => database.close());

async function tables(): Promise<string[]> {
  const rows = await database
    .prepared<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all();
  return rows.map(({ name }) => name);
}

test("an empty database gets every table, and migrating again changes nothing", async () => {
  await database.migrate();
  const made = await tables();
  expect(made).toEqual(
    expect.arrayContaining(["api_keys", "captures", "files", "profiles", "schema_versions", "teams"]),
  );
  await database.migrate();
  expect(await tables()).toEqual(made);
  expect(await database.prepared("SELECT count(*) AS ran FROM schema_versions").get()).toMatchObject({
    ran: migrations.length,
  });
});

test("versions count up, each once", () => {
  const versions = migrations.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_version, index) => FIRST_VERSION + index));
});

test.each([1, 71, 73])(
  "data of a build before 0.1.0 is refused in a sentence, and left alone: version %i",
  async (version) => {
    await migrate(database, [{ ...first, version }]);
    await database.prepared("INSERT INTO one (id) VALUES ('kept')").run();
    const before = await tables();
    await expect(database.migrate()).rejects.toThrow(
      `The database was written by a build before 0.1.0 (version ${version}), which no release can read. It is left as it is`,
    );
    expect(await tables()).toEqual(before);
    expect(await database.prepared("SELECT id FROM one").all()).toMatchObject([{ id: "kept" }]);
  },
);

test("old data moves forward and keeps its rows", async () => {
  await migrate(database, [first]);
  await database.prepared("INSERT INTO one (id) VALUES (?)").run("kept");
  await migrate(database, [first, second]);
  expect(await database.prepared("SELECT id, size FROM one").get()).toMatchObject({ id: "kept", size: null });
});

test("data that is up to date is only looked at: no transaction holds up other processes at a start", async () => {
  await migrate(database, [first, second]);
  const refused = () => Promise.reject(new Error("A transaction was begun."));
  const looking = { prepared: database.prepared.bind(database), transaction: refused };
  expect(await migrate(looking, [first, second])).toBe(2);
  await expect(migrate(looking, [first, second, { ...first, version: 3 }])).rejects.toThrow("was begun");
});

test("newer data is refused and left alone", async () => {
  await migrate(database, [first, second]);
  const before = await tables();
  await expect(migrate(database, [first])).rejects.toThrow(
    "has version 2, but this program supports versions up to 1",
  );
  expect(await tables()).toEqual(before);
});

test("a step that fails leaves nothing of itself, and runs whole the next time", async () => {
  await expect(migrate(database, [first, broken])).rejects.toThrow("two");
  expect(await tables()).toEqual(["one", "schema_versions"]);
  await migrate(database, [first, second]);
  expect(await tables()).toEqual(["one", "schema_versions", "two"]);
});

/** Our drivers as one file of JavaScript, in a folder from which packages are found. */
async function bundleDrivers(): Promise<string> {
  const outfile = fileURLToPath(
    new URL("../../../node_modules/.cache/migrate-test/drivers.mjs", import.meta.url),
  );
  await build({
    entryPoints: [fileURLToPath(new URL("drivers.ts", import.meta.url))],
    outfile,
    bundle: true,
    conditions: ["pergamon-source"],
    platform: "node",
    format: "esm",
    external: ["pg", "@photostructure/sqlite"],
  });
  return pathToFileURL(outfile).href;
}

/** Runs a program with our drivers in a process of its own. `openDatabase` and `url` are given. */
async function runProgram(body: string): Promise<{ readonly stdout: string }> {
  const url = JSON.stringify(`sqlite:${folder}/test.db`);
  const program = `const { openDatabase } = await import(${JSON.stringify(drivers)}); const url = ${url}; ${body}`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
}

test("a program killed in the middle of a step leaves nothing of it", async () => {
  await migrate(database, [first]);
  await database.close();
  const died = runProgram(`
    const { writeSync } = await import("node:fs");
    const database = await openDatabase(url);
    await database.transaction(async (inside) => {
      await inside.prepared("ALTER TABLE one ADD COLUMN size bigint").run();
      await inside.prepared("CREATE TABLE two (id text PRIMARY KEY)").run();
      const made = await inside.prepared("SELECT name FROM sqlite_master WHERE name = 'two'").get();
      writeSync(1, made.name + " is there");
      process.kill(process.pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    });
  `);
  await expect(died).rejects.toMatchObject({ signal: "SIGKILL", stdout: "two is there" });

  database = await openDatabase(`sqlite:${folder}/test.db`);
  expect(await tables()).toEqual(["one", "schema_versions"]);
  await migrate(database, [first, second]);
  expect(await tables()).toEqual(["one", "schema_versions", "two"]);
});

test("programs that start at the same time run each step once", async () => {
  const start = "const database = await openDatabase(url); await database.migrate(); await database.close();";
  await Promise.all([runProgram(start), runProgram(start)]);
  expect(await database.prepared("SELECT count(*) AS ran FROM schema_versions").get()).toMatchObject({
    ran: migrations.length,
  });
});
