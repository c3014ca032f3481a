import { afterEach, beforeEach, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import { type Credits, openCredits } from "./credits.ts";
import { auditLedger } from "./ledger-audit.ts";
import { createTeam, getTeam } from "./teams.ts";

let database: Database;
let credits: Credits;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  credits = openCredits({ database, owner: new HoldOwner(openMemoryCoordinator()) });
});
afterEach(() => database.close());

/** A team with so many credits, and one charge of one credit for each time. */
async function usedTeam(prepaid: number | undefined, charges: number): Promise<string> {
  const { id } = await createTeam(database, { name: "team" });
  if (prepaid !== undefined) await credits.topUp(id, prepaid);
  const team = await getTeam(database, id);
  for (let charge = 0; charge < charges; charge += 1) {
    const held = await credits.hold({ id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount: 1 });
    await held.charge(1);
  }
  await credits.flush();
  return id;
}

test("books without entries add up", async () => {
  const { sums, problems } = await auditLedger(database);
  expect(problems).toEqual([]);
  expect(sums).toMatchObject({ entries: 0, granted: 0, used: 0, left: 0 });
});

test("what was granted is what was used and what is left", async () => {
  await usedTeam(100, 3);
  await usedTeam(5, 5);
  const { sums, problems } = await auditLedger(database);
  expect(problems).toEqual([]);
  expect(sums).toMatchObject({ teams: 2, granted: 105, used: 8, left: 97 });
});

test.each([
  ["an account that says more is left", "UPDATE ledger_accounts SET debited = debited - 1", "spent"],
  [
    "an account that was credited without an entry",
    "UPDATE ledger_accounts SET credited = credited + 7",
    "received",
  ],
  ["an account that is gone", "DELETE FROM ledger_accounts", "account says 0"],
  [
    "an entry that is gone",
    "DELETE FROM ledger_entries WHERE to_account = 'used'",
    "add up to 0 credits spent",
  ],
])("%s is a problem of its team", async (_name, sql, words) => {
  const id = await usedTeam(100, 1);
  await database.prepared(sql).run();
  const { problems } = await auditLedger(database);
  expect(problems.join("\n")).toContain(`Team ${id}, prepaid: `);
  expect(problems.join("\n")).toContain(words);
});
