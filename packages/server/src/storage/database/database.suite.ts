import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { likePattern } from "./conditions.ts";
import type { Database } from "./database.ts";
import { insertRows } from "./insert-rows.ts";
import { nextOfSequence } from "./sequences.ts";

/** One database, which several programs may open. */
export interface DatabaseWorld {
  open(): Promise<Database>;
  close(): Promise<void>;
}

export const addTeam = "INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)";
export const countTeams = "SELECT count(*) AS teams FROM teams";

/** A promise, and what fulfils it. */
export function signpost(): readonly [Promise<void>, () => void] {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return [reached, () => reach()];
}

/** What every driver does. Call it inside a `describe`. */
export function describeDatabase(openWorld: () => Promise<DatabaseWorld>): void {
  let world: DatabaseWorld;
  let database: Database;

  beforeEach(async () => {
    world = await openWorld();
    database = await world.open();
    await database.migrate();
  });
  afterEach(async () => {
    await database.close();
    await world.close();
  });

  async function teams(): Promise<readonly string[]> {
    const rows = await database.prepared<{ id: string }>("SELECT id FROM teams ORDER BY id").all();
    return rows.map(({ id }) => id);
  }

  test("rows come back as they were written", async () => {
    expect(await database.prepared(addTeam).run("a", "A", 1)).toBe(1);
    expect(await database.prepared(addTeam).run("b", "B", 1_900_000_000_000)).toBe(1);
    expect(await database.prepared("SELECT * FROM teams WHERE id = ?").get("b")).toMatchObject({
      name: "B",
      created_at: 1_900_000_000_000,
    });
    expect(await database.prepared("UPDATE teams SET name = ? WHERE id > ?").run("C", "")).toBe(2);
    expect(await database.prepared("DELETE FROM teams WHERE id = ?").run("nobody")).toBe(0);
    expect(await teams()).toEqual(["a", "b"]);
  });

  test.each([
    ["alike but for their ids", () => ["same", null]],
    ["of all kinds", (index: number) => [`name ${index}`, index === 2 ? "at" : null]],
  ] as const)("many rows, %s, come back as they were written", async (_kind, rest) => {
    const rows = Array.from({ length: 90 }, (_row, index) => [`id ${index}`, ...rest(index), index, 1]);
    const target = {
      into: "teams (id, name, allowance_period, created_at, is_limited)",
      row: "(?, ?, ?, ?, ?)",
      ending: "ON CONFLICT (id) DO NOTHING",
      differing: [0, 3],
    };
    expect(await insertRows(database, target, rows)).toBe(90);
    expect(await insertRows(database, target, rows)).toBe(0);
    const { into } = target;
    const found = await database
      .prepared<object>(`SELECT ${into.slice(7, -1)} FROM teams ORDER BY created_at`)
      .all();
    expect(found.map((row) => Object.values(row))).toEqual(rows);
  });

  test("what is counted and added up are numbers", async () => {
    await database.prepared(addTeam).run("a", "A", 2 ** 40);
    await database.prepared(addTeam).run("b", "B", 2 ** 40);
    const row = await database
      .prepared(
        "SELECT count(*) AS teams, sum(created_at) AS total, max(created_at) AS last, sum(allowance) AS none FROM teams",
      )
      .get();
    expect(row).toMatchObject({ teams: 2, total: 2 ** 41, last: 2 ** 40, none: null });
  });

  test("a missing row is undefined, and a failing statement rejects", async () => {
    expect(await database.prepared("SELECT * FROM teams WHERE id = ?").get("nobody")).toBeUndefined();
    await database.prepared(addTeam).run("a", "A", 1);
    await expect(database.prepared(addTeam).run("a", "again", 1)).rejects.toThrow(/unique/i);
    await expect(database.prepared("SELECT * FROM nowhere").all()).rejects.toThrow("nowhere");
    expect(await teams()).toEqual(["a"]);
  });

  test("foreign keys are enforced", async () => {
    await expect(
      database
        .prepared("INSERT INTO api_keys (id, team_id, name, key_hash, created_at) VALUES (?, ?, ?, ?, ?)")
        .run("k", "nobody", "", "h", 1),
    ).rejects.toThrow(/foreign key/i);
  });

  test("texts are ordered by their characters, whatever language the server speaks", async () => {
    const names = ["a", "B", "ä", "Z", "😀", "\uFFFD", "_", "-", "1"];
    for (const name of names) await database.prepared(addTeam).run(name, name, 1);
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await teams()).toEqual(byBytes);
  });

  test.each(["50%", "o_o", "a!b", 'QUOTE\'s "x"', "?"])("%j is found in a text as it is", async (text) => {
    await database.prepared(addTeam).run("a", `before ${text} after`, 1);
    await database.prepared(addTeam).run("b", "50 oxo ab quotes", 1);
    const found = await database
      .prepared<{ id: string }>("SELECT id FROM teams WHERE name LIKE ? ESCAPE '!'")
      .all(likePattern(text.toLowerCase()));
    expect(found.map(({ id }) => id)).toEqual(["a"]);
  });

  test("a text that not every database can hold is kept in the same way by all", async () => {
    await database.prepared(addTeam).run("a", "before\0after", 1);
    await database.prepared(addTeam).run("b", "half \uD800 of one", 1);
    const rows = await database.prepared<{ name: string }>("SELECT name FROM teams ORDER BY id").all();
    expect(rows[0]?.name).toBe("before\uFFFDafter");
    expect(rows[1]?.name).toBe("half \uFFFD of one");
  });

  describe("a transaction", () => {
    test("keeps everything when the work ends well", async () => {
      const result = await database.transaction(async (tx) => {
        await tx.prepared(addTeam).run("a", "A", 1);
        await tx.prepared(addTeam).run("b", "B", 1);
        return "done";
      });
      expect(result).toBe("done");
      expect(await teams()).toEqual(["a", "b"]);
    });

    test("keeps nothing when the work throws, and the next one works", async () => {
      const failing = database.transaction(async (tx) => {
        await tx.prepared(addTeam).run("a", "A", 1);
        throw new Error("half way");
      });
      await expect(failing).rejects.toThrow("half way");
      expect(await teams()).toEqual([]);
      await database.transaction((tx) => tx.prepared(addTeam).run("b", "B", 1));
      expect(await teams()).toEqual(["b"]);
    });

    test("does not swallow what others do meanwhile", async () => {
      const [isInside, enter] = signpost();
      const [mayFail, fail] = signpost();
      const failing = database.transaction(async (tx) => {
        await tx.prepared(addTeam).run("rolled back", "", 1);
        enter();
        await mayFail;
        throw new Error("undone");
      });
      await isInside;
      const byStatement = database.prepared(addTeam).run("by statement", "", 1);
      const byTransaction = database.transaction((inner) =>
        inner.prepared(addTeam).run("by transaction", "", 1),
      );
      fail();
      await expect(failing).rejects.toThrow("undone");
      await Promise.all([byStatement, byTransaction]);
      expect(await teams()).toEqual(["by statement", "by transaction"]);
    });

    test("is seen by what is asked after it in the same process", async () => {
      const writing = database.transaction((tx) => tx.prepared(addTeam).run("a", "A", 1));
      expect(await teams()).toEqual(["a"]);
      await writing;
    });

    test("that reads and then writes loses nothing to another program that does the same", async () => {
      const other = await world.open();
      const rounds = 25;
      const raise = (where: Database) =>
        where.transaction(async (tx) => {
          const row = await tx.prepared<{ teams: number }>(countTeams).get();
          await tx.prepared(addTeam).run(String(row?.teams).padStart(3, "0"), "", 1);
        });
      await Promise.all(
        [database, other].map(async (where) => {
          for (let round = 0; round < rounds; round += 1) await raise(where);
        }),
      );
      expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 2 * rounds });
      await other.close();
    });
  });

  test("numbers of a sequence are taken once, by all programs together", async () => {
    const other = await world.open();
    const take = (where: Database) => where.transaction((tx) => nextOfSequence(tx, "test", 1));
    const taken = await Promise.all(
      [database, other].flatMap((where) => Array.from({ length: 20 }, () => take(where))),
    );
    expect(taken.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_number, index) => index + 1),
    );
    await other.close();
  });

  test("rows survive closing and opening again; closing twice is fine", async () => {
    await database.prepared(addTeam).run("a", "A", 1);
    await database.close();
    await database.close();
    await expect(database.ping()).rejects.toThrow("open");
    database = await world.open();
    expect(await database.migrate()).toBeGreaterThan(0);
    expect(await teams()).toEqual(["a"]);
  });

  test("programs see each other's writes, and notice that there were some", async () => {
    const other = await world.open();
    database.foreignWrites?.();
    await database.ping();
    const before = database.foreignWrites?.();
    await other.prepared(addTeam).run("a", "A", 1);
    expect(await teams()).toEqual(["a"]);
    await expect.poll(() => database.foreignWrites?.()).not.toBe(before);
    await other.close();
  });
}
