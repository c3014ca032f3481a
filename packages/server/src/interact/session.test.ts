import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import type { Caller } from "../accounts/callers.ts";
import { openRevocations, type Revocations } from "../accounts/revocations.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import { Session } from "./session.ts";
import { SessionMeter } from "./session-meter.ts";
import type { OpenedBrowser } from "./session-parts.ts";
import { SessionRows } from "./session-rows.ts";

const TTL_MS = 600_000;
const IDLE_MS = 300_000;

let accounts: TestAccounts;
let rows: SessionRows;
let revocations: Revocations;
let clock: ManualClock;

beforeAll(async () => {
  accounts = await openTestAccounts();
  rows = new SessionRows(accounts.database);
});

beforeEach(() => {
  clock = new ManualClock();
  revocations = openRevocations(accounts.database, () => undefined);
});

/** A session whose browser is a promise of one: what is returned, and how often, in order. */
async function openSession() {
  const { teamId, apiKey, keyId } = await accounts.administration.createTeam({ name: "team", credits: 100 });
  const caller = (await accounts.callers.byKey(apiKey)) as Caller;
  const id = uuidV7();
  const createdAtMs = Date.now();
  const facts = { id, scrapeId: null, createdAtMs, expiresAtMs: createdAtMs + TTL_MS, streams: 1 };
  await rows.claim({ ...facts, teamId, keyId, process: "this" });
  await rows.activate(id);
  const given: string[] = [];
  let lose: (failure: BrowserFailure) => void = () => undefined;
  const browser: Pick<OpenedBrowser, "onLost" | "close"> & { confined: { lastCommandAtMs: number } } = {
    confined: { lastCommandAtMs: 0 },
    onLost: (listener) => (lose = listener),
    close: async () => void given.push("browser"),
  };
  const { charges } = accounts;
  const revoked = new AbortController();
  revocations.watch(caller, (reason) => revoked.abort(reason));
  const session = new Session({
    facts,
    caller,
    idleMs: IDLE_MS,
    refusesInjection: false,
    browser: browser as unknown as OpenedBrowser,
    page: { leave: async ({ isLost }) => void given.push(isLost ? "profile unsaved" : "profile saved") },
    meter: await SessionMeter.start({
      id,
      payer: caller.payer,
      charges,
      isPrompted: false,
      clock,
      onShort: () => undefined,
    }),
    slot: { revoked: revoked.signal, end: () => void given.push("place") },
    clock,
    rows,
    openRunner: async () => ({
      run: () => Promise.reject(new Error("nothing runs")),
      close: async () => void given.push("box"),
    }),
    settleRest: () => Promise.reject(new Error("there is enough")),
    onError: (failure) => {
      throw failure;
    },
  });
  await session.runner();
  return {
    session,
    given,
    browser,
    keyId,
    lose: () => lose(new BrowserFailure("browser-lost", "It was killed.")),
  };
}

type Opened = Awaited<ReturnType<typeof openSession>>;

async function charged(id: string): Promise<readonly number[]> {
  await accounts.credits.flush();
  const entries = "SELECT amount FROM ledger_entries WHERE to_account = 'used' AND id = ?";
  return (await accounts.database.prepared<{ amount: number }>(entries).all(id)).map(({ amount }) => amount);
}

const SAVED = ["box", "profile saved", "browser", "place"];
const UNSAVED = ["box", "profile unsaved", "browser", "place"];

/** Reason → what happens, what is returned, and what it costs. */
const ends: readonly (readonly [string, (opened: Opened) => unknown, readonly string[], number])[] = [
  ["expired", ({ browser }) => stayBusy(browser, TTL_MS + 1000), SAVED, 20],
  ["idle", () => clock.advance(IDLE_MS + 1000), SAVED, 10],
  ["shutdown", ({ session }) => session.end("shutdown"), SAVED, 2],
  ["stopped", ({ session }) => session.end("stopped"), SAVED, 2],
  [
    "revoked",
    async ({ keyId }) => {
      await accounts.administration.revokeKey(keyId);
      await revocations.check();
    },
    SAVED,
    2,
  ],
  ["browser-lost", ({ lose }) => lose(), UNSAVED, 2],
];

/** Clients use it all the time, so that it does not end for idleness. */
async function stayBusy({ confined }: Opened["browser"], durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 10_000) {
    confined.lastCommandAtMs = clock.now();
    await clock.advance(10_000);
  }
}

describe("a session ends", () => {
  test.each(ends)("once: %s", async (reason, happen, gone, cost) => {
    const opened = await openSession();
    const { session, given } = opened;
    let endings = 0;
    session.whenEnding(() => (endings += 1));
    await happen(opened);
    // Everything else that could end it comes too late.
    await Promise.allSettled(ends.map(([, also]) => also(opened)));
    const end = await session.end("stopped");
    expect([endings, given, end.credits]).toEqual([1, gone, cost]);
    expect(await rows.get(session.facts.id)).toMatchObject({ state: "destroyed", reason, credits: cost });
    expect(await charged(session.facts.id)).toEqual([cost]);
    await expect(
      session.call({ timeoutMs: 10, isPrompted: false, signal: new AbortController().signal }, async () => 1),
    ).rejects.toMatchObject({ code: "SESSION_DESTROYED" });
  });

  test("once, when all of it happens together", async () => {
    const opened = await openSession();
    await Promise.allSettled(ends.map(([, happen]) => happen(opened)));
    const { credits } = await opened.session.end("stopped");
    expect(await charged(opened.session.facts.id)).toEqual([credits]);
    expect(opened.given.filter((part) => part === "browser" || part === "place")).toEqual([
      "browser",
      "place",
    ]);
  });
});
