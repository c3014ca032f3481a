import { expect, test } from "vitest";

import { type Slot, TeamSlots } from "./team-slots.ts";

const never = new AbortController().signal;

/** Requests of one team under changing limits, by name, and the order in which they got their slots. */
function openTeam() {
  const slots = new TeamSlots();
  const order: string[] = [];
  const held = new Map<string, Slot>();
  async function enter(name: string, concurrency: number, signal: AbortSignal = never, timeoutMs = 60_000) {
    const limits = { concurrency, queued: 100 };
    const slot = await slots.enter({ teamId: "a", limits, timeoutMs, signal });
    order.push(name);
    held.set(name, slot);
  }
  async function leave(name: string): Promise<void> {
    held.get(name)?.release();
    await new Promise(setImmediate);
  }
  return { slots, order, enter, leave };
}

test("slots go to who came first, also after some have given up", async () => {
  const { slots, order, enter, leave } = openTeam();
  const gone = new AbortController();
  await enter("first", 1);
  const waiting = [enter("second", 1, gone.signal), enter("third", 1, never, 5), enter("fourth", 1)];
  gone.abort(new Error("gone"));
  await expect(waiting[0]).rejects.toThrow("gone");
  await expect(waiting[1]).rejects.toMatchObject({ code: "CONCURRENCY_QUEUE_TIMEOUT" });
  void enter("fifth", 1);
  await leave("first");
  await leave("first");
  expect([order, slots.running("a"), slots.waiting("a")]).toEqual([["first", "fourth"], 1, 1]);
  await leave("fourth");
  expect([order, slots.waiting("a")]).toEqual([["first", "fourth", "fifth"], 0]);
  await leave("fifth");
  expect(slots.running("a")).toBe(0);
});

test("a raised limit lets those in who came before", async () => {
  const { slots, order, enter } = openTeam();
  await enter("first", 1);
  void enter("second", 1);
  void enter("third", 2);
  await new Promise(setImmediate);
  expect(order).toEqual(["first", "second"]);
  expect([slots.running("a"), slots.waiting("a")]).toEqual([2, 1]);
});

test("a lowered limit holds as soon as enough have left", async () => {
  const { slots, order, enter, leave } = openTeam();
  for (const name of ["first", "second", "third"]) await enter(name, 3);
  void enter("fourth", 1);
  await leave("first");
  await leave("second");
  expect([order.length, slots.running("a"), slots.waiting("a")]).toEqual([3, 1, 1]);
  await leave("third");
  expect([order.at(-1), slots.running("a"), slots.waiting("a")]).toEqual(["fourth", 1, 0]);
});
