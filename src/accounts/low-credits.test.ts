import { afterEach, beforeEach, expect, test } from "vitest";

import { openMemoryCoordinator } from "../platform/coordination/memory.ts";
import type { Database } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/drivers.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import { openCredits } from "./credits.ts";
import { teamsBelow } from "./low-credits.ts";
import { changeTeam, createTeam } from "./teams.ts";

const DAY_MS = 86_400_000;

let database: Database;
let nowMs: number;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 15, 12);
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
});

afterEach(() => database.close());

const below = async (credits: number) => {
  const found = await teamsBelow(database, { credits, maxTeams: 10, nowMs });
  return found.map(({ name, remaining }) => `${name} ${remaining}`);
};

test("what is left counts as it would with the next request: renewed and raised allowances too", async () => {
  const credits = openCredits({
    database,
    owner: new HoldOwner(openMemoryCoordinator()),
    clock: () => nowMs,
  });
  await createTeam(database, { name: "unlimited" });
  const prepaid = await createTeam(database, { name: "prepaid" });
  await credits.topUp(prepaid.id, 5);
  const daily = await createTeam(database, { name: "daily", allowance: { credits: 20, period: "day" } });
  expect(await below(50)).toEqual(["prepaid 5", "daily 20"]);
  const hold = await credits.hold({ id: "a", startedAtMs: nowMs, payer: { team: daily }, amount: 18 });
  await hold.settle(18);
  await credits.flush();
  expect(await below(20)).toEqual(["daily 2", "prepaid 5"]);
  await changeTeam(database, daily.id, { allowance: { credits: 30, period: "day" } }, undefined);
  expect(await below(20)).toEqual(["prepaid 5", "daily 12"]);
  nowMs += DAY_MS;
  expect(await below(50)).toEqual(["prepaid 5", "daily 30"]);
});
