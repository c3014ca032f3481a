import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Coordinator } from "../storage/coordination/coordinator.ts";
import { openDatabaseCoordinator } from "../storage/coordination/database.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { type Caller, callerOf } from "./callers.ts";
import { Limits, type LimitSettings } from "./limits.ts";
import type { RateClassName } from "../api/rate-classes.ts";
import type { KeyRestrictions } from "../api/key-restrictions.ts";
import { createTeam } from "./teams.ts";
import { type TeamLimits } from "../api/teams.ts";

const START_MS = Date.UTC(2026, 10, 15, 12, 0, 30);
const NO_LIMITS: LimitSettings = { concurrency: undefined, requestsPerMinute: undefined, queued: 10 };

let database: Database;
let coordinator: Coordinator;
let nowMs: number;

beforeEach(async () => {
  nowMs = START_MS;
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  coordinator = openDatabaseCoordinator({
    database,
    clock: () => nowMs,
    onError: (failure) => {
      throw failure;
    },
  });
});

afterEach(async () => {
  await coordinator.close();
  await database.close();
});

function limitsOf(defaults: Partial<LimitSettings>): Limits {
  return new Limits({ ...NO_LIMITS, ...defaults }, coordinator, () => nowMs);
}

async function callerWith(limits: TeamLimits = {}, restrictions: KeyRestrictions = {}): Promise<Caller> {
  const caller = callerOf(await createTeam(database, { name: "team", limits }));
  return { ...caller, keyId: `key of ${caller.teamId}`, restrictions };
}

/** How many of `asked` requests pass. */
async function passing(limits: Limits, caller: Caller, asked: number, kind: RateClassName = "scrape") {
  const counted = await Promise.allSettled(
    Array.from({ length: asked }, async () => limits.countRequest(caller, kind)),
  );
  return counted.filter(({ status }) => status === "fulfilled").length;
}

function enter(limits: Limits, caller: Caller, timeoutMs = 60_000, signal = new AbortController().signal) {
  return limits.enter(caller, timeoutMs, signal);
}

describe("the rate", () => {
  test("of a team is its own where it has one, else that of the settings, else none", async () => {
    const limits = limitsOf({ requestsPerMinute: 3 });
    expect(await passing(limits, await callerWith(), 10)).toBe(3);
    expect(await passing(limits, await callerWith({ requestsPerMinute: 5 }), 10)).toBe(5);
    expect(await passing(limits, await callerWith({ requestsPerMinute: null }), 10)).toBe(3);
    expect(await passing(limitsOf({}), await callerWith(), 200)).toBe(200);
  });

  test("without a limit reaches no database", async () => {
    const limits = limitsOf({});
    const caller = await callerWith();
    await database.close();
    expect(await passing(limits, caller, 50)).toBe(50);
    const slots = await Promise.all([1, 2, 3].map(() => enter(limits, caller)));
    expect(await limits.load(caller.team)).toEqual({ running: 3, waiting: 0, limit: undefined });
    expect(await limits.busy()).toEqual([
      { teamId: caller.teamId, running: 3, waiting: 0, limit: undefined },
    ]);
    for (const slot of slots) slot.release();
    slots[0]?.release();
    expect(await limits.busy()).toEqual([]);
    database = await openDatabase("sqlite::memory:");
  });

  test("of status requests is fifty times that of scrapes, counted apart", async () => {
    const limits = limitsOf({ requestsPerMinute: 2 });
    const caller = await callerWith();
    expect(await passing(limits, caller, 5)).toBe(2);
    expect(await passing(limits, caller, 120, "status")).toBe(100);
  });

  test.each([
    ["map", 7, 7],
    ["search", 7, 7],
    ["crawl", 7, 2],
    ["agent", 7, 2],
    ["crawl", 1, 1],
    ["session", 7, 1],
    ["crawlStatus", 2, 100],
    ["agentStatus", 2, 100],
  ] as const)("of %s requests is, at %i a minute, %i of its own", async (kind, requestsPerMinute, most) => {
    const limits = limitsOf({ requestsPerMinute });
    const caller = await callerWith();
    expect(await passing(limits, caller, 120, kind)).toBe(most);
    expect(await passing(limits, caller, 20)).toBe(requestsPerMinute);
  });

  test("of a key narrows that of its team", async () => {
    const limits = limitsOf({ requestsPerMinute: 4 });
    const narrow = await callerWith({}, { requestsPerMinute: 1 });
    const wide = { ...narrow, keyId: "another", restrictions: {} };
    expect(await passing(limits, narrow, 3)).toBe(1);
    // Requests that the key's own rate has refused were sent by the team all the same.
    expect(await passing(limits, wide, 5)).toBe(1);
  });

  test("of one team is nothing to another", async () => {
    const limits = limitsOf({ requestsPerMinute: 1 });
    expect(await passing(limits, await callerWith(), 2)).toBe(1);
    expect(await passing(limits, await callerWith(), 2)).toBe(1);
  });

  test("is refused in the words of the contract, with numbers that are true", async () => {
    const limits = limitsOf({ requestsPerMinute: 2 });
    const caller = await callerWith();
    await limits.countRequest(caller, "scrape");
    await limits.countRequest(caller, "scrape");
    nowMs += 15_000;
    const count = async () => limits.countRequest(caller, "scrape");
    const refusal = (await count().catch((failure: unknown) => failure)) as {
      readonly message: string;
      readonly retryAfterSeconds: number;
    };
    expect(refusal).toMatchObject({ name: "RateLimitError" });
    expect(refusal.message).toMatch(
      /^Rate limit exceeded\. Consumed \(req\/min\): 3, Remaining \(req\/min\): 0\. .* please retry after 15s, resets at 2026-11-15T12:\S+Z$/,
    );
    nowMs += refusal.retryAfterSeconds * 1000;
    await expect(count()).resolves.toBeUndefined();
    await expect(count()).rejects.toThrow("Consumed (req/min): 3");
  });

  test("does not double where one minute of the clock ends and the next begins", async () => {
    const limits = limitsOf({ requestsPerMinute: 10 });
    const caller = await callerWith();
    nowMs = Date.UTC(2026, 10, 15, 12, 0, 59, 900);
    expect(await passing(limits, caller, 20)).toBe(10);
    nowMs = Date.UTC(2026, 10, 15, 12, 1, 0, 700);
    expect(await passing(limits, caller, 20)).toBe(0);
  });
});

describe("the concurrency", () => {
  test("lets the next one in when one has left, and tells how long it waited", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const caller = await callerWith();
    const first = await enter(limits, caller);
    const second = enter(limits, caller);
    await pause(20);
    expect(await limits.load(caller.team)).toEqual({ running: 1, waiting: 1, limit: 1 });
    first.release();
    const slot = await second;
    expect([first.waitedMs, (slot.waitedMs ?? 0) > 10]).toEqual([undefined, true]);
    slot.release();
  });

  test("of one team holds up no other", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const slots = [await enter(limits, await callerWith()), await enter(limits, await callerWith())];
    expect(slots.map(({ waitedMs }) => waitedMs)).toEqual([undefined, undefined]);
    for (const slot of slots) slot.release();
  });

  test("a wait of two thirds of the timeout is the longest", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const caller = await callerWith();
    const first = await enter(limits, caller);
    const startMs = performance.now();
    await expect(enter(limits, caller, 300)).rejects.toMatchObject({ code: "CONCURRENCY_QUEUE_TIMEOUT" });
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(195);
    first.release();
  });

  test("one too many to wait is told at once when to come again", async () => {
    const limits = limitsOf({ concurrency: 1, queued: 1 });
    const caller = await callerWith();
    const first = await enter(limits, caller);
    const second = enter(limits, caller);
    await expect(enter(limits, caller)).rejects.toMatchObject({
      name: "RateLimitError",
      message: "Concurrency limit reached",
      retryAfterSeconds: 5,
    });
    first.release();
    (await second).release();
  });

  test("who goes away while waiting is let go with the reason", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const caller = await callerWith();
    const first = await enter(limits, caller);
    const gone = new AbortController();
    const second = enter(limits, caller, 60_000, gone.signal);
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    first.release();
    (await enter(limits, caller)).release();
  });

  test("an operator's new limit holds for those who wait, too", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const caller = await callerWith();
    const raised = { ...caller, team: { ...caller.team, limits: { concurrency: 3 } } };
    const slots = [await enter(limits, caller)];
    const waiting = [enter(limits, caller), enter(limits, raised)];
    slots.push(...(await Promise.all(waiting)));
    expect(await limits.load(raised.team)).toEqual({ running: 3, waiting: 0, limit: 3 });
    for (const slot of slots) slot.release();
  });

  test("jobs leave a quarter of the places to single requests, which go first", async () => {
    const limits = limitsOf({ concurrency: 5, queued: 1 });
    const caller = await callerWith();
    const { signal } = new AbortController();
    const enterOfJob = () => limits.enterOfJob(caller, 60_000, signal);
    const ofJobs = await Promise.all([1, 2, 3, 4].map(enterOfJob));
    let isIn = false;
    const fifth = enterOfJob().then((place) => {
      isIn = true;
      return place;
    });
    const single = await enter(limits, caller);
    const order: string[] = [];
    const next = enter(limits, caller).then((place) => (order.push("single"), place));
    const job = fifth.then((place) => (order.push("job"), place));
    expect([single.waitedMs, isIn]).toEqual([undefined, false]);
    ofJobs[0]?.release();
    for (const place of [await next, await (ofJobs[1]?.release(), job)]) place.release();
    expect(order).toEqual(["single", "job"]);
    for (const place of [single, ...ofJobs]) place.release();
    expect(await limits.load(caller.team)).toMatchObject({ running: 0, waiting: 0 });
  });

  test("the only place of a team serves jobs, too", async () => {
    const limits = limitsOf({ concurrency: 1 });
    const caller = await callerWith();
    const { signal } = new AbortController();
    const place = await limits.enterOfJob(caller, 60_000, signal);
    await expect(limits.enterOfJob(caller, 5, signal)).rejects.toMatchObject({
      code: "CONCURRENCY_QUEUE_TIMEOUT",
    });
    place.release();
    (await limits.enterOfJob(caller, 60_000, signal)).release();
  });
});
