import { afterEach, beforeEach, expect, test } from "vitest";

import { uuidV7 } from "../kit/uuid.ts";
import { openMemoryCoordinator } from "../platform/coordination/memory.ts";
import type { Database } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/drivers.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import type { Companion } from "./companion.ts";
import { type Credits, openCredits } from "./credits.ts";
import { createTeam, getTeam, type Team } from "./teams.ts";

let database: Database;
let credits: Credits;
let team: Team;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  credits = openCredits({ database, owner: new HoldOwner(openMemoryCoordinator()) });
  const { id } = await createTeam(database, { name: "team" });
  await credits.topUp(id, 10);
  team = await getTeam(database, id);
});

afterEach(async () => {
  await credits.flush();
  await database.close();
});

async function hold(amount: number) {
  return credits.hold({ id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount });
}

/** Writes its name where the tests find it. */
function companion(name: string, isDue = true): Companion {
  return {
    isDue: async () => isDue,
    async write(inside, isCharged) {
      const text = `${name} ${isCharged ? "charged" : "not charged"}`;
      await inside.prepared("INSERT INTO sequences (name, value) VALUES (?, 0)").run(text);
    },
  };
}

/** Fails as a row that is there already does. */
const faulty: Companion = {
  isDue: async () => true,
  async write(inside) {
    const insert = inside.prepared("INSERT INTO sequences (name, value) VALUES ('twice', 0)");
    await insert.run();
    await insert.run();
  },
};

async function written(): Promise<readonly string[]> {
  const rows = await database.prepared<{ name: string }>("SELECT name FROM sequences ORDER BY name").all();
  return rows.map(({ name }) => name).filter((name) => /charged|twice/.test(name));
}

async function left(): Promise<number | undefined> {
  return (await credits.balance(team)).remaining;
}

test("all companions of a charge are written with it", async () => {
  const work = await hold(3);
  expect(await work.settle(3, companion("document"), companion("links"), companion("webhook"))).toBe(true);
  expect(await written()).toEqual(["document charged", "links charged", "webhook charged"]);
  expect(await left()).toBe(7);
});

test("one that is not due keeps the others and the charge from being written", async () => {
  const work = await hold(3);
  expect(await work.settle(3, companion("document"), companion("limit", false))).toBe(false);
  expect(await written()).toEqual([]);
  expect(await left()).toBe(10);
});

test("all know when the team cannot pay", async () => {
  const work = await hold(3);
  await database.prepared("UPDATE ledger_accounts SET debited = 9 WHERE account = 'prepaid'").run();
  const settled = work.settle(3, companion("document"), companion("links"));
  await expect(settled).rejects.toMatchObject({ code: "insufficient_credits" });
  expect(await written()).toEqual(["document not charged", "links not charged"]);
});

test("one that cannot be written costs its own charge, and no other of the same transaction", async () => {
  const [first, bad, last] = [await hold(1), await hold(2), await hold(3)];
  const settled = await Promise.allSettled([
    first.settle(1, companion("first")),
    bad.settle(2, companion("bad"), faulty),
    last.settle(3, companion("last")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: { code: "billing_unavailable" } });
  expect(await written()).toEqual(["first charged", "last charged"]);
  expect(await left()).toBe(6);
});
