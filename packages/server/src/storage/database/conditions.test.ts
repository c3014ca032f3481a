import { afterEach, beforeEach, expect, test } from "vitest";

import { type Condition, condition, likePattern, whereAll } from "./conditions.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";

let database: Database;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  for (const [index, name] of ["50% off", "500 off", "a_b", "aXb"].entries()) {
    await database
      .prepared("INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)")
      .run(name, name, index);
  }
});

afterEach(() => database.close());

async function names(...conditions: readonly (Condition | undefined)[]): Promise<readonly string[]> {
  const { sql, values } = whereAll(conditions);
  const rows = await database
    .prepared<{ name: string }>(`SELECT name FROM teams ${sql} ORDER BY created_at`)
    .all(...values);
  return rows.map(({ name }) => name);
}

test("conditions that are not there leave all rows", async () => {
  expect(await names(undefined)).toEqual(["50% off", "500 off", "a_b", "aXb"]);
});

test("all that are there have to be fulfilled, each as a whole", async () => {
  const [first, second] = [condition("id = ? OR id = ?", "a_b", "aXb"), condition("created_at > ?", 2)];
  expect(await names(first, undefined, second)).toEqual(["aXb"]);
});

test.each([
  ["0% o", ["50% off"]],
  ["a_b", ["a_b"]],
  ["off", ["50% off", "500 off"]],
])("a text is found as it is written: %s", async (text, found) => {
  expect(await names(condition("name LIKE ? ESCAPE '!'", likePattern(text)))).toEqual(found);
});

test("what ends with a text is found", async () => {
  expect(await names(condition("name LIKE ? ESCAPE '!'", likePattern("0", "")))).toEqual([]);
  expect(await names(condition("name LIKE ? ESCAPE '!'", likePattern("Xb", "")))).toEqual(["aXb"]);
});
