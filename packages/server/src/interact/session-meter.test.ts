import { beforeAll, describe, expect, test, vi } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import { HoldOwner } from "../accounts/abandoned-holds.ts";
import type { Payer } from "../accounts/balances.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import { recoverSessions } from "./recover.ts";
import { SessionMeter } from "./session-meter.ts";
import { SessionRows } from "./session-rows.ts";
import { settleSession } from "./settle-session.ts";

const MINUTE_MS = 60_000;

let accounts: TestAccounts;
let rows: SessionRows;
const clock = new ManualClock();

beforeAll(async () => {
  accounts = await openTestAccounts();
  rows = new SessionRows(accounts.database);
});

async function makePayer(credits: number): Promise<Payer> {
  const { apiKey } = await accounts.administration.createTeam({ name: "team", credits });
  const caller = await accounts.callers.byKey(apiKey);
  if (!caller) throw new Error("There is no such key.");
  return caller.payer;
}

async function start(payer: Payer, onShort = () => {}, isPrompted = false): Promise<SessionMeter> {
  const { charges } = accounts;
  return SessionMeter.start({ id: uuidV7(), payer, charges, isPrompted, clock, onShort });
}

async function left({ team }: Payer): Promise<number | undefined> {
  return (await accounts.credits.balance(team)).remaining;
}

/** Time goes by, with everything that happens meanwhile. */
async function pass(durationMs: number): Promise<void> {
  await clock.advance(durationMs);
  await accounts.credits.flush();
}

describe("the meter of a session", () => {
  test("sets a minute aside, the next one before it begins, and charges what was used", async () => {
    const payer = await makePayer(20);
    const meter = await start(payer);
    expect(await left(payer)).toBe(18);
    await pass(50_000);
    expect(await left(payer)).toBe(18);
    await pass(8_000);
    expect(await left(payer)).toBe(16);
    await pass(MINUTE_MS);
    expect([await left(payer), meter.price]).toEqual([14, 4]);
    await meter.charge({ credits: meter.price });
    expect(await left(payer)).toBe(16);
    await meter.charge({ credits: 100 });
    expect(await left(payer)).toBe(16);
  });

  test("tells when the next minute cannot be paid, and what was used can be", async () => {
    const payer = await makePayer(5);
    const onShort = vi.fn();
    const meter = await start(payer, onShort);
    await pass(100_000);
    expect(onShort).not.toHaveBeenCalled();
    await pass(16_000);
    expect(onShort).toHaveBeenCalledOnce();
    await meter.charge({ credits: meter.price });
    expect(await left(payer)).toBe(1);
  });

  test("costs more for all of the session once there was a prompt", async () => {
    const payer = await makePayer(20);
    const meter = await start(payer);
    await pass(58_000);
    await meter.raise();
    expect([await left(payer), meter.price]).toEqual([6, 7]);
    await meter.release();
    expect(await left(payer)).toBe(20);
  });

  test("that cannot pay for a prompt stays what it was", async () => {
    const payer = await makePayer(3);
    const meter = await start(payer);
    await expect(meter.raise()).rejects.toMatchObject({ code: "insufficient_credits" });
    expect([await left(payer), meter.price]).toEqual([1, 2]);
    await meter.release();
    await expect(start(payer, () => {}, true)).rejects.toMatchObject({ code: "insufficient_credits" });
    expect(await left(payer)).toBe(3);
  });

  test("catches up after a time in which the process did not run", async () => {
    const payer = await makePayer(100);
    const meter = await start(payer);
    clock.set(clock.now() + 10 * MINUTE_MS);
    await pass(56_000);
    expect(meter.price).toBe(22);
    expect(await left(payer)).toBeLessThanOrEqual(78);
    await meter.charge({ credits: meter.price });
    expect(await left(payer)).toBe(78);
  });
});

describe("a session whose process died", () => {
  async function addRow(payer: Payer, process: string, minutes: number, paidBy?: string): Promise<string> {
    const id = uuidV7();
    const createdAtMs = Date.now() - minutes * MINUTE_MS;
    const { id: teamId } = payer.team;
    const keyId = payer.keyId ?? null;
    const row = {
      id,
      scrapeId: null,
      teamId,
      keyId,
      process,
      createdAtMs,
      streams: 1,
      ...(paidBy && { paidBy }),
    };
    await rows.claim({ ...row, expiresAtMs: createdAtMs + 600_000 });
    await rows.activate(id);
    await rows.touch(id);
    return id;
  }

  const services = () => ({ ...accounts, rows, owner: new HoldOwner(accounts.coordinator) });

  test("is charged to its last use, once, whoever finds it", async () => {
    const payer = await makePayer(50);
    const id = await addRow(payer, "dead", 3);
    await Promise.all([recoverSessions(services()), recoverSessions(services())]);
    await recoverSessions(services());
    expect(await rows.get(id)).toMatchObject({ state: "destroyed", reason: "crashed" });
    expect((await rows.get(id))?.credits).toBeGreaterThanOrEqual(6);
    expect(await left(payer)).toBe(50 - ((await rows.get(id))?.credits ?? 0));
  });

  test("is left alone while its process lives", async () => {
    const lease = await accounts.coordinator.lease("alive", 10_000);
    const payer = await makePayer(50);
    const id = await addRow(payer, "alive", 1);
    await recoverSessions(services());
    expect(await rows.get(id)).toMatchObject({ state: "active" });
    await lease?.release();
    await recoverSessions(services());
    expect(await rows.get(id)).toMatchObject({ state: "destroyed" });
  });

  test("is no dead one's after its process could not renew its lease", async () => {
    const leases = [new AbortController(), new AbortController()];
    const taken = leases.map(({ signal }) => ({ signal, isHeld: true, release: async () => undefined }));
    const owner = new HoldOwner({ lease: async () => taken.shift() });
    const name = await owner.name();
    const id = await addRow(await makePayer(50), name, 1);
    leases[0]?.abort();
    expect(await recoverSessions({ ...services(), owner })).toBe(0);
    expect(await rows.get(id)).toMatchObject({ state: "active", process: await owner.name() });
    expect(await owner.name()).not.toBe(name);
    expect(await recoverSessions(services())).toBe(1);
  });

  test("takes what the team has left when that is less", async () => {
    const payer = await makePayer(3);
    const id = await addRow(payer, "dead", 10);
    await recoverSessions(services());
    expect([await left(payer), (await rows.get(id))?.credits]).toEqual([0, 3]);
  });

  test("costs nothing when other work would have paid: that is done again", async () => {
    const payer = await makePayer(50);
    const id = await addRow(payer, "dead", 3, "run");
    await recoverSessions(services());
    expect(await rows.get(id)).toMatchObject({ state: "destroyed", credits: 0 });
    expect(await left(payer)).toBe(50);
  });

  test("costs nothing when it never began", async () => {
    const payer = await makePayer(9);
    const id = uuidV7();
    const times = { createdAtMs: 0, expiresAtMs: 1 };
    const facts = { id, scrapeId: "s", teamId: payer.team.id, keyId: null, process: "dead", streams: 0 };
    expect(await rows.claim({ ...facts, ...times })).toBe(true);
    expect(await rows.claim({ ...facts, ...times, id: uuidV7() })).toBe(false);
    await recoverSessions(services());
    expect([await rows.get(id), await left(payer)]).toEqual([undefined, 9]);
  });

  test("that somebody else ended is not charged again", async () => {
    const payer = await makePayer(9);
    const id = await addRow(payer, "dead", 0);
    const row = await rows.get(id);
    if (!row) throw new Error("There is no row.");
    await settleSession(row, "crashed", services());
    await settleSession(row, "stopped", services());
    expect([await left(payer), (await rows.get(id))?.reason]).toEqual([7, "crashed"]);
  });
});

test("rows of a team are erased, and old ones pruned", async () => {
  let clockMs = Date.now();
  const old = new SessionRows(accounts.database, () => clockMs);
  const base = {
    scrapeId: null,
    keyId: null,
    process: "p",
    createdAtMs: clockMs,
    expiresAtMs: clockMs,
    streams: 1,
  };
  const add = async (teamId: string) => {
    const id = uuidV7();
    await old.claim({ ...base, id, teamId });
    await old.fail(id);
    return id;
  };
  const [mine, other] = [await add("one"), await add("two")];
  await old.erase("one");
  expect([await old.get(mine), (await old.get(other))?.state]).toEqual([undefined, "error"]);
  clockMs += 25 * 60 * MINUTE_MS;
  await old.prune();
  expect(await old.get(other)).toBeDefined();
  clockMs += 1;
  await old.prune();
  expect(await old.get(other)).toBeUndefined();
});
