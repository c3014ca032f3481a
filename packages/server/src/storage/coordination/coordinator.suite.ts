import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Coordinator, Entered, Entry, Place } from "./coordinator.ts";

/** Coordinators that share something, as those of several processes do; the same one twice where there can be one only. */
export interface CoordinatorWorld {
  readonly one: Coordinator;
  readonly other: Coordinator;
  close(): Promise<void>;
}

const never = new AbortController().signal;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 15, 12, 0, 30);

function entry(limit: number, changes: Partial<Entry> = {}): Entry {
  return { limit, queued: 1000, timeoutMs: 60_000, signal: new AbortController().signal, ...changes };
}

function placeOf(entered: Entered): Place {
  if (typeof entered === "string") throw new Error(`No place: ${entered}`);
  return entered;
}

/** Whether the promise is settled before others of this moment. */
async function isSettled(promise: Promise<unknown>, waitMs = 60): Promise<boolean> {
  return Promise.race([promise.then(() => true), pause(waitMs, false)]);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(2);
}

/** What every coordinator does. Call it inside a `describe`. */
export function describeCoordinator(open: (clock: () => number) => Promise<CoordinatorWorld>): void {
  let world: CoordinatorWorld;
  let one: Coordinator;
  let other: Coordinator;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = START_MS;
    world = await open(() => nowMs);
    ({ one, other } = world);
  });
  afterEach(() => world.close());

  /** How many of `asked` pass, half of them in each process. */
  async function passing(asked: number, limit: number, key = "k"): Promise<number> {
    const counted = await Promise.all(
      Array.from({ length: asked }, async (_one, index) =>
        (index % 2 === 0 ? one : other).count(key, limit, MINUTE_MS),
      ),
    );
    return counted.filter((refusal) => refusal === undefined).length;
  }

  describe("counting", () => {
    test("lets as many pass as the limit says, and refuses one more with when to come again", async () => {
      for (let count = 0; count < 3; count += 1) expect(await one.count("k", 3, MINUTE_MS)).toBeUndefined();
      const refusal = await one.count("k", 3, MINUTE_MS);
      expect(refusal?.consumed).toBe(4);
      expect(refusal?.freeAtMs).toBe(START_MS + MINUTE_MS / 3);
      expect(await one.count("another", 3, MINUTE_MS)).toBeUndefined();
    });

    test("counts exactly for all who ask at once", async () => {
      expect(await passing(50, 20)).toBe(20);
      expect(await passing(10, 20)).toBe(0);
    });

    test("lets the next one pass when it has said so, not before", async () => {
      await one.count("k", 2, MINUTE_MS);
      nowMs += 20_000;
      await one.count("k", 2, MINUTE_MS);
      const freeAtMs = (await one.count("k", 2, MINUTE_MS))?.freeAtMs ?? 0;
      nowMs = freeAtMs - 700;
      expect(await one.count("k", 2, MINUTE_MS)).toBeDefined();
      nowMs = freeAtMs;
      expect(await one.count("k", 2, MINUTE_MS)).toBeUndefined();
      expect(await one.count("k", 2, MINUTE_MS)).toMatchObject({ consumed: 3 });
    });

    test("does not hold against anybody what it refused", async () => {
      expect(await passing(4, 4)).toBe(4);
      let passed = 0;
      for (let second = 0; second < 60; second += 1) {
        nowMs += 1000;
        passed += await passing(4, 4);
      }
      expect(passed).toBe(4);
      nowMs += MINUTE_MS;
      expect(await passing(8, 4)).toBe(4);
    });

    test("a changed limit holds at once, as if nothing had passed", async () => {
      expect(await passing(10, 5)).toBe(5);
      expect(await passing(10, 8)).toBe(8);
      expect(await passing(10, 2)).toBe(2);
      expect(await passing(10, 8)).toBe(0);
    });

    test("never lets more than twice the limit pass in any minute, and hardly fewer than the limit each", async () => {
      const limit = 60;
      const passed: number[] = [];
      // Three minutes of bursts and lulls, most of it more than may pass.
      for (let round = 0; round < 240; round += 1) {
        nowMs += [50, 250, 750, 1950][round % 4] ?? 0;
        const count = await passing(round % 7 === 0 ? 30 : 1, limit);
        passed.push(...Array.from({ length: count }, () => nowMs));
      }
      for (const fromMs of passed) {
        const inSpan = passed.filter((atMs) => atMs >= fromMs && atMs < fromMs + MINUTE_MS);
        expect(inSpan.length).toBeLessThanOrEqual(2 * limit);
      }
      expect(passed.length).toBeGreaterThanOrEqual(limit * 3 * 0.9);
      expect(passed.length).toBeLessThanOrEqual(limit * 4);
    });

    test("a clock that is set back by hours refuses nobody for hours", async () => {
      expect(await passing(4, 4)).toBe(4);
      nowMs -= 3 * 60 * MINUTE_MS;
      expect(await passing(4, 4)).toBe(4);
      expect(await passing(4, 4)).toBe(0);
    });

    test("counts thousands a second for a high limit", async () => {
      let passed = 0;
      for (let round = 0; round < 50; round += 1) {
        nowMs += 20;
        passed += await passing(100, 1_000_000);
      }
      expect(passed).toBe(5000);
    });
  });

  describe("entering", () => {
    test("what is within the limit waits for nobody", async () => {
      const places = await Promise.all([1, 2, 3].map(async () => placeOf(await one.enter("s", entry(3)))));
      expect(places.map(({ waitedMs }) => waitedMs)).toEqual([undefined, undefined, undefined]);
      expect(await one.load("s")).toEqual({ running: 3, waiting: 0 });
      for (const place of places) place.release();
    });

    test("the next one waits until somebody leaves, and knows how long", async () => {
      const first = placeOf(await one.enter("s", entry(1)));
      const second = Promise.resolve(one.enter("s", entry(1)));
      expect(await isSettled(second)).toBe(false);
      expect(await one.load("s")).toEqual({ running: 1, waiting: 1 });
      first.release();
      const place = placeOf(await second);
      expect(place.waitedMs).toBeGreaterThan(40);
      place.release();
    });

    test("first come, first served, also after some have given up", async () => {
      const order: string[] = [];
      const gone = new AbortController();
      const first = placeOf(await one.enter("s", entry(1)));
      const enter = async (name: string, changes: Partial<Entry> = {}) => {
        const entered = await one.enter("s", entry(1, changes));
        if (typeof entered === "string") return entered;
        order.push(name);
        entered.release();
      };
      const waiting = [
        enter("second", { signal: gone.signal }),
        enter("third", { timeoutMs: 5 }),
        enter("fourth"),
        enter("fifth"),
      ];
      gone.abort(new Error("gone"));
      await expect(waiting[0]).rejects.toThrow("gone");
      expect(await waiting[1]).toBe("timeout");
      first.release();
      await Promise.all(waiting.slice(2));
      expect(order).toEqual(["fourth", "fifth"]);
    });

    test("who yields lets in all who do not, and has a queue of its own", async () => {
      const order: string[] = [];
      const first = placeOf(await one.enter("s", entry(1)));
      const enter = async (name: string, changes: Partial<Entry> = {}) => {
        const place = placeOf(await one.enter("s", entry(1, changes)));
        order.push(name);
        place.release();
      };
      const waiting = [
        enter("yields", { yields: true }),
        enter("yields later", { yields: true }),
        enter("first", { queued: 1 }),
      ];
      expect(await one.enter("s", entry(1, { queued: 1 }))).toBe("full");
      expect(await one.load("s")).toEqual({ running: 1, waiting: 3 });
      first.release();
      await Promise.all(waiting);
      expect(order).toEqual(["first", "yields", "yields later"]);
    });

    test("who yields in one process lets in who does not in another", async () => {
      const order: string[] = [];
      const first = placeOf(await one.enter("s", entry(1)));
      const enter = async (coordinator: Coordinator, name: string, changes: Partial<Entry> = {}) => {
        const place = placeOf(await coordinator.enter("s", entry(1, changes)));
        order.push(name);
        place.release();
      };
      const yielding = enter(other, "yields", { yields: true });
      await until(async () => (await one.load("s")).waiting === 1);
      const next = enter(one, "first");
      await until(async () => (await one.load("s")).waiting === 2);
      first.release();
      await Promise.all([yielding, next]);
      expect(order).toEqual(["first", "yields"]);
    });

    test("a place given back twice is one place", async () => {
      const first = placeOf(await one.enter("s", entry(1)));
      first.release();
      first.release();
      const second = placeOf(await one.enter("s", entry(1)));
      const third = Promise.resolve(one.enter("s", entry(1)));
      expect(await isSettled(third)).toBe(false);
      second.release();
      placeOf(await third).release();
    });

    test("too many that wait are refused, those with a free place never", async () => {
      const all = await Promise.all(
        [1, 2, 3].map(async () => placeOf(await one.enter("s", entry(3, { queued: 0 })))),
      );
      expect(await one.enter("s", entry(3, { queued: 0 }))).toBe("full");
      const waiting = [1, 2].map(async () => one.enter("s", entry(3, { queued: 2 })));
      expect(await isSettled(Promise.race(waiting))).toBe(false);
      expect(await one.enter("s", entry(3, { queued: 2 }))).toBe("full");
      for (const place of all) place.release();
      for (const entered of waiting) placeOf(await entered).release();
    });

    test("who has gone already does not enter", async () => {
      const first = placeOf(await one.enter("s", entry(1)));
      const late = async () => one.enter("s", entry(1, { signal: AbortSignal.abort(new Error("gone")) }));
      await expect(late()).rejects.toThrow("gone");
      first.release();
      placeOf(await one.enter("s", entry(1))).release();
    });

    test("one that leaves in the moment in which another gives up loses no place", async () => {
      const first = placeOf(await one.enter("s", entry(1)));
      const gone = new AbortController();
      const second = Promise.resolve(one.enter("s", entry(1, { signal: gone.signal })));
      expect(await isSettled(second)).toBe(false);
      gone.abort(new Error("gone"));
      first.release();
      await expect(second).rejects.toThrow("gone");
      placeOf(await one.enter("s", entry(1))).release();
    });

    test("a raised limit lets in those who came before", async () => {
      const first = placeOf(await one.enter("s", entry(1)));
      const second = Promise.resolve(one.enter("s", entry(1)));
      expect(await isSettled(second)).toBe(false);
      const third = Promise.resolve(one.enter("s", entry(2)));
      const place = placeOf(await second);
      expect(await isSettled(third)).toBe(false);
      first.release();
      placeOf(await third).release();
      place.release();
    });

    test("a lowered limit holds as soon as enough have left", async () => {
      const places: Place[] = [];
      for (let count = 0; count < 3; count += 1) places.push(placeOf(await one.enter("s", entry(3))));
      const fourth = Promise.resolve(one.enter("s", entry(1)));
      places[0]?.release();
      places[1]?.release();
      expect(await isSettled(fourth)).toBe(false);
      places[2]?.release();
      placeOf(await fourth).release();
    });

    test("without a limit nobody waits, and a limit that comes later counts who is in", async () => {
      const unlimited = Number.POSITIVE_INFINITY;
      const places = await Promise.all(
        Array.from({ length: 20 }, async () => placeOf(await one.enter("s", entry(unlimited)))),
      );
      expect(await one.load("s")).toEqual({ running: 20, waiting: 0 });
      const late = Promise.resolve(one.enter("s", entry(2)));
      for (const place of places.slice(2)) place.release();
      expect(await isSettled(late)).toBe(false);
      places[0]?.release();
      placeOf(await late).release();
    });

    test("together there are never more than the limit, and everybody has a turn", async () => {
      let running = 0;
      let most = 0;
      const visit = async (coordinator: Coordinator, slot: string) => {
        const place = placeOf(await coordinator.enter(slot, entry(3)));
        running += 1;
        most = Math.max(most, running);
        await pause(1 + Math.random() * 4);
        running -= 1;
        place.release();
      };
      const visits = Array.from({ length: 120 }, async (_visit, index) => {
        await pause(Math.random() * 100);
        await visit(index % 2 === 0 ? one : other, "s");
      });
      await Promise.all(visits);
      expect(most).toBe(3);
      expect(running).toBe(0);
    });

    test("a process that is always busy does not keep the other one out", async () => {
      const over = new AbortController();
      const visit = async () => {
        while (!over.signal.aborted) {
          const place = placeOf(await one.enter("s", entry(2)));
          await pause(2);
          place.release();
        }
      };
      const busy = Array.from({ length: 8 }, visit);
      await pause(30);
      const waits: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const startMs = performance.now();
        const place = placeOf(await other.enter("s", entry(2)));
        waits.push(performance.now() - startMs);
        place.release();
      }
      over.abort();
      await Promise.all(busy);
      expect(Math.max(...waits)).toBeLessThan(1500);
    });

    test("places that one process does not need any more serve the other", async () => {
      const places = await Promise.all([1, 2].map(async () => placeOf(await one.enter("s", entry(2)))));
      for (const place of places) place.release();
      const startMs = performance.now();
      placeOf(await other.enter("s", entry(2))).release();
      expect(performance.now() - startMs).toBeLessThan(1000);
    });
  });

  describe("leases", () => {
    test("have one holder, and another one after it", async () => {
      const lease = await one.lease("l", 5000);
      expect(lease?.signal.aborted).toBe(false);
      expect(await one.lease("l", 5000)).toBeUndefined();
      expect(await other.lease("l", 5000)).toBeUndefined();
      expect(await other.lease("another", 5000)).toBeDefined();
      await lease?.release();
      expect(await other.lease("l", 5000)).toBeDefined();
    });

    test("of many who want it at once one gets it", async () => {
      const leases = await Promise.all([one, other, one, other].map((who) => who.lease("l", 5000)));
      expect(leases.filter(Boolean)).toHaveLength(1);
    });

    test("are renewed by themselves, longer than their time", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "hrtime", "Date"] });
      try {
        const lease = await one.lease("l", 300);
        for (let step = 0; step < 9; step += 1) {
          vi.advanceTimersByTime(100);
          // Comes after the renewal in the order of statements.
          expect(await one.lease("l", 300)).toBeUndefined();
        }
        expect(lease?.signal.aborted).toBe(false);
        expect(await other.lease("l", 300)).toBeUndefined();
      } finally {
        vi.useRealTimers();
      }
    });

    test("giving back twice takes nothing from the next holder", async () => {
      const lease = await one.lease("l", 5000);
      await lease?.release();
      const next = await other.lease("l", 5000);
      await lease?.release();
      expect(next).toBeDefined();
      expect(await one.lease("l", 5000)).toBeUndefined();
    });
  });

  describe("doing once", () => {
    test("identical work is done once for those who ask at the same time, and again later", async () => {
      let runs = 0;
      const work = async () => {
        runs += 1;
        await pause(5);
        return runs;
      };
      const ask = (key: string) => one.once(key, never, work);
      expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual([2, 2, 2]);
      expect(await ask("a")).toBe(3);
    });

    test("it is aborted when the last who waits has gone, not before", async () => {
      let inner: AbortSignal | undefined;
      const work = (signal: AbortSignal) => {
        inner = signal;
        return new Promise<never>(() => undefined);
      };
      const first = new AbortController();
      const second = new AbortController();
      const asked = [first, second].map(({ signal }) => one.once("k", signal, work));
      first.abort(new Error("first gone"));
      await expect(asked[0]).rejects.toThrow("first gone");
      expect(inner?.aborted).toBe(false);
      second.abort(new Error("second gone"));
      await expect(asked[1]).rejects.toThrow("second gone");
      expect(inner?.aborted).toBe(true);
    });

    test("a failure is everybody's, and the next one tries again", async () => {
      const fail = async () => {
        await pause(1);
        throw new Error("of the work");
      };
      const asked = await Promise.allSettled([1, 2].map(() => one.once("k", never, fail)));
      expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(await one.once("k", never, async () => "fine")).toBe("fine");
    });
  });

  describe("telling", () => {
    test("reaches those who hear the topic, in order, once each", async () => {
      const heard: string[] = [];
      const ends = [one, other].map((who, index) => who.hear("t", (text) => heard.push(`${index} ${text}`)));
      one.hear("another", (text) => heard.push(text));
      await pause(60);
      for (const text of ["a", "b", "c"]) await one.tell("t", text);
      await expect.poll(() => heard.length).toBe(6);
      const of = (index: number) => heard.filter((line) => line.startsWith(`${index} `));
      expect([of(0), of(1)]).toEqual([
        ["0 a", "0 b", "0 c"],
        ["1 a", "1 b", "1 c"],
      ]);
      for (const end of ends) end();
      await other.tell("t", "d");
      await pause(120);
      expect(heard).toHaveLength(6);
    });

    test("the same listener may hear twice, and end once", async () => {
      const heard: string[] = [];
      const listen = (text: string) => heard.push(text);
      const end = one.hear("t", listen);
      one.hear("t", listen);
      end();
      end();
      await one.tell("t", "a");
      expect(heard).toEqual(["a"]);
    });
  });
}
