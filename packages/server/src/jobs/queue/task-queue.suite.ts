import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type ManualClock, othersHadTheirTurn } from "../../storage/clock/manual-clock.suite.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import { ServiceError } from "../../api/errors.ts";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { pauseMs } from "./outage.ts";
import {
  type Again,
  type QueuedTask,
  TaskAborted,
  type TaskQueue,
  MAX_PAYLOAD_BYTES,
  type NewQueuedTask,
  type Work,
} from "./task-queue.ts";

/** A process with tasks, which can be ended and held up as real ones are. */
export interface QueueProcess {
  readonly queue: TaskQueue;
  readonly database: Database;
  /** As SIGKILL: what was committed stays, nothing else happens any more. */
  kill(): void;
  /** Kills it before this many more steps (statements, beginnings and ends of transactions). */
  killAfter(steps: number): void;
  readonly isKilled: boolean;
  /** As SIGSTOP. @returns what lets it continue. */
  stall(): () => void;
  /** Statements that it has run so far. */
  readonly steps: number;
  /** Makes each write fail until it is called with false. */
  breakWrites(isBroken: boolean): void;
}

/** One database, and processes over it. */
export interface QueueWorld {
  readonly clock: ManualClock;
  /** The same database for the test itself. */
  readonly database: Database;
  open(): Promise<QueueProcess>;
  close(): Promise<void>;
}

const MAX_TURNS = 20_000;

/** Others have their turn until it is so. No time passes. */
async function expectSoon(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && !isSo(); turn += 1) await othersHadTheirTurn(1);
  expect(isSo()).toBe(true);
}

function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function note(tx: Statements, name: string): Promise<void> {
  await tx.prepared("INSERT INTO results (name) VALUES (?)").run(name);
}

/** What every driver does. Call it inside a `describe`. */
export function describeQueue(openWorld: () => Promise<QueueWorld>): void {
  let world: QueueWorld;
  let one: QueueProcess;
  /** Payloads in the order in which they were begun. */
  let begun: string[];
  let reasons: string[];

  beforeEach(async () => {
    world = await openWorld();
    one = await world.open();
    await world.database.prepared("CREATE TABLE IF NOT EXISTS results (name text PRIMARY KEY)").run();
    begun = [];
    reasons = [];
  });
  afterEach(() => world.close());

  type Run = (task: QueuedTask, signal: AbortSignal) => Promise<Again | void>;

  function work(process: QueueProcess, run: Run = async () => undefined, changes: Partial<Work> = {}) {
    return process.queue.work({
      kind: "page",
      slots: 10,
      attempts: 3,
      async run(running, signal) {
        begun.push(running.payload);
        return (await run(running, signal)) ?? undefined;
      },
      async giveUp(_job, reason) {
        reasons.push(reason);
      },
      ...changes,
    });
  }

  function job(payload: string, changes: Partial<NewQueuedTask> = {}): NewQueuedTask {
    return { kind: "page", group: "g", payload, ...changes };
  }

  async function add(process: QueueProcess, ...tasks: readonly NewQueuedTask[]): Promise<void> {
    await process.database.transaction((tx) => process.queue.add(tx, tasks));
  }

  async function cancel(process: QueueProcess, group: string): Promise<number> {
    return process.database.transaction((tx) => process.queue.cancel(tx, group));
  }

  async function results(): Promise<readonly string[]> {
    const rows = await world.database
      .prepared<{ name: string }>("SELECT name FROM results ORDER BY name")
      .all();
    return rows.map(({ name }) => name);
  }

  /** No work is left. */
  async function expectNothingLeft(): Promise<void> {
    const before = begun.length;
    const last = await world.open();
    work(last);
    await world.clock.advance(3_600_000);
    expect(begun.slice(before)).toEqual([]);
  }

  /** Ends with the payload as its result. */
  function ending(process: QueueProcess): Run {
    return (running) =>
      process.database.transaction(async (tx) => {
        if (await running.end(tx)) await note(tx, running.payload);
      });
  }

  describe("adding", () => {
    test("a task is begun as soon as its transaction is kept, not before", async () => {
      work(one);
      await one.database.transaction(async (tx) => {
        await one.queue.add(tx, [job("a")]);
        await othersHadTheirTurn();
        expect(begun).toEqual([]);
      });
      await expectSoon(() => begun.length === 1);
    });

    test("a task of a transaction that failed was never there", async () => {
      work(one);
      const failing = one.database.transaction(async (tx) => {
        await one.queue.add(tx, [job("a")]);
        throw new Error("undone");
      });
      await expect(failing).rejects.toThrow("undone");
      await add(one, job("b"));
      await expectSoon(() => begun.length > 0);
      expect(begun).toEqual(["b"]);
    });

    test("a worker gets what was added", async () => {
      const tasks: QueuedTask[] = [];
      work(one, async (running) => void tasks.push(running));
      await add(one, job('{"url":"https://shop.test/é?"}', { group: "crawl ü" }));
      await expectSoon(() => tasks.length === 1);
      expect(tasks[0]).toMatchObject({
        kind: "page",
        group: "crawl ü",
        payload: '{"url":"https://shop.test/é?"}',
        attempt: 1,
      });
    });

    test("the largest payload is taken, a larger one refused with its whole transaction", async () => {
      work(one);
      await add(one, job("x".repeat(MAX_PAYLOAD_BYTES)));
      await expect(add(one, job("a"), job("é".repeat(MAX_PAYLOAD_BYTES / 2 + 1)))).rejects.toThrow(
        "more than 32768",
      );
      await expectSoon(() => begun.length === 1);
      await expectNothingLeft();
    });

    test("a thousand tasks of one transaction are each done once", async () => {
      work(one);
      await add(one, ...Array.from({ length: 1000 }, (_one, index) => job(String(index))));
      await expectSoon(() => begun.length === 1000);
      expect(new Set(begun).size).toBe(1000);
      await expectNothingLeft();
    });

    test("tasks that were there before the worker are done when it begins", async () => {
      await add(one, job("a"));
      work(one);
      await expectSoon(() => begun.length === 1);
    });

    test("tasks of a kind without a worker wait, and hold up no others", async () => {
      work(one);
      await add(one, job("mail", { kind: "mail" }), job("a"));
      await expectSoon(() => begun.length === 1);
      expect(begun).toEqual(["a"]);
      work(one, undefined, { kind: "mail" });
      await expectSoon(() => begun.length === 2);
    });

    test("what another process adds is begun within a second", async () => {
      work(one);
      const other = await world.open();
      await add(other, job("a"));
      await world.clock.advance(1000);
      expect(begun).toEqual(["a"]);
    });

    test("nothing added is nothing done", async () => {
      work(one);
      await add(one);
      await expectNothingLeft();
    });

    test("a second worker of a kind is refused", async () => {
      work(one);
      expect(() => work(one)).toThrow("page");
    });
  });

  describe("order", () => {
    test("what was added first is begun first", async () => {
      work(one, undefined, { slots: 1 });
      await add(one, job("a"), job("b"));
      await add(one, job("c"));
      await expectSoon(() => begun.length === 3);
      expect(begun).toEqual(["a", "b", "c"]);
    });

    test("a higher priority comes first", async () => {
      await add(one, job("low", { priority: "low" }), job("normal"), job("high", { priority: "high" }));
      work(one, undefined, { slots: 1 });
      await expectSoon(() => begun.length === 3);
      expect(begun).toEqual(["high", "normal", "low"]);
    });

    test("of two that are due the one comes first that was due first", async () => {
      const nowMs = world.clock.now();
      await add(one, job("later", { runAtMs: nowMs + 20 }), job("sooner", { runAtMs: nowMs + 10 }));
      await world.clock.advance(50);
      work(one, undefined, { slots: 1 });
      await expectSoon(() => begun.length === 2);
      expect(begun).toEqual(["sooner", "later"]);
    });

    test("never more at once than there are slots, and always as many", async () => {
      const { opened, open } = gate();
      work(one, () => opened, { slots: 3 });
      await add(one, ...["a", "b", "c", "d", "e"].map((name) => job(name)));
      await expectSoon(() => begun.length === 3);
      await othersHadTheirTurn(50);
      expect(begun).toEqual(["a", "b", "c"]);
      open();
      await expectSoon(() => begun.length === 5);
    });

    test("each kind has slots of its own", async () => {
      const { opened, open } = gate();
      work(one, () => opened, { slots: 1 });
      work(one, undefined, { slots: 1, kind: "mail" });
      await add(one, job("a"), job("b"), job("mail", { kind: "mail" }));
      await expectSoon(() => begun.length === 2);
      expect(begun).toEqual(expect.arrayContaining(["a", "mail"]));
      open();
    });

    test("two chains that go on and on take turns", async () => {
      work(
        one,
        (running) =>
          one.database.transaction(async (tx) => {
            await running.end(tx);
            if (begun.length < 20) await one.queue.add(tx, [job(running.payload)]);
          }),
        { slots: 1 },
      );
      await add(one, job("a"), job("b"));
      await expectSoon(() => begun.length >= 20);
      expect(begun.slice(0, 6)).toEqual(["a", "b", "a", "b", "a", "b"]);
    });
  });

  describe("adding while others are under way", () => {
    test("a task that was undone is never begun, whoever gets its number", async () => {
      const { opened, open } = gate();
      const mails: string[] = [];
      work(one, (running) => (running.payload === "long" ? opened : Promise.resolve()));
      work(one, async (running) => void mails.push(running.payload), { kind: "mail" });
      await add(one, job("long"));
      await expectSoon(() => begun.length === 1);
      const undone = one.database.transaction(async (tx) => {
        await one.queue.add(tx, [job("undone")]);
        throw new Error("undone");
      });
      const mailed = add(one, job("letter", { kind: "mail" }));
      await expect(undone).rejects.toThrow("undone");
      await mailed;
      await add(one, job("next"));
      await expectSoon(() => begun.includes("next") && mails.length === 1);
      expect(begun.toSorted()).toEqual(["letter", "long", "next"]);
      open();
    });

    test("one that is added alone does not pass those that wait", async () => {
      const { opened, open } = gate();
      work(one, () => opened, { slots: 1 });
      await add(one, job("first"));
      await expectSoon(() => begun.length === 1);
      await add(one, job("second"), job("third"));
      await add(one, job("fourth"));
      open();
      await expectSoon(() => begun.length === 4);
      expect(begun).toEqual(["first", "second", "third", "fourth"]);
    });

    test("one that was cancelled in its own transaction is not begun", async () => {
      const { opened, open } = gate();
      work(one, (running) => (running.payload === "long" ? opened : Promise.resolve()));
      await add(one, job("long", { group: "other" }));
      await expectSoon(() => begun.length === 1);
      await one.database.transaction(async (tx) => {
        await one.queue.add(tx, [job("a")]);
        await one.queue.cancel(tx, "g");
      });
      await othersHadTheirTurn(50);
      expect(begun).toEqual(["long"]);
      open();
    });
  });

  describe("time", () => {
    test("a task of later is begun then, not before", async () => {
      work(one);
      await add(one, job("a", { runAtMs: world.clock.now() + 60_000 }));
      await world.clock.advance(59_999);
      expect(begun).toEqual([]);
      await world.clock.advance(1);
      expect(begun).toEqual(["a"]);
    });

    test("a nearer one that is added later is not held up", async () => {
      work(one);
      await add(one, job("far", { runAtMs: world.clock.now() + 60_000 }));
      await add(one, job("near", { runAtMs: world.clock.now() + 1000 }));
      await world.clock.advance(1000);
      expect(begun).toEqual(["near"]);
    });

    test("what became due while nobody worked is begun with the worker", async () => {
      await add(one, job("a", { runAtMs: world.clock.now() + 1000 }));
      await world.clock.advance(5000);
      work(one);
      await expectSoon(() => begun.length === 1);
    });

    test("ten thousand that wait cost no statement", async () => {
      work(one);
      const runAtMs = world.clock.now() + 24 * 3_600_000;
      await add(one, ...Array.from({ length: 10_000 }, (_one, index) => job(String(index), { runAtMs })));
      await world.clock.advance(1000);
      const { steps } = one;
      await world.clock.advance(60_000);
      expect(one.steps - steps).toBe(0);
      expect(world.clock.timers).toBeLessThan(5);
    });

    test("a clock that is set back holds up nothing that is due", async () => {
      const { opened, open } = gate();
      work(one, () => opened, { slots: 1 });
      await add(one, job("a"), job("b"));
      await expectSoon(() => begun.length === 1);
      world.clock.set(world.clock.now() - 3 * 3_600_000);
      open();
      await expectSoon(() => begun.length === 2);
    });
  });

  describe("ending", () => {
    test("a task whose work resolves is done", async () => {
      work(one);
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await one.queue.close();
      await expectNothingLeft();
    });

    test("what a task writes where it ends is kept with its end", async () => {
      work(one, ending(one));
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await othersHadTheirTurn();
      expect(await results()).toEqual(["a"]);
      await expectNothingLeft();
    });

    test("an end that was not kept is none: the task is tried again", async () => {
      work(one, (running) =>
        one.database.transaction(async (tx) => {
          expect(await running.end(tx)).toBe(true);
          await note(tx, running.payload);
          if (running.attempt === 1) throw new Error("disk full");
        }),
      );
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await world.clock.advance(1000);
      expect(begun).toEqual(["a", "a"]);
      expect(await results()).toEqual(["a"]);
      await expectNothingLeft();
    });

    test("nothing ends twice", async () => {
      const ends: boolean[] = [];
      work(one, async (running) => {
        for (let time = 0; time < 2; time += 1) {
          ends.push(await one.database.transaction((tx) => running.end(tx)));
        }
      });
      await add(one, job("a"));
      await expectSoon(() => ends.length === 2);
      expect(ends).toEqual([true, false]);
    });

    test("an attempt that is over ends nothing any more, while the next one does", async () => {
      const attempts: QueuedTask[] = [];
      const { opened, open } = gate();
      work(one, async (running) => {
        attempts.push(running);
        if (running.attempt === 1) throw new Error("once");
        await opened;
      });
      await add(one, job("a"));
      await expectSoon(() => attempts.length === 1);
      await world.clock.advance(1000);
      expect(attempts).toHaveLength(2);
      const late = await one.database.transaction(async (tx) => attempts[0]?.end(tx));
      expect(late).toBe(false);
      expect(await one.database.transaction(async (tx) => attempts[1]?.end(tx))).toBe(true);
      open();
    });

    test("a task that is to be done again waits until then, and has lost no attempt", async () => {
      const attempts: number[] = [];
      work(one, async (running) => {
        attempts.push(running.attempt);
        return attempts.length < 6 ? { againAtMs: world.clock.now() + 500 } : undefined;
      });
      await add(one, job("a"));
      await expectSoon(() => attempts.length === 1);
      await world.clock.advance(499);
      expect(attempts).toHaveLength(1);
      await world.clock.advance(3000);
      expect(attempts).toEqual([1, 1, 1, 1, 1, 1]);
      expect(reasons).toEqual([]);
    });

    test("the tasks that follow from one are there with its end", async () => {
      work(one, (running) =>
        one.database.transaction(async (tx) => {
          if (!(await running.end(tx)) || running.payload.length > 3) return;
          await one.queue.add(tx, [job(`${running.payload}l`), job(`${running.payload}r`)]);
        }),
      );
      await add(one, job("."));
      await expectSoon(() => begun.length === 15);
      await expectNothingLeft();
    });
  });

  describe("failing", () => {
    test("a task that fails is tried again, later each time", async () => {
      work(one, async () => Promise.reject(new Error("no")));
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await world.clock.advance(999);
      expect(begun).toHaveLength(1);
      await world.clock.advance(1);
      expect(begun).toHaveLength(2);
      await world.clock.advance(3999);
      expect(begun).toHaveLength(2);
      await world.clock.advance(1);
      expect(begun).toHaveLength(3);
    });

    test("what the service lacks uses up no attempt: tasks wait, up to a minute", async () => {
      const begunAtMs: number[] = [];
      const startMs = world.clock.now();
      work(one, async (running) => {
        begunAtMs.push(world.clock.now() - startMs);
        expect(running.attempt).toBe(1);
        if (begunAtMs.length < 10) throw new PartAway("blobs", new Error("/secret/path"));
      });
      await add(one, job("a"));
      for (let tries = 1; tries < 10; tries += 1) {
        await expectSoon(() => begunAtMs.length === tries);
        await world.clock.advance(pauseMs(tries));
      }
      await expectSoon(() => begunAtMs.length === 10);
      expect(begunAtMs.slice(0, 4)).toEqual([0, 1000, 3000, 7000]);
      expect((begunAtMs[9] ?? 0) - (begunAtMs[8] ?? 0)).toBe(60_000);
      expect(reasons).toEqual([]);
    });

    test("while the service lacks something little is begun, and everything once it is there", async () => {
      let isAway = true;
      work(one, async () => {
        if (isAway) throw new PartAway("disk", new Error("full"));
      });
      await add(one, ...["a", "b", "c"].map((name) => job(name)));
      await expectSoon(() => begun.length === 3);
      await expectSoon(() => one.queue.lacking === "disk");
      await add(one, ...Array.from({ length: 20 }, (_job, number) => job(`late ${number}`)));
      await othersHadTheirTurn(100);
      expect(begun).toHaveLength(3);
      await world.clock.advance(1000);
      await expectSoon(() => begun.length >= 7);
      await othersHadTheirTurn(100);
      expect(begun).toHaveLength(7);
      isAway = false;
      await world.clock.advance(60_000);
      await expectSoon(() => new Set(begun).size === 23);
      expect(one.queue.lacking).toBeUndefined();
    });

    test("a task alone that meets such failures holds up no other", async () => {
      work(one, async ({ payload }) => {
        if (payload === "bad") throw new PartAway("disk", new Error("a bad sector"));
      });
      await add(one, job("bad"));
      for (let round = 0; round < 8; round += 1) {
        await add(one, job(`good ${round}`));
        await expectSoon(() => begun.includes(`good ${round}`));
        await world.clock.advance(1000);
      }
      expect(one.queue.lacking).toBeUndefined();
    });

    test("a kind has a backoff of its own", async () => {
      const failures: number[] = [];
      const backoffMs = (count: number) => {
        failures.push(count);
        return 10 * count;
      };
      work(one, async () => Promise.reject(new Error("no")), { backoffMs });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await world.clock.advance(10);
      await world.clock.advance(20);
      expect(begun).toHaveLength(3);
      expect(failures).toEqual([1, 2]);
    });

    test("after the last attempt it is given up once, with the last reason", async () => {
      const attempts: number[] = [];
      work(one, async (running) => {
        attempts.push(running.attempt);
        throw new ServiceError("SCRAPE_TIMEOUT", { message: `no ${running.attempt}` });
      });
      await add(one, job("a"));
      await world.clock.advance(60_000);
      expect(attempts).toEqual([1, 2, 3]);
      expect(reasons).toEqual(["no 3"]);
      await expectNothingLeft();
    });

    test("what is given up writes where it ends, too", async () => {
      work(one, async () => Promise.reject(new Error("no")), {
        attempts: 1,
        giveUp: (running, reason) =>
          one.database.transaction(async (tx) => {
            if (await running.end(tx)) await note(tx, `${running.payload}: ${reason}`);
          }),
      });
      await add(one, job("a"));
      await world.clock.advance(1000);
      // Words of the system are not told.
      expect(await results()).toEqual(["a: An unexpected error occurred."]);
      await expectNothingLeft();
    });

    test("giving up that fails is tried again until it works", async () => {
      let tries = 0;
      work(one, async () => Promise.reject(new Error("no")), {
        attempts: 1,
        async giveUp() {
          tries += 1;
          if (tries < 8) throw new Error("disk full");
        },
      });
      await add(one, job("a"));
      await world.clock.advance(3_600_000);
      expect(tries).toBe(8);
      expect(begun).toEqual(["a"]);
    });

    test("a task that fails holds up no other", async () => {
      work(
        one,
        async (running) => (running.payload === "bad" ? Promise.reject(new Error("no")) : undefined),
        {
          slots: 1,
        },
      );
      await add(one, job("bad"), job("a"), job("b"));
      await expectSoon(() => begun.length === 3);
      expect(begun).toEqual(["bad", "a", "b"]);
    });

    test("while the database cannot be written nothing is lost, and it goes on when it can", async () => {
      work(one, ending(one));
      one.breakWrites(true);
      const other = await world.open();
      await add(other, job("a"));
      await world.clock.advance(5000);
      expect(begun).toEqual([]);
      one.breakWrites(false);
      await world.clock.advance(2000);
      expect(await results()).toEqual(["a"]);
    });
  });

  describe("cancelling", () => {
    test("tasks that wait are gone, those of other groups are not", async () => {
      await add(one, job("a"), job("b", { group: "other" }), job("c", { runAtMs: world.clock.now() + 1000 }));
      expect(await cancel(one, "g")).toBe(2);
      work(one);
      await world.clock.advance(5000);
      expect(begun).toEqual(["b"]);
    });

    test("a task under way is aborted at once, and can end no more", async () => {
      const outcomes: unknown[] = [];
      work(one, async (running, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        outcomes.push(signal.reason, await one.database.transaction((tx) => running.end(tx)));
        throw signal.reason;
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      expect(await cancel(one, "g")).toBe(1);
      await expectSoon(() => outcomes.length === 2);
      expect(outcomes[0]).toBeInstanceOf(TaskAborted);
      expect(outcomes).toMatchObject([{ why: "cancelled" }, false]);
      await expectNothingLeft();
    });

    test("one in another process is aborted within 200 ms", async () => {
      let signal: AbortSignal | undefined;
      work(one, async (_running, given) => {
        signal = given;
        await new Promise((resolve) => given.addEventListener("abort", resolve));
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await world.clock.advance(2000);
      const other = await world.open();
      expect(await cancel(other, "g")).toBe(1);
      await world.clock.advance(200);
      expect(signal?.reason).toMatchObject({ why: "cancelled" });
    });

    test("a cancel that was not kept aborts nothing", async () => {
      let signal: AbortSignal | undefined;
      const { opened, open } = gate();
      work(one, async (running, given) => {
        signal = given;
        await opened;
        await ending(one)(running, given);
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const failing = one.database.transaction(async (tx) => {
        await one.queue.cancel(tx, "g");
        await othersHadTheirTurn();
        throw new Error("undone");
      });
      await expect(failing).rejects.toThrow("undone");
      await othersHadTheirTurn(50);
      expect(signal?.aborted).toBe(false);
      open();
      await othersHadTheirTurn(50);
      expect(await results()).toEqual(["a"]);
    });

    test("a task that has just ended is not aborted by its own end", async () => {
      let signal: AbortSignal | undefined;
      const { opened, open } = gate();
      work(one, async (running, given) => {
        signal = given;
        await ending(one)(running, given);
        await opened;
      });
      await add(one, job("a"), job("b", { group: "other", runAtMs: world.clock.now() + 60_000 }));
      await expectSoon(() => begun.length === 1);
      await othersHadTheirTurn();
      await cancel(one, "other");
      await othersHadTheirTurn(50);
      expect(signal?.aborted).toBe(false);
      open();
    });

    test("a group of which there is nothing is cancelled in vain; it may be used again", async () => {
      work(one);
      expect(await cancel(one, "g")).toBe(0);
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
    });

    test("a task that cancels its own group ends with it", async () => {
      work(
        one,
        (running) =>
          one.database.transaction(async (tx) => {
            if (!(await running.end(tx))) return;
            await note(tx, running.payload);
            await one.queue.cancel(tx, "g");
          }),
        { slots: 1 },
      );
      await add(one, job("a"), job("b"));
      await othersHadTheirTurn(50);
      expect(await results()).toEqual(["a"]);
      await expectNothingLeft();
    });
  });

  describe("ends of processes", () => {
    const never = () => new Promise<void>(() => undefined);

    test("what a killed process had under way is begun again when the next one starts", async () => {
      work(one, never);
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      one.kill();
      const next = await world.open();
      work(next, ending(next));
      await expectSoon(() => begun.length === 2);
      await othersHadTheirTurn();
      expect(await results()).toEqual(["a"]);
    });

    test("a process that lives takes over from a killed one after ten seconds, not before", async () => {
      work(one, never);
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const other = await world.open();
      work(other, ending(other));
      await world.clock.advance(1000);
      one.kill();
      await world.clock.advance(9000);
      expect(begun).toHaveLength(1);
      await world.clock.advance(3000);
      expect(begun).toHaveLength(2);
      expect(await results()).toEqual(["a"]);
    });

    test("a process that was held up for too long changes nothing any more", async () => {
      const ends: boolean[] = [];
      const { opened, open } = gate();
      work(one, async (running) => {
        await opened;
        ends.push(await one.database.transaction((tx) => running.end(tx)));
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const resume = one.stall();
      open();
      const other = await world.open();
      const finishing = gate();
      work(other, async (running, signal) => {
        await finishing.opened;
        await ending(other)(running, signal);
      });
      await world.clock.advance(15_000);
      expect(begun).toHaveLength(2);
      resume();
      await expectSoon(() => ends.length === 1);
      expect(ends).toEqual([false]);
      finishing.open();
      await othersHadTheirTurn(50);
      expect(await results()).toEqual(["a"]);
    });

    test("one that was held up for a moment goes on", async () => {
      const { opened, open } = gate();
      work(one, async (running, signal) => {
        await opened;
        await ending(one)(running, signal);
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const other = await world.open();
      work(other);
      const resume = one.stall();
      open();
      await world.clock.advance(5000);
      resume();
      await othersHadTheirTurn(50);
      expect(await results()).toEqual(["a"]);
      expect(begun).toHaveLength(1);
    });

    test("a process that lost its lease aborts what it has, and works on under another", async () => {
      const signals: AbortSignal[] = [];
      work(one, async (_running, signal) => {
        signals.push(signal);
        if (signals.length > 1) return;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw signal.reason;
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const resume = one.stall();
      await world.clock.advance(15_000);
      resume();
      await expectSoon(() => signals[0]?.aborted === true);
      expect(signals[0]?.reason).toMatchObject({ why: "lost" });
      await world.clock.advance(15_000);
      expect(begun).toHaveLength(2);
      await expectNothingLeft();
    });

    /** Ends process after process, each when it has had its time, and lets the last one work. */
    async function killAll(deaths: number, lifeMs: number): Promise<void> {
      for (let death = 0; death < deaths; death += 1) {
        const next = await world.open();
        work(next, never);
        const before = begun.length;
        await expectSoon(() => begun.length > before);
        await world.clock.advance(lifeMs);
        next.kill();
      }
    }

    test("a task that ends three processes, the third one alone, is deadly, and given up", async () => {
      await add(one, job("a"));
      await killAll(3, 100);
      const last = await world.open();
      const deadly: boolean[] = [];
      work(last, never, { giveUp: async (running) => void deadly.push(running.isDeadly) });
      await expectSoon(() => deadly.length === 1);
      expect([begun, deadly]).toEqual([["a", "a", "a"], [true]]);
      await expectNothingLeft();
    });

    test("of those that two processes had when they died each is begun alone, and the innocent ones are done", async () => {
      await add(one, job("a"), job("deadly"), job("b"));
      await killAll(2, 100);
      begun = [];
      const next = await world.open();
      work(next, async (running, signal) =>
        running.payload === "deadly" ? never() : ending(next)(running, signal),
      );
      await expectSoon(() => begun.length > 0);
      await add(next, job("c"));
      await expectSoon(() => begun.length === 2);
      await world.clock.advance(1000);
      expect([begun, await results()]).toEqual([["a", "deadly"], ["a"]]);
      next.kill();
      const last = await world.open();
      work(last, ending(last));
      await world.clock.advance(1000);
      expect(await results()).toEqual(["a", "b", "c"]);
      expect(reasons).toHaveLength(1);
      await expectNothingLeft();
    });

    test("one that is alone holds others up for five seconds", async () => {
      await add(one, job("a"));
      await killAll(2, 100);
      begun = [];
      const next = await world.open();
      work(next, (running, signal) => (running.payload === "a" ? never() : ending(next)(running, signal)));
      await expectSoon(() => begun.length > 0);
      await add(next, job("b"));
      await world.clock.advance(4900);
      expect(begun).toEqual(["a"]);
      await world.clock.advance(200);
      expect(await results()).toEqual(["b"]);
    });

    test("a process that stops puts back what was held, and holds no death against what was alone", async () => {
      await add(one, job("a"), job("b"));
      await killAll(2, 100);
      const stopping = await world.open();
      work(stopping, async (_running, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw signal.reason;
      });
      const before = begun.length;
      await expectSoon(() => begun.length > before);
      await stopping.queue.close();
      const last = await world.open();
      work(last, ending(last));
      await world.clock.advance(1000);
      expect([await results(), reasons]).toEqual([["a", "b"], []]);
    });

    test("two deaths are not held against a task that lives on beside others; five end it", async () => {
      await add(one, job("a"));
      const attempts: number[] = [];
      for (let death = 0; death < 5; death += 1) {
        const next = await world.open();
        work(next, async (running) => {
          attempts.push(running.attempt);
          await never();
        });
        await expectSoon(() => attempts.length === death + 1);
        await world.clock.advance(6000);
        next.kill();
      }
      expect(attempts).toEqual([1, 1, 1, 2, 3]);
      const last = await world.open();
      work(last);
      await expectSoon(() => reasons.length === 1);
      expect(begun).toHaveLength(5);
      await expectNothingLeft();
    });

    test("a process that stops leaves what it aborts to the next, and counts no attempt", async () => {
      const attempts: number[] = [];
      work(one, async (running, signal) => {
        attempts.push(running.attempt);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new Error("wrapped", { cause: signal.reason });
      });
      await add(one, job("a"), job("b"));
      await expectSoon(() => begun.length === 2);
      await one.queue.close();
      const next = await world.open();
      work(next, async (running) => void attempts.push(running.attempt));
      await expectSoon(() => begun.length === 4);
      expect(attempts).toEqual([1, 1, 1, 1]);
    });

    test("what ends while its process stops has ended", async () => {
      work(one, async (running, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await ending(one)(running, signal);
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      await one.queue.close();
      expect(await results()).toEqual(["a"]);
      await expectNothingLeft();
    });

    test("a task that ignores its abort holds up the stop for five seconds, and ends nothing later", async () => {
      const { opened, open } = gate();
      const ends: boolean[] = [];
      work(one, async (running) => {
        await opened;
        ends.push(await one.database.transaction((tx) => running.end(tx)));
      });
      await add(one, job("a"));
      await expectSoon(() => begun.length === 1);
      const closing = one.queue.close();
      await world.clock.advance(5000);
      await closing;
      open();
      await expectSoon(() => ends.length === 1);
      expect(ends).toEqual([false]);
      const next = await world.open();
      work(next);
      await expectSoon(() => begun.length === 2);
    });

    test("a worker that has stopped begins nothing", async () => {
      const worker = work(one);
      await worker.stop();
      await add(one, job("a"));
      await world.clock.advance(5000);
      expect(begun).toEqual([]);
      work(one);
      await expectSoon(() => begun.length === 1);
    });

    test("a process that has closed looks at nothing any more, whatever kinds it worked on", async () => {
      for (const kind of ["page", "webhook", "other"]) work(one, undefined, { kind });
      await othersHadTheirTurn(100);
      await one.queue.close();
      const { steps } = one;
      await note(world.database, "written by another");
      await world.clock.advance(5000);
      expect(one.steps).toBe(steps);
    });

    test("two processes do each task once", async () => {
      const other = await world.open();
      work(one, ending(one), { slots: 3 });
      work(other, ending(other), { slots: 3 });
      await add(one, ...Array.from({ length: 200 }, (_one, index) => job(`${index}`.padStart(3, "0"))));
      await add(other, ...Array.from({ length: 200 }, (_one, index) => job(`${index + 200}`)));
      await world.clock.advance(3000);
      await expectSoon(() => begun.length >= 400);
      await othersHadTheirTurn(100);
      expect(await results()).toHaveLength(400);
      expect(begun).toHaveLength(400);
    });

    test("a process that rested for a moment keeps what it has begun since", async () => {
      work(one, (running) => (running.payload === "long" ? never() : Promise.resolve()));
      await add(one, job("a"));
      await world.clock.advance(20_000);
      await add(one, job("long"));
      await expectSoon(() => begun.length === 2);
      const other = await world.open();
      work(other);
      await world.clock.advance(60_000);
      expect(begun).toEqual(["a", "long"]);
    });

    test("a process that rests gives its name back, and takes another when there is work", async () => {
      work(one, ending(one));
      await add(one, job("a"));
      await world.clock.advance(120_000);
      await add(one, job("b"));
      await world.clock.advance(1000);
      expect(await results()).toEqual(["a", "b"]);
    });
  });

  /** Flows that are cut between each two of their steps. Their results are the same wherever that is. */
  describe("killed between each two steps", () => {
    interface Flow {
      readonly name: string;
      readonly results: readonly string[];
      readonly start: (process: QueueProcess) => Promise<void>;
      readonly run: (process: QueueProcess, running: QueuedTask) => Promise<Again | void>;
    }

    function endWith(
      process: QueueProcess,
      running: QueuedTask,
      next: readonly NewQueuedTask[] = [],
    ): Promise<void> {
      return process.database.transaction(async (tx) => {
        if (!(await running.end(tx))) return;
        await note(tx, running.payload);
        await process.queue.add(tx, next);
      });
    }

    const flows: readonly Flow[] = [
      {
        name: "a chain of three",
        results: ["1", "2", "3"],
        start: (process) => add(process, job("1")),
        run: (process, running) => {
          const next = Number(running.payload) + 1;
          return endWith(process, running, next <= 3 ? [job(String(next))] : []);
        },
      },
      {
        name: "a tree that is wide",
        results: ["a", "a1", "a2", "a3"],
        start: (process) => add(process, job("a")),
        run: (process, running) =>
          endWith(process, running, running.payload === "a" ? [job("a1"), job("a2"), job("a3")] : []),
      },
      {
        name: "a job that fails once",
        results: ["a"],
        start: (process) => add(process, job("a")),
        async run(process, running) {
          if (running.attempt === 1 && begun.length < 2) throw new Error("no");
          await endWith(process, running);
        },
      },
      {
        name: "a job that is done again once",
        results: ["a"],
        start: (process) => add(process, job("a")),
        async run(process, running) {
          if (begun.length < 2) return { againAtMs: world.clock.now() + 100 };
          await endWith(process, running);
        },
      },
      {
        name: "a job that cancels another group",
        results: ["a"],
        start: (process) =>
          add(process, job("a"), job("b", { group: "other", runAtMs: world.clock.now() + 50_000 })),
        run: (process, running) =>
          process.database.transaction(async (tx) => {
            if (!(await running.end(tx))) return;
            await note(tx, running.payload);
            await process.queue.cancel(tx, "other");
          }),
      },
      {
        name: "a job that is given up",
        results: ["given up"],
        start: (process) => add(process, job("a")),
        run: async () => Promise.reject(new Error("no")),
      },
    ];

    function begin(process: QueueProcess, flow: Flow): void {
      work(process, (running) => flow.run(process, running), {
        slots: 2,
        giveUp: (running) =>
          process.database.transaction(async (tx) => {
            if (await running.end(tx)) await note(tx, "given up");
          }),
      });
    }

    test.each(flows)("$name", async (flow) => {
      for (let steps = 0; ; steps += 1) {
        await world.database.prepared("DELETE FROM results").run();
        begun = [];
        const first = await world.open();
        await flow.start(first);
        first.killAfter(steps);
        begin(first, flow);
        await world.clock.advance(40_000);
        const wasKilled = first.isKilled;
        first.kill();
        const second = await world.open();
        begin(second, flow);
        await world.clock.advance(100_000);
        expect(await results(), `killed after ${steps} steps`).toEqual(flow.results);
        second.kill();
        if (!wasKilled) break;
        expect(steps).toBeLessThan(500);
      }
    });
  });
}
