import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { lastOfSequence, nextOfSequence } from "./sequences.ts";

let database: Database;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
});

afterEach(() => database.close());

test("an empty log begins with 1", async () => {
  expect(await lastOfSequence(database, "audit")).toBe(0);
  expect(await database.transaction((tx) => nextOfSequence(tx, "audit", 1))).toBe(1);
});

test("numbers of a transaction that failed are given again: there is no gap to wait for", async () => {
  const failing = database.transaction(async (tx) => {
    await nextOfSequence(tx, "audit", 5);
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  expect(await database.transaction((tx) => nextOfSequence(tx, "audit", 1))).toBe(1);
});
