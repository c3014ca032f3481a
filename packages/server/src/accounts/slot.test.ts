import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import type { Caller } from "./callers.ts";
import { Limits } from "./limits.ts";
import { openRevocations } from "./revocations.ts";
import { ServiceError } from "../api/errors.ts";
import { type SlotOrder, type SlotServices, takeLastingSlot, takeSlot } from "./slot.ts";

let accounts: TestAccounts;
let services: SlotServices;
let caller: Caller;

const { signal } = new AbortController();

beforeEach(async () => {
  accounts = await openTestAccounts();
  const defaults = { concurrency: 1, requestsPerMinute: undefined, queued: 10 };
  services = {
    limits: new Limits(defaults, accounts.coordinator),
    revocations: openRevocations(accounts.database, () => undefined),
  };
  const { apiKey } = await accounts.administration.createTeam({ name: "team", credits: 10 });
  const found = await accounts.callers.byKey(apiKey);
  if (!found) throw new Error("There is no such key.");
  caller = found;
});

afterEach(() => accounts.close());

function take(changes: Partial<SlotOrder> = {}, isGone = signal) {
  const timedOut = () => new ServiceError("SCRAPE_TIMEOUT");
  const order = { caller, class: "single", timeoutMs: 30_000, timedOut, ...changes } as const;
  return takeSlot(order, services, isGone);
}

async function running(): Promise<number> {
  return (await services.limits.load(caller.team)).running;
}

async function revoke(): Promise<void> {
  await accounts.administration.revokeKey(caller.keyId ?? "");
  await services.revocations.check();
}

describe("a single request", () => {
  test("has a place, until it ends", async () => {
    const slot = await take();
    expect([slot.queuedMs, await running()]).toEqual([undefined, 1]);
    slot.end();
    expect(await running()).toBe(0);
  });

  test("waits for its place within its time", async () => {
    const first = await take();
    await expect(take({ timeoutMs: 300 })).rejects.toMatchObject({
      code: expect.stringMatching(/^(SCRAPE_TIMEOUT|CONCURRENCY_QUEUE_TIMEOUT)$/) as string,
    });
    first.end();
  });

  test("ends with its time, its key, and its caller, each with its reason", async () => {
    const late = await take({ timeoutMs: 160 });
    await pause(40);
    expect(late.signal.reason).toMatchObject({ code: "SCRAPE_TIMEOUT" });
    late.end();
    const gone = new AbortController();
    const left = await take({}, gone.signal);
    gone.abort(new Error("gone"));
    expect(left.signal.reason).toMatchObject({ message: "gone" });
    left.end();
    const revoked = await take();
    await revoke();
    expect(revoked.signal.reason).toMatchObject({ message: "Unauthorized: Invalid token" });
    revoked.end();
    expect(await running()).toBe(0);
  });
});

describe("a page of a job", () => {
  test("has all of its time when its turn comes, however long it waited", async () => {
    const first = await take();
    const waiting = take({ class: "job", timeoutMs: 10_000 });
    await pause(30);
    first.end();
    const slot = await waiting;
    expect(slot.queuedMs).toBeGreaterThan(20);
    expect(slot.signal.aborted).toBe(false);
    slot.end();
  });

  test("is given up after the longest wait", async () => {
    const first = await take();
    await expect(take({ class: "job", maxWaitMs: 10 })).rejects.toMatchObject({
      code: "CONCURRENCY_QUEUE_TIMEOUT",
    });
    first.end();
    expect(await running()).toBe(0);
  });
});

test("a page of a job whose key ended while it waited gets no place, and leaves it to others", async () => {
  const first = await take();
  const waiting = take({ class: "job" });
  await accounts.administration.revokeKey(caller.keyId ?? "");
  first.end();
  await expect(waiting).rejects.toThrow("Unauthorized: Invalid token");
  expect(await running()).toBe(0);
});

describe("work that lasts", () => {
  test("has a place if one is free, and learns that its key is revoked", async () => {
    const slot = await takeLastingSlot(caller, services, signal);
    await expect(takeLastingSlot(caller, services, signal)).rejects.toThrow("maximum number");
    expect(slot.revoked.aborted).toBe(false);
    await revoke();
    expect(slot.revoked.aborted).toBe(true);
    slot.end();
    expect(await running()).toBe(0);
  });
});
