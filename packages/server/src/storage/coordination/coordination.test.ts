import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/drivers.ts";
import { writeMigratedFile } from "../database/migrated-file.suite.ts";
import { describeCoordinator } from "./coordinator.suite.ts";
import type { Coordinator, Place } from "./coordinator.ts";
import { openDatabaseCoordinator } from "./database.ts";
import { openCoordinator } from "./drivers.ts";
import { leaseClockMs } from "./lease-clock.ts";
import { openMemoryCoordinator } from "./memory.ts";

const fail = (failure: unknown): void => {
  throw failure;
};

describe("coordination in memory", () => {
  describeCoordinator(async (clock) => {
    const one = openMemoryCoordinator(clock);
    return { one, other: one, close: () => one.close() };
  });
});

describe("coordination through a database in memory", () => {
  describeCoordinator(async (clock) => {
    const database = await openDatabase("sqlite::memory:");
    await database.migrate();
    const one = openDatabaseCoordinator({ database, onError: fail, clock });
    return {
      one,
      other: one,
      async close() {
        await one.close();
        await database.close();
      },
    };
  });
});

describe("coordination through a database file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = testFolder();
    await writeMigratedFile(join(folder, "test.db"));
  });

  async function openFile(): Promise<Database> {
    const database = await openDatabase(`sqlite:${folder}/test.db`);
    await database.migrate();
    return database;
  }

  describeCoordinator(async (clock) => {
    const databases = [await openFile(), await openFile()] as const;
    const [one, other] = databases.map((database) =>
      openDatabaseCoordinator({ database, onError: fail, clock }),
    ) as [Coordinator, Coordinator];
    return {
      one,
      other,
      async close() {
        await Promise.all([one.close(), other.close()]);
        for (const database of databases) await database.close();
      },
    };
  });

  /** A process over the file; `placeTtlMs` is when others take it for dead. */
  async function openProcess(
    options: {
      readonly placeTtlMs?: number;
      readonly onError?: typeof fail;
      readonly clock?: () => number;
    } = {},
  ) {
    const database = await openFile();
    const coordinator = openDatabaseCoordinator({ database, onError: fail, ...options });
    return {
      database,
      coordinator,
      async close() {
        await coordinator.close();
        await database.close();
      },
    };
  }

  async function enter(coordinator: Coordinator, limit = 1): Promise<Place> {
    const { signal } = new AbortController();
    const entered = await coordinator.enter("s", { limit, queued: 100, timeoutMs: 5000, signal });
    if (typeof entered === "string") throw new Error(`No place: ${entered}`);
    return entered;
  }

  /** As a crash leaves it: what was written stays, and nothing is renewed any more. */
  async function crash({ database }: { readonly database: Database }): Promise<void> {
    await database.close();
  }

  test("the places of a process that died are free after their time, not before", async () => {
    const dying = await openProcess({ placeTtlMs: 600, onError: () => undefined });
    const living = await openProcess({ placeTtlMs: 600 });
    await enter(dying.coordinator);
    await crash(dying);
    const startMs = performance.now();
    const place = await enter(living.coordinator);
    const waitedMs = performance.now() - startMs;
    expect(waitedMs).toBeGreaterThan(300);
    expect(waitedMs).toBeLessThan(20_000);
    place.release();
    await living.close();
  });

  test("what a dead process waited for holds nobody up for good", async () => {
    const living = await openProcess({ placeTtlMs: 600 });
    const dying = await openProcess({ placeTtlMs: 600, onError: () => undefined });
    const first = await enter(living.coordinator);
    void enter(dying.coordinator).catch(() => undefined);
    await pause(60);
    await crash(dying);
    first.release();
    const place = await enter(living.coordinator);
    expect(await living.coordinator.load("s")).toMatchObject({ running: 1 });
    place.release();
    await living.close();
  });

  test("a process that was stopped for too long lets nobody in on the places that others have got", async () => {
    const stopped = await openProcess({ placeTtlMs: 400 });
    const awake = await openProcess({ placeTtlMs: 400 });
    const before = await enter(stopped.coordinator);
    // As if it had not run: its row in the table was not renewed, and its own clock has not noticed.
    await awake.database.prepared("UPDATE leases SET held_until = ?").run(leaseClockMs() - 1);
    const taken = await enter(awake.coordinator);
    await pause(300);
    before.release();
    const again = enter(stopped.coordinator);
    expect(await Promise.race([again.then(() => "entered"), pause(200, "waits")])).toBe("waits");
    taken.release();
    (await again).release();
    await Promise.all([stopped.close(), awake.close()]);
  });

  test("an idle process leaves no rows behind and writes nothing more", async () => {
    const { coordinator, database, close } = await openProcess();
    const other = await openProcess();
    for (const place of await Promise.all([1, 2, 3].map(() => enter(coordinator, 3)))) place.release();
    const rows = async (table: string) =>
      (await other.database.prepared(`SELECT * FROM ${table}`).all()).length;
    expect(await rows("slot_seats")).toBe(1);
    await expect.poll(() => rows("slot_seats")).toBe(0);
    await expect.poll(() => rows("leases")).toBe(0);
    const writes = other.database.foreignWrites?.();
    await pause(300);
    expect(other.database.foreignWrites?.()).toBe(writes);
    expect(database.foreignWrites?.()).toBeDefined();
    await Promise.all([close(), other.close()]);
  });

  test("places that are used again and again are asked for once", async () => {
    const { coordinator, close } = await openProcess();
    const other = await openProcess();
    (await enter(coordinator, 5)).release();
    const writes = other.database.foreignWrites?.();
    for (let count = 0; count < 200; count += 1) (await enter(coordinator, 5)).release();
    expect(other.database.foreignWrites?.()).toBe(writes);
    await Promise.all([close(), other.close()]);
  });

  test("processes that all want more keep their shares of the places busy, however slow the database is", async () => {
    const slow = (database: Database): Database => ({
      ...database,
      transaction: async (work) => pause(40).then(() => database.transaction(work)),
    });
    const opened = [await openFile(), await openFile()];
    const processes = opened.map((database) =>
      openDatabaseCoordinator({ database: slow(database), onError: fail }),
    );
    const [limit, holdMs, durationMs] = [10, 60, 1200];
    const over = new AbortController();
    let [running, most, visits] = [0, 0, 0];
    const visit = async (coordinator: Coordinator) => {
      while (!over.signal.aborted) {
        const place = await enter(coordinator, limit);
        running += 1;
        most = Math.max(most, running);
        await pause(holdMs);
        running -= 1;
        visits += 1;
        place.release();
      }
    };
    const users = processes.flatMap((coordinator) => Array.from({ length: limit }, () => visit(coordinator)));
    await pause(durationMs / 2);
    const before = visits;
    await pause(durationMs);
    const used = (visits - before) / ((limit * durationMs) / holdMs);
    over.abort();
    await Promise.all(users);
    for (const coordinator of processes) await coordinator.close();
    for (const database of opened) await database.close();
    expect(most).toBe(limit);
    expect(used).toBeGreaterThan(0.8);
  });

  test("what was counted ahead and not used is given back to the others", async () => {
    let nowMs = Date.now();
    const clock = () => nowMs;
    const [one, other] = [await openProcess({ clock }), await openProcess({ clock })];
    const limit = 100;
    const windowMs = 20_000;
    const count = async (coordinator: Coordinator) =>
      (await coordinator.count("k", limit, windowMs)) === undefined;
    for (let asked = 0; asked < 10; asked += 1) await count(one.coordinator);
    const writes = other.database.foreignWrites?.();
    // What is drawn holds until now; one more passes by then.
    nowMs += windowMs / limit;
    await expect.poll(() => other.database.foreignWrites?.(), { timeout: 5000 }).not.toBe(writes);
    let passed = 10;
    while (await count(other.coordinator)) passed += 1;
    expect(passed).toBe(limit + 1);
    await Promise.all([one.close(), other.close()]);
  });

  test("asking again after a refusal costs no write", async () => {
    const { coordinator, close } = await openProcess();
    const other = await openProcess();
    await coordinator.count("k", 1, 600_000);
    expect(await coordinator.count("k", 1, 600_000)).toBeDefined();
    const writes = other.database.foreignWrites?.();
    for (let count = 0; count < 500; count += 1) {
      expect(await coordinator.count("k", 1, 600_000)).toMatchObject({ consumed: 2 });
    }
    expect(other.database.foreignWrites?.()).toBe(writes);
    await Promise.all([close(), other.close()]);
  });

  test("while the database cannot be written each process keeps its limits alone, and says so", async () => {
    const told: unknown[] = [];
    const { coordinator, database } = await openProcess({ onError: (failure) => told.push(failure) });
    await database.close();
    const counted = await Promise.all([1, 2, 3].map(async () => coordinator.count("k", 2, 60_000)));
    expect(counted.filter((refusal) => refusal === undefined)).toHaveLength(2);
    const first = await enter(coordinator, 1);
    const second = enter(coordinator, 1);
    expect(await Promise.race([second.then(() => "entered"), pause(50, "waits")])).toBe("waits");
    first.release();
    (await second).release();
    expect(told.length).toBeGreaterThan(0);
    await expect(coordinator.lease("l", 1000)).rejects.toThrow("not open");
  });

  test("a lease whose holder died is free after its time", async () => {
    const dying = await openProcess();
    const living = await openProcess();
    await dying.coordinator.lease("l", 400);
    await crash(dying);
    expect(await living.coordinator.lease("l", 400)).toBeUndefined();
    await expect.poll(async () => (await living.coordinator.lease("l", 400)) !== undefined).toBe(true);
    await living.close();
  });

  test("who has lost a lease is told", async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const lease = await one.coordinator.lease("l", 300);
    await other.database.prepared("UPDATE leases SET held_until = 0").run();
    const next = await other.coordinator.lease("l", 5000);
    expect(next).toBeDefined();
    await expect.poll(() => lease?.signal.aborted).toBe(true);
    expect(String(lease?.signal.reason)).toContain('The lease "l" was lost');
    await lease?.release();
    expect(await one.coordinator.lease("l", 300)).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  });

  test("closing gives back everything at once", async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    await enter(one.coordinator);
    await one.coordinator.lease("l", 60_000);
    await one.close();
    (await enter(other.coordinator)).release();
    expect(await other.coordinator.lease("l", 60_000)).toBeDefined();
    await other.close();
  });
});

test.each([
  ["sqlite::memory:", "nobody else"],
  ["sqlite:x.db", "the others"],
])("a database at %s is shared with %s", async (url, whom) => {
  const database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const coordinator = await openCoordinator({ url, database, onError: fail });
  await coordinator.lease("l", 60_000);
  const rows = await database.prepared("SELECT * FROM leases").all();
  expect(rows).toHaveLength(whom === "the others" ? 1 : 0);
  await coordinator.close();
  await database.close();
});

test("an unknown scheme is refused with the known ones", async () => {
  const database = await openDatabase("sqlite::memory:");
  const refused = openCoordinator({ url: "mysql://user:secret@host/db", database, onError: fail });
  await expect(refused).rejects.toThrow("Known: sqlite::memory:, sqlite:");
  await expect(refused).rejects.not.toThrow("secret");
  await database.close();
});
