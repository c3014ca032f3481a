import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import { type Credits, openCredits } from "./credits.ts";
import { entriesOf } from "./ledger-rows.ts";
import type { Payer } from "./balances.ts";
import { changeTeam, createTeam, getTeam, type Team } from "./teams.ts";
import { usageByMonth } from "./usage.ts";

let database: Database;
let credits: Credits;
let nowMs: number;

const START = Date.UTC(2026, 10, 15);
const DAY = 24 * 60 * 60 * 1000;
const clock = () => nowMs;
const owner = new HoldOwner(openMemoryCoordinator());

beforeEach(async () => {
  nowMs = START;
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  credits = openCredits({ database, owner, clock });
});

afterEach(async () => {
  await credits.flush();
  await database.close();
});

/** A team with this many prepaid credits. */
async function teamWith(prepaid: number): Promise<Team> {
  const team = await createTeam(database, { name: "team" });
  await credits.topUp(team.id, prepaid);
  return getTeam(database, team.id);
}

function hold(payer: Payer, amount: number, id = uuidV7()) {
  return credits.hold({ id, startedAtMs: nowMs, payer, amount });
}

async function left(team: Team): Promise<number | undefined> {
  return (await credits.balance(team)).remaining;
}

/** Entries as `from → to amount`, oldest first; those of the same millisecond in any order. */
async function moves(team: Team): Promise<readonly string[]> {
  const entries = await entriesOf(database, team.id, { count: 1000 });
  return entries.map(({ from, to, amount }) => `${from} → ${to} ${amount}`).reverse();
}

const short = { code: "insufficient_credits" };

describe("a hold", () => {
  test("keeps credits from others, and gives back what the work did not cost", async () => {
    const team = await teamWith(10);
    const held = await hold({ team }, 8);
    expect(await left(team)).toBe(2);
    await expect(hold({ team }, 3)).rejects.toMatchObject(short);
    await held.charge(5);
    expect(await left(team)).toBe(5);
    expect((await moves(team)).toSorted()).toEqual(["issuer → prepaid 10", "prepaid → used 5"]);
  });

  test("of many that begin together looks at the books once for all", async () => {
    const team = await teamWith(100);
    let looks = 0;
    const watched: Database = {
      ...database,
      transaction: (work, options) => {
        looks += 1;
        return database.transaction(work, options);
      },
    };
    const fresh = openCredits({ database: watched, owner, clock });
    const work = () => ({ id: uuidV7(), startedAtMs: nowMs, payer: { team }, amount: 1 });
    await Promise.all(Array.from({ length: 50 }, () => fresh.hold(work())));
    expect(looks).toBe(1);
    expect(await left(team)).toBe(100);
  });

  test("gives everything back when it is released", async () => {
    const team = await teamWith(3);
    await (await hold({ team }, 3)).release();
    expect(await left(team)).toBe(3);
    expect(await moves(team)).toEqual(["issuer → prepaid 3"]);
  });

  test("counts once, whatever is called afterwards", async () => {
    const team = await teamWith(10);
    const held = await hold({ team }, 2);
    await Promise.all([held.charge(2), held.charge(2), held.release()]);
    await held.charge(1);
    await held.extend(9);
    await held.secure();
    expect(await left(team)).toBe(8);
    expect((await moves(team)).toSorted()).toEqual(["issuer → prepaid 10", "prepaid → used 2"]);
    expect(await database.prepared("SELECT * FROM ledger_holds").all()).toEqual([]);
  });

  test("of the same id is charged once, also by another process", async () => {
    const team = await teamWith(10);
    const id = uuidV7();
    const other = openCredits({ database, owner, clock });
    const work = { id, startedAtMs: nowMs, payer: { team }, amount: 4 };
    const holds = [await credits.hold(work), await other.hold(work)];
    for (const held of holds) await held.charge(4);
    expect(await left(team)).toBe(6);
    expect(await moves(team)).toHaveLength(2);
  });

  test("grows when more becomes known, as far as there are credits", async () => {
    const team = await teamWith(10);
    const held = await hold({ team }, 1);
    await held.extend(7);
    expect(await left(team)).toBe(3);
    await held.extend(2);
    expect(await left(team)).toBe(3);
    await expect(held.extend(11)).rejects.toMatchObject(short);
    expect(await left(team)).toBe(3);
    await expect(held.charge(12)).rejects.toMatchObject(short);
    await held.charge(10);
    expect(await left(team)).toBe(0);
  });

  test("that was written down is gone once the work is charged", async () => {
    const team = await teamWith(10);
    const held = () => database.prepared<{ amount: number }>("SELECT amount FROM ledger_holds").all();
    const first = await hold({ team }, 2);
    await first.secure();
    await first.extend(3);
    expect(await held()).toEqual([{ amount: 3 }]);
    await first.charge(3);
    expect(await held()).toEqual([]);
  });

  test("leaves nothing behind when the work is given up while it is written", async () => {
    const team = await teamWith(10);
    const held = await hold({ team }, 2);
    const written = held.secure();
    await Promise.all([written, held.release()]);
    await credits.flush();
    expect(await database.prepared("SELECT * FROM ledger_holds").all()).toEqual([]);
    expect(await left(team)).toBe(10);
  });
});

describe("credits", () => {
  test("of fifty who want the last five go to five", async () => {
    const team = await teamWith(5);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        const held = await hold({ team }, 1);
        await new Promise(setImmediate);
        await held.charge(1);
      }),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(results.filter((result) => result.status === "rejected").map(({ reason }) => reason)).toEqual(
      Array.from({ length: 45 }, () => expect.objectContaining(short)),
    );
    expect(await left(team)).toBe(0);
  });

  test("that another process has used cannot be used again", async () => {
    const team = await teamWith(5);
    const other = openCredits({ database, owner, clock });
    const here = await hold({ team }, 4);
    const there = await other.hold({ id: uuidV7(), startedAtMs: nowMs, payer: { team }, amount: 3 });
    await there.charge(3);
    await expect(here.charge(4)).rejects.toMatchObject(short);
    expect(await left(team)).toBe(2);
    expect((await moves(team)).toSorted()).toEqual(["issuer → prepaid 5", "prepaid → used 3"]);
  });

  test("that another process has added are found when they are needed", async () => {
    const team = await teamWith(1);
    await (await hold({ team }, 1)).charge(1);
    await expect(credits.requireAny({ team })).rejects.toMatchObject(short);
    await openCredits({ database, owner, clock }).topUp(team.id, 2);
    await credits.requireAny({ team });
    await (await hold({ team }, 2)).charge(2);
    expect(await left(team)).toBe(0);
  });

  test("never run out unless somebody set an end, and are counted", async () => {
    const team = await createTeam(database, { name: "team" });
    await (await hold({ team, keyId: "k" }, 1_000_000)).charge(1_000_000);
    expect(await credits.balance(team)).toEqual({ remaining: undefined, usedThisMonth: 1_000_000 });
    expect(await moves(team)).toEqual(["issuer → used 1000000"]);
    expect(await usageByMonth(database, team.id, { byKey: true })).toMatchObject([
      { keyId: "k", creditsUsed: 1_000_000, requests: 1 },
    ]);
  });

  test("are only counted where nobody pays", async () => {
    const open = openCredits({ database, owner, clock, countsOnly: true });
    const team = await createTeam(database, { name: "team" });
    const held = await open.hold({ id: uuidV7(), startedAtMs: nowMs, payer: { team }, amount: 2 });
    await held.secure();
    await held.charge(2);
    await open.flush();
    expect(await moves(team)).toEqual([]);
    expect((await open.balance(team)).usedThisMonth).toBe(2);
  });

  test("of a key end when its share of the month is used", async () => {
    const team = await teamWith(100);
    const payer = { team, keyId: "k", keyCredits: 5 };
    await (await hold(payer, 4)).charge(4);
    await expect(hold(payer, 2)).rejects.toMatchObject({ ...short, message: /API key/ });
    await (await hold({ team, keyId: "other" }, 50)).charge(50);
    const restarted = openCredits({ database, owner, clock });
    const work = { id: uuidV7(), startedAtMs: nowMs, payer, amount: 2 };
    await expect(restarted.hold(work)).rejects.toMatchObject(short);
    nowMs = Date.UTC(2026, 11, 1);
    await (await hold(payer, 5)).charge(5);
    expect(await left(team)).toBe(41);
  });
});

describe("an allowance", () => {
  async function teamWithAllowance(amount: number): Promise<Team> {
    return createTeam(database, { name: "team", allowance: { credits: amount, period: "day" } });
  }

  test("is granted anew each period, and what is left of it ends", async () => {
    const team = await teamWithAllowance(10);
    await (await hold({ team }, 4)).charge(4);
    nowMs += DAY;
    expect(await left(team)).toBe(10);
    await (await hold({ team }, 10)).charge(10);
    await expect(hold({ team }, 1)).rejects.toMatchObject(short);
    nowMs += DAY;
    await (await hold({ team }, 1)).release();
    expect((await moves(team)).toSorted()).toEqual([
      "allowance → issuer 6",
      "allowance → used 10",
      "allowance → used 4",
      "issuer → allowance 10",
      "issuer → allowance 10",
      "issuer → allowance 10",
    ]);
  });

  test("is used before prepaid credits, which do not end", async () => {
    const team = await teamWithAllowance(3);
    await credits.topUp(team.id, 5);
    expect(await left(team)).toBe(8);
    await (await hold({ team }, 4)).charge(4);
    expect(await moves(team)).toEqual(
      expect.arrayContaining([
        "issuer → allowance 3",
        "issuer → prepaid 5",
        "allowance → used 3",
        "prepaid → used 1",
      ]),
    );
    nowMs += DAY;
    expect(await left(team)).toBe(7);
  });

  test("that is raised counts at once, one that is lowered with the next period", async () => {
    const team = await teamWithAllowance(3);
    expect(await left(team)).toBe(3);
    const raised = await changeTeam(database, team.id, { allowance: { credits: 8, period: "day" } });
    await (await hold({ team: raised }, 8)).release();
    const lowered = await changeTeam(database, team.id, { allowance: { credits: 1, period: "day" } });
    expect(await left(lowered)).toBe(8);
    nowMs += DAY;
    expect(await left(lowered)).toBe(1);
  });
});

describe("an allowance, when the clock jumps,", () => {
  async function teamWithDailyTen(): Promise<Team> {
    return createTeam(database, { name: "team", allowance: { credits: 10, period: "day" } });
  }

  test("is not granted twice for a day that comes again", async () => {
    const team = await teamWithDailyTen();
    await (await hold({ team }, 10)).charge(10);
    nowMs -= DAY;
    expect(await left(team)).toBe(0);
    nowMs += DAY;
    expect(await left(team)).toBe(0);
    nowMs += DAY;
    expect(await left(team)).toBe(10);
    nowMs -= DAY;
    await expect(hold({ team }, 11)).rejects.toMatchObject(short);
    expect(await left(team)).toBe(10);
  });

  test("pays work that began in the period before, from what there is when it ends", async () => {
    const team = await teamWithDailyTen();
    const untouched = await hold({ team }, 6);
    nowMs += DAY;
    await untouched.charge(6);
    expect(await left(team)).toBe(10);
    const renewed = await hold({ team }, 6);
    nowMs += DAY;
    expect(await left(team)).toBe(4);
    await renewed.charge(6);
    expect(await left(team)).toBe(4);
  });

  test("that is gone by the end of the work charges nothing and answers nothing", async () => {
    const team = await teamWithDailyTen();
    const held = await hold({ team }, 10);
    const lowered = await changeTeam(database, team.id, { allowance: { credits: 3, period: "day" } });
    nowMs += DAY;
    expect(await left(lowered)).toBe(0);
    await expect(held.charge(10)).rejects.toMatchObject(short);
    expect(await left(lowered)).toBe(3);
  });
});

test("of changes to a team at the same time each is kept", async () => {
  const team = await createTeam(database, { name: "team" });
  await Promise.all([
    changeTeam(database, team.id, { flags: { providerTools: true } }),
    changeTeam(database, team.id, { limits: { concurrency: 3 } }),
    credits.topUp(team.id, 5),
    changeTeam(database, team.id, { flags: { termsAccepted: true } }),
  ]);
  expect(await getTeam(database, team.id)).toMatchObject({
    flags: { providerTools: true, termsAccepted: true },
    limits: { concurrency: 3 },
    isLimited: true,
  });
});

test("a ledger that cannot be read is told like one that cannot be written", async () => {
  const team = await teamWith(5);
  await database.prepared("ALTER TABLE ledger_accounts RENAME TO elsewhere").run();
  const unavailable = { code: "billing_unavailable", retryAfterSeconds: expect.any(Number) as number };
  const fresh = openCredits({ database, owner, clock });
  await expect(fresh.requireAny({ team })).rejects.toMatchObject(unavailable);
  const work = { id: uuidV7(), startedAtMs: nowMs, payer: { team }, amount: 1 };
  await expect(fresh.hold(work)).rejects.toMatchObject(unavailable);
});

describe("a ledger that cannot be written", () => {
  test("charges nothing, keeps work from beginning, and works again afterwards", async () => {
    const team = await teamWith(5);
    const held = await hold({ team }, 2);
    await database.prepared("ALTER TABLE ledger_entries RENAME TO elsewhere").run();
    await expect(held.charge(2)).rejects.toMatchObject({ code: "billing_unavailable" });
    await database.prepared("ALTER TABLE ledger_holds RENAME TO nowhere").run();
    const next = await hold({ team }, 5);
    await expect(next.secure()).rejects.toMatchObject({ code: "billing_unavailable" });
    await next.release();
    await credits.flush();
    await database.prepared("ALTER TABLE elsewhere RENAME TO ledger_entries").run();
    await database.prepared("ALTER TABLE nowhere RENAME TO ledger_holds").run();
    await (await hold({ team }, 5)).charge(5);
    expect(await left(team)).toBe(0);
  });
});

test("random work of fifty clients balances to the credit and is never negative", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ledger-"));
  const disk = await openDatabase(`sqlite:${folder}/test.db`);
  await disk.migrate();
  const books = openCredits({ database: disk, owner });
  const { id } = await createTeam(disk, { name: "team" });
  const granted = 400;
  await books.topUp(id, granted);
  const team = await getTeam(disk, id);
  let charged = 0;
  let lowest = granted;
  const random = pseudoRandom(42);

  async function client(): Promise<void> {
    for (let turn = 0; turn < 12; turn += 1) {
      const amount = 1 + Math.floor(random() * 9);
      const work = { id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount };
      const held = await books.hold(work).catch(() => undefined);
      if (!held) continue;
      const fate = random();
      if (fate < 0.3) await held.secure();
      if (fate > 0.8) await held.extend(amount + 3).catch(() => undefined);
      await new Promise(setImmediate);
      const cost = fate < 0.6 ? Math.ceil(random() * amount) : 0;
      await held.charge(cost);
      charged += cost;
      lowest = Math.min(lowest, (await books.balance(team)).remaining ?? Number.NaN);
    }
  }

  await Promise.all(Array.from({ length: 50 }, client));
  await books.flush();
  const sums = await disk
    .prepared<{ account: string; balance: number }>(
      `SELECT account, sum(amount) AS balance FROM (
         SELECT to_account AS account, amount FROM ledger_entries
         UNION ALL SELECT from_account, -amount FROM ledger_entries) AS moves GROUP BY account ORDER BY account`,
    )
    .all();
  const { remaining } = await books.balance(team);
  expect(charged).toBeGreaterThan(300);
  expect(remaining).toBe(granted - charged);
  expect(lowest).toBeGreaterThanOrEqual(0);
  expect(sums.map((row) => ({ ...row }))).toEqual([
    { account: "issuer", balance: -granted },
    { account: "prepaid", balance: remaining },
    { account: "used", balance: charged },
  ]);
  expect(await disk.prepared("SELECT * FROM ledger_holds").all()).toEqual([]);
  await disk.close();
  await rm(folder, { recursive: true, force: true });
});

/** Mulberry32: the same numbers on every run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
