import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { SharedTransactions } from "./shared-transactions.ts";

let database: Database;
let transactions = 0;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.prepared("CREATE TABLE items (name TEXT PRIMARY KEY)").run();
  transactions = 0;
});

afterEach(() => database.close());

function openShared(maxItems: number): SharedTransactions<string> {
  const counted: Pick<Database, "transaction"> = {
    transaction(work) {
      transactions += 1;
      return database.transaction(work);
    },
  };
  return new SharedTransactions(counted, maxItems, async (inside, name) => {
    await inside.prepared("INSERT INTO items (name) VALUES (?)").run(name);
  });
}

async function names(): Promise<readonly string[]> {
  const rows = await database.prepared<{ name: string }>("SELECT name FROM items ORDER BY name").all();
  return rows.map(({ name }) => name);
}

test("what comes together is written together, at most so many at once", async () => {
  const shared = openShared(3);
  await Promise.all(["a", "b", "c", "d"].map((name) => shared.add(name)));
  expect(await names()).toEqual(["a", "b", "c", "d"]);
  expect(transactions).toBe(2);
});

test("what fails harms no other, and is told alone", async () => {
  const shared = openShared(10);
  const ends = await Promise.allSettled(["a", "b", "a", "c"].map((name) => shared.add(name)));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await names()).toEqual(["a", "b", "c"]);
});

test("what comes later is written too", async () => {
  const shared = openShared(10);
  await shared.add("a");
  await shared.add("b");
  expect(await names()).toEqual(["a", "b"]);
});
