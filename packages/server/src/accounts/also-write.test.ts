import { afterEach, beforeEach, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import { type Credits, openCredits } from "./credits.ts";
import type { AlsoWrite } from "./ledger.ts";
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
function row(name: string): AlsoWrite {
  return async (tx, pay) => {
    const text = `${name} ${(await pay()) ? "charged" : "not charged"}`;
    await tx.prepared("INSERT INTO sequences (name, value) VALUES (?, 0)").run(text);
  };
}

/** Fails as a row that is there already does. */
const faulty: AlsoWrite = async (tx, pay) => {
  await pay();
  const insert = tx.prepared("INSERT INTO sequences (name, value) VALUES ('twice', 0)");
  await insert.run();
  await insert.run();
};

async function written(): Promise<readonly string[]> {
  const rows = await database.prepared<{ name: string }>("SELECT name FROM sequences ORDER BY name").all();
  return rows.map(({ name }) => name).filter((name) => /charged|twice/.test(name));
}

async function left(): Promise<number | undefined> {
  return (await credits.balance(team)).remaining;
}

test("rows beside a charge are written with it", async () => {
  const work = await hold(3);
  expect(await work.charge(3, row("document"))).toBe(true);
  expect(await written()).toEqual(["document charged"]);
  expect(await left()).toBe(7);
});

test("rows beside a charge of nothing are written as well", async () => {
  const work = await hold(3);
  expect(await work.charge(0, row("document"))).toBe(true);
  expect(await written()).toEqual(["document charged"]);
  expect(await left()).toBe(10);
});

test("what does not pay is not charged, and what it writes is kept", async () => {
  const work = await hold(3);
  const late: AlsoWrite = async (tx) => {
    await tx.prepared("INSERT INTO sequences (name, value) VALUES ('too late, not charged', 0)").run();
  };
  expect(await work.charge(3, late)).toBe(false);
  expect(await written()).toEqual(["too late, not charged"]);
  expect(await left()).toBe(10);
});

test("they know when the team cannot pay", async () => {
  const work = await hold(3);
  await database.prepared("UPDATE ledger_accounts SET debited = 9 WHERE account = 'prepaid'").run();
  const settled = work.charge(3, row("document"));
  await expect(settled).rejects.toMatchObject({ code: "insufficient_credits" });
  expect(await written()).toEqual(["document not charged"]);
});

test("rows that cannot be written cost their own charge, and no other of the same transaction", async () => {
  const [first, bad, last] = [await hold(1), await hold(2), await hold(3)];
  const settled = await Promise.allSettled([
    first.charge(1, row("first")),
    bad.charge(2, faulty),
    last.charge(3, row("last")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(settled[1]).toMatchObject({ reason: { code: "billing_unavailable" } });
  expect(await written()).toEqual(["first charged", "last charged"]);
  expect(await left()).toBe(6);
});
