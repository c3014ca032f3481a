import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "./database.ts";
import { addTeam, countTeams, describeDatabase, signpost } from "./database.suite.ts";
import { openDatabase } from "./drivers.ts";
import { atTheSameMoment } from "@pergamon-dev/kit/same-moment.suite";

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = testFolder();
  database = await openDatabase(`sqlite:${folder}/made/when/missing/test.db`);
  await database.migrate();
});

afterEach(() => database.close());

describe("a database in a file", () => {
  describeDatabase(async () => {
    const own = testFolder();
    return {
      open: () => openDatabase(`sqlite:${own}/test.db`),
      close: () => rm(own, { recursive: true, force: true }),
    };
  });
});

test("programs that begin a file at the same time all write to it", async () => {
  const program = `
    import { openDatabase } from ${JSON.stringify(new URL("drivers.ts", import.meta.url).href)};
    const run = async (round, name) => {
      const database = await openDatabase("sqlite:${folder}/race-" + round + ".db");
      const warnings = await database.inspect();
      if (warnings.length > 0) throw new Error(warnings.join());
      await database.prepared("CREATE TABLE IF NOT EXISTS names (name text)").run();
      await database.prepared("INSERT INTO names VALUES (?)").run(name);
    }`;
  const [processes, rounds] = [4, 20];
  expect(await atTheSameMoment(program, { processes, rounds })).toEqual([]);
  for (let round = 0; round < rounds; round += 1) {
    const written = await openDatabase(`sqlite:${folder}/race-${round}.db`);
    const { length } = await written.prepared("SELECT name FROM names").all();
    expect(length).toBe(processes);
    await written.close();
  }
});

test("while another program writes, writers wait and everything else goes on", async () => {
  const other = await openDatabase(`sqlite:${folder}/made/when/missing/test.db`);
  const [isInside, enter] = signpost();
  const [mayEnd, end] = signpost();
  const writing = other.transaction(async (tx) => {
    await tx.prepared(addTeam).run("other", "Other", 1);
    enter();
    await mayEnd;
  });
  await isInside;
  let isWritten = false;
  const mine = Promise.all([
    database.prepared(addTeam).run("a", "A", 1),
    database.transaction((tx) => tx.prepared(addTeam).run("b", "B", 1)),
  ]).finally(() => {
    isWritten = true;
  });
  for (let look = 0; look < 20; look += 1) {
    expect(await database.prepared("SELECT id FROM teams WHERE id = 'other'").all()).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(isWritten).toBe(false);
  end();
  await Promise.all([writing, mine]);
  const rows = await database.prepared<{ id: string }>("SELECT id FROM teams ORDER BY id").all();
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(["a", "b", "other"]));
  await other.close();
});

test("a sound database answers a ping and has no findings", async () => {
  await expect(database.ping()).resolves.toBeUndefined();
  expect(await database.integrityCheck?.()).toEqual([]);
});

test.each([
  ["", 1],
  ["?synchronous=normal", 1],
  ["?synchronous=full", 2],
])("the URL's %j says how hard it is to lose something", async (query, level) => {
  const opened = await openDatabase(`sqlite:${folder}/durable.db${query}`);
  const row = await opened.prepared<{ synchronous: number }>("PRAGMA synchronous").get();
  expect(row?.synchronous).toBe(level);
  await opened.close();
});

test("a file that is no database is named, and left as it is", async () => {
  const path = join(folder, "no.db");
  await writeFile(path, "no database".repeat(1000));
  await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(
    `The database ${path} cannot be used: file is not a`,
  );
  expect(await readFile(path, "utf8")).toMatch(/^no database/);
  await expect(openDatabase(`sqlite:${folder}`)).rejects.toThrow(`The database ${folder} cannot be used`);
});

test("any other parameter of the URL is refused", async () => {
  await expect(openDatabase(`sqlite:${folder}/x.db?mode=ro`)).rejects.toThrow("synchronous=full");
});

test("leases of processes that died end when nobody has the database open, and no others", async () => {
  const leases = () => database.prepared<{ count: number }>("SELECT count(*) AS count FROM leases").get();
  const take = () =>
    database.prepared("INSERT INTO leases (name, holder, held_until) VALUES ('a', 'b', 1)").run();
  const other = await openDatabase(`sqlite:${folder}/made/when/missing/test.db`);
  await other.prepared(countTeams).get();
  await take();
  await database.endLeasesOfDead?.();
  expect(await leases()).toEqual({ count: 1 });
  await other.prepared(addTeam).run("other", "other", 0);

  const alone = join(folder, "alone.db");
  await database.checkpoint?.();
  await copyFile(join(folder, "made/when/missing/test.db"), alone);
  await database.close();
  database = await openDatabase(`sqlite:${alone}`);
  await database.endLeasesOfDead?.();
  expect(await leases()).toEqual({ count: 0 });
  await take();
  expect(await database.prepared("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
});

test("a rest waits until the transaction is over, and statements go on afterwards", async () => {
  let rest: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    rest = database.letGo?.().then(() => database.prepared(countTeams).get());
    for (const name of ["a", "b"]) await tx.prepared(addTeam).run(name, name, 1);
  });
  expect(await rest).toMatchObject({ teams: 2 });
});

test("a database in memory needs no folder", async () => {
  const inMemory = await openDatabase("sqlite::memory:");
  await inMemory.migrate();
  expect(await inMemory.prepared(countTeams).get()).toMatchObject({ teams: 0 });
  await inMemory.close();
});

test.each(["mysql://user:secret@host/db", "no scheme", ""])(
  "refuses %j and names what it knows",
  async (url) => {
    const refusal = openDatabase(url);
    await expect(refusal).rejects.toThrow("Known: sqlite:");
    await expect(refusal).rejects.not.toThrow("secret");
  },
);
