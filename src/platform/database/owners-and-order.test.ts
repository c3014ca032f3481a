import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "./database.ts";
import { openDatabase } from "./drivers.ts";
import { migrate } from "./migrate.ts";
import { lastOfSequence, nextOfSequence } from "./sequences.ts";
import { migrations } from "./migrations/all.ts";

let database: Database;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await migrate(
    database,
    migrations.filter(({ version }) => version < 8),
  );
});

afterEach(() => database.close());

async function addEvents(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await database
      .prepared("INSERT INTO audit_events (id, created_at, event) VALUES (?, ?, ?)")
      .run(id, 1, "{}");
  }
}

test("events of before are numbered in the order of their ids, and deliveries go on where they were", async () => {
  await addEvents(["c", "a", "d", "b"]);
  for (const [collector, last] of [
    ["half", "b"],
    ["all", "d"],
    ["unknown", "bb"],
  ] as const) {
    await database
      .prepared("INSERT INTO audit_deliveries (collector, last_event_id) VALUES (?, ?)")
      .run(collector, last);
  }
  await database.migrate();
  const events = await database.prepared("SELECT id, sequence FROM audit_events ORDER BY sequence").all();
  expect(events).toMatchObject([
    { id: "a", sequence: 1 },
    { id: "b", sequence: 2 },
    { id: "c", sequence: 3 },
    { id: "d", sequence: 4 },
  ]);
  const deliveries = await database
    .prepared("SELECT collector, last_sequence FROM audit_deliveries ORDER BY collector")
    .all();
  expect(deliveries).toMatchObject([
    { collector: "all", last_sequence: 4 },
    { collector: "half", last_sequence: 2 },
    { collector: "unknown", last_sequence: 2 },
  ]);
  expect(await database.transaction((inside) => nextOfSequence(inside, "audit", 3))).toBe(7);
});

test("an empty log begins with 1", async () => {
  await database.migrate();
  expect(await lastOfSequence(database, "audit")).toBe(0);
  expect(await database.transaction((inside) => nextOfSequence(inside, "audit", 1))).toBe(1);
});

test("numbers of a transaction that failed are given again: there is no gap to wait for", async () => {
  await database.migrate();
  const failing = database.transaction(async (inside) => {
    await nextOfSequence(inside, "audit", 5);
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  expect(await database.transaction((inside) => nextOfSequence(inside, "audit", 1))).toBe(1);
});

test("holds of before belong to nobody", async () => {
  await database
    .prepared("INSERT INTO ledger_holds (id, team_id, amount, created_at) VALUES (?, ?, ?, ?)")
    .run("hold", "team", 5, 1);
  await database.migrate();
  expect(await database.prepared("SELECT owner FROM ledger_holds").all()).toMatchObject([{ owner: "" }]);
});
