import { setTimeout as pause } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../storage/database/postgres-server.suite.ts";
import { HoldOwner, releaseAbandonedHolds } from "./abandoned-holds.ts";
import { allottedOf } from "./ledger-rows.ts";
import { type Credits, openCredits } from "./credits.ts";
import { LedgerAccounts } from "./ledger.ts";
import { auditLedger } from "./ledger-audit.ts";
import { entriesOf } from "./ledger-rows.ts";
import { createTeam, getTeam } from "./teams.ts";

const DAY = 86_400_000;

describe("an allotment", () => {
  let database: Database;
  let credits: Credits;
  let nowMs: number;

  beforeEach(async () => {
    database = await openDatabase("sqlite::memory:");
    await database.migrate();
    nowMs = Date.UTC(2026, 10, 5, 12);
    const owner = new HoldOwner(openMemoryCoordinator());
    credits = openCredits({ database, owner, clock: () => nowMs });
  });
  afterEach(() => database.close());

  async function teamWith(prepaid: number): Promise<string> {
    const { id } = await createTeam(database, { name: "team" });
    await credits.topUp(id, prepaid);
    return id;
  }

  /** A transaction of a process that takes allotments. @returns whether the charge was kept. */
  function charge(teamId: string, owner: string, amount: number, id = uuidV7()): Promise<boolean> {
    return database.transaction(async (tx) => {
      const books = await LedgerAccounts.open(tx, teamId, { owner });
      const isCharged = await books.charge({ id, amount, keyId: null });
      await books.save();
      return isCharged;
    });
  }

  const allotted = (teamId: string) => allottedOf(database, teamId);

  async function remaining(teamId: string): Promise<number | undefined> {
    return (await credits.balance(await getTeam(database, teamId))).remaining;
  }

  async function expectBooksToAddUp(): Promise<void> {
    expect((await auditLedger(database)).problems).toEqual([]);
  }

  test("is charged without a change of the account it was taken from, and belongs to the team's balance", async () => {
    const teamId = await teamWith(1000);
    await charge(teamId, "one", 1);
    // Entries are in the order of their ids, which is that of milliseconds.
    await pause(2);
    expect(await allotted(teamId)).toBe(64);
    const accounts = await database.prepared("SELECT * FROM ledger_accounts").all();
    await charge(teamId, "one", 10);
    expect(await database.prepared("SELECT * FROM ledger_accounts").all()).toEqual(accounts);
    expect(await allotted(teamId)).toBe(54);
    expect(await remaining(teamId)).toBe(989);
    expect((await entriesOf(database, teamId, { count: 1 })).at(0)).toMatchObject({
      amount: 10,
      balance: 989,
    });
    await expectBooksToAddUp();
    expect((await auditLedger(database)).sums).toMatchObject({
      granted: 1000,
      used: 11,
      left: 935,
      allotted: 54,
    });
  });

  test("is an eighth of what the account has at most, and none for the last credits", async () => {
    const teamId = await teamWith(100);
    await charge(teamId, "one", 4);
    expect(await allotted(teamId)).toBe(12);
    const other = await teamWith(20);
    await charge(other, "one", 4);
    expect(await allotted(other)).toBe(0);
  });

  test("of a process ends when another needs what is left: not one credit is out of reach or spent twice", async () => {
    const teamId = await teamWith(100);
    for (const owner of ["one", "two", "three"]) await charge(teamId, owner, 1);
    expect(await allotted(teamId)).toBeGreaterThan(20);
    expect(await charge(teamId, "two", 98)).toBe(false);
    expect(await charge(teamId, "two", 97)).toBe(true);
    expect(await allotted(teamId)).toBe(0);
    for (const owner of ["one", "two", "three"]) expect(await charge(teamId, owner, 1)).toBe(false);
    expect(await remaining(teamId)).toBe(0);
    await expectBooksToAddUp();
  });

  test("pays for each work once, however often it is charged", async () => {
    const teamId = await teamWith(1000);
    await charge(teamId, "one", 1, "work");
    await charge(teamId, "one", 5, "work");
    await charge(teamId, "two", 5, "work");
    expect(await remaining(teamId)).toBe(999);
    await expectBooksToAddUp();
  });

  test("of an allowance ends with its period, and is used up by all before prepaid credits are", async () => {
    const team = await createTeam(database, { name: "team", allowance: { credits: 100, period: "day" } });
    await credits.topUp(team.id, 1000);
    await remaining(team.id);
    await charge(team.id, "one", 1);
    expect(await allotted(team.id)).toBe(12);
    await charge(team.id, "two", 87);
    await charge(team.id, "two", 12);
    const moves = await entriesOf(database, team.id, { count: 10 });
    expect(moves.filter(({ from }) => from === "prepaid")).toEqual([]);
    expect(await remaining(team.id)).toBe(1000);

    nowMs += DAY;
    await remaining(team.id);
    await charge(team.id, "one", 1);
    nowMs += DAY;
    expect(await remaining(team.id)).toBe(1100);
    await expectBooksToAddUp();
    const ended = (await entriesOf(database, team.id, { count: 10 })).filter(({ to }) => to === "issuer");
    expect(ended).toMatchObject([{ amount: 99 }]);
  });

  test("of a process that died returns, by whoever looks", async () => {
    const coordinator = openMemoryCoordinator();
    const owner = new HoldOwner(coordinator);
    const teamId = await teamWith(1000);
    await charge(teamId, await owner.name(), 1);
    expect(await releaseAbandonedHolds({ database, coordinator, owner })).toBe(0);
    expect(await allotted(teamId)).toBe(64);
    await owner.close();
    await releaseAbandonedHolds({ database, coordinator, owner: new HoldOwner(coordinator) });
    expect(await allotted(teamId)).toBe(0);
    expect(await remaining(teamId)).toBe(999);
    await expectBooksToAddUp();
  });

  test("that is gone without its credits is found by the audit", async () => {
    const teamId = await teamWith(1000);
    await charge(teamId, "one", 1);
    await database.prepared("DELETE FROM ledger_allotments").run();
    const { problems } = await auditLedger(database);
    expect(problems).toEqual([
      `Team ${teamId}, prepaid: the entries add up to 1 credits spent, the account says 65.`,
    ]);
  });
});

const programs = findPostgres();
const PROCESSES = 4;

describe.runIf(programs)("processes over one Postgres that charge one team", () => {
  let server: PostgresServer;
  let databases: Database[];
  let processes: Credits[];

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    databases = [];
    for (let process = 0; process < PROCESSES; process += 1) {
      const database = await openDatabase(server.url("charges"));
      await database.migrate();
      databases.push(database);
    }
    processes = databases.map((database) =>
      openCredits({ database, owner: new HoldOwner(openMemoryCoordinator()) }),
    );
  }, 60_000);
  afterAll(async () => {
    for (const database of databases) await database.close();
    await server.stop();
  });

  const first = (): Database => databases[0] as Database;

  async function teamWith(amount: number): Promise<string> {
    const { id } = await createTeam(first(), { name: "team" });
    await processes[0]?.topUp(id, amount);
    return id;
  }

  /** @returns how many were charged in each process. */
  function chargeEverywhere(teamId: string, charges: number): Promise<readonly number[]> {
    return Promise.all(
      processes.map(async (credits) => {
        const team = await getTeam(first(), teamId);
        const charged = await Promise.all(
          Array.from({ length: charges }, async () => {
            const work = { id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount: 1 };
            return credits.hold(work).then(
              (held) => held.charge(1).catch(() => false),
              () => false,
            );
          }),
        );
        return charged.filter(Boolean).length;
      }),
    );
  }

  test("take allotments once they were in each other's way, and the books add up at any moment", async () => {
    const teamId = await teamWith(1_000_000);
    const audits: (readonly string[])[] = [];
    const progress = { isOver: false };
    const charging = (async () => {
      let total = 0;
      for (let round = 0; round < 15; round += 1) {
        total += (await chargeEverywhere(teamId, 20)).reduce((sum, charged) => sum + charged, 0);
      }
      progress.isOver = true;
      return total;
    })();
    while (!progress.isOver) audits.push((await auditLedger(first())).problems);
    expect(await charging).toBe(15 * 20 * PROCESSES);
    expect(audits.flat()).toEqual([]);
    expect(await allottedOf(first(), teamId)).toBeGreaterThan(0);
    const { remaining, usedThisMonth } = (await processes[0]?.balance(await getTeam(first(), teamId))) ?? {};
    expect({ remaining, usedThisMonth }).toEqual({ remaining: 1_000_000 - 1200, usedThisMonth: 1200 });
  }, 60_000);

  test("charge exactly the last credits", async () => {
    for (let round = 0; round < 3; round += 1) {
      const teamId = await teamWith(5);
      const charged = await chargeEverywhere(teamId, 50);
      expect(charged.reduce((sum, count) => sum + count, 0)).toBe(5);
    }
    expect((await auditLedger(first())).problems).toEqual([]);
  }, 60_000);

  test("charge nothing with an allotment that ended while they were paused in a transaction", async () => {
    const [one, other] = databases as [Database, Database];
    const teamId = await teamWith(100);
    const charge = async (database: Database, owner: string, amount: number, meanwhile = async () => {}) => {
      let runs = 0;
      const isCharged = await database.transaction(async (tx) => {
        const books = await LedgerAccounts.open(tx, teamId, { owner });
        runs += 1;
        if (runs === 1) await meanwhile();
        const kept = await books.charge({ id: uuidV7(), amount, keyId: null });
        await books.save();
        return kept;
      });
      return { isCharged, runs };
    };
    await charge(one, "paused", 1);
    expect(await allottedOf(one, teamId)).toBe(12);
    const late = await charge(one, "paused", 1, async () => {
      expect(await charge(other, "going", 99)).toMatchObject({ isCharged: true });
    });
    expect(late).toEqual({ isCharged: false, runs: 2 });
    expect((await auditLedger(one)).problems).toEqual([]);
  }, 60_000);
});
