import { afterEach, beforeEach, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import type { Payer } from "./balances.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { WorkEnd } from "./charges.ts";
import type { EndedWork, WorkRecord } from "./work.ts";

let accounts: TestAccounts;
let payer: Payer;

beforeEach(async () => {
  accounts = await openTestAccounts();
  const { apiKey } = await accounts.administration.createTeam({ name: "team", credits: 10 });
  const caller = await accounts.callers.byKey(apiKey);
  if (!caller) throw new Error("There is no such key.");
  ({ payer } = caller);
});

afterEach(() => accounts.close());

function hold(amount: number) {
  return accounts.charges.hold({ id: uuidV7(), startedAtMs: Date.now(), payer, amount });
}

async function left(): Promise<number | undefined> {
  return (await accounts.credits.balance(payer.team)).remaining;
}

async function auditedOutcomes(): Promise<readonly unknown[]> {
  await accounts.audit.flush();
  const lines = await accounts.audit.read({ teamId: payer.team.id, count: 100 });
  const events = lines.map(({ text }) => JSON.parse(text) as { kind: string; outcome?: string });
  return events.filter(({ kind }) => kind === "tool").map(({ outcome }) => outcome);
}

const record: WorkRecord = {
  id: "work",
  kind: "crawl",
  teamId: "team",
  status: "completed",
  creditsUsed: 3,
  durationMs: 5,
  createdAtMs: 0,
};
const figure: EndedWork = {
  teamId: "team",
  endedAtMs: 5,
  durationMs: 5,
  creditsUsed: 3,
  isHit: false,
  formats: [],
};

function ended(changes: Partial<WorkEnd> = {}): WorkEnd {
  const { id: teamId } = payer.team;
  return {
    credits: 3,
    audit: [{ kind: "tool", teamId, details: { outcome: "ok" } }],
    record: () => record,
    figure,
    ...changes,
  };
}

test("work is charged, audited, recorded and counted once", async () => {
  const held = await hold(5);
  expect(await left()).toBe(5);
  expect(await accounts.charges.charge(held, ended())).toBe(true);
  expect([await left(), accounts.recorded, accounts.counted]).toEqual([7, [record], [figure]]);
  expect(await auditedOutcomes()).toEqual(["ok"]);
});

test("an audit event that is awaited can be read as soon as the work is charged", async () => {
  const held = await hold(5);
  await accounts.charges.charge(held, ended({ isAuditAwaited: true }));
  const lines = await accounts.audit.read({ teamId: payer.team.id, count: 100 });
  expect(lines.filter(({ text }) => text.includes('"tool"'))).toHaveLength(1);
});

test("work that is not due leaves nothing", async () => {
  const held = await hold(5);
  expect(await accounts.charges.charge(held, ended({ alsoWrite: async () => undefined }))).toBe(false);
  expect([await left(), accounts.recorded, accounts.counted]).toEqual([10, [], []]);
  expect(await auditedOutcomes()).toEqual([]);
});

test("work that cannot be charged is neither recorded nor counted", async () => {
  const held = await hold(5);
  await accounts.database.prepared("UPDATE ledger_accounts SET debited = 9").run();
  await expect(accounts.charges.charge(held, ended())).rejects.toMatchObject({
    code: "insufficient_credits",
  });
  expect([accounts.recorded, accounts.counted]).toEqual([[], []]);
});

test("work that was never begun costs nothing", async () => {
  const held = await hold(5);
  await held.secure();
  await held.release();
  expect([await left(), accounts.recorded]).toEqual([10, []]);
});
