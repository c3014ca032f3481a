import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock } from "../../storage/clock/manual-clock.suite.ts";
import { openMemoryCoordinator } from "../../storage/coordination/memory.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { openDatabaseQueue } from "../../jobs/queue/database-queue.ts";
import type { TaskQueue } from "../../jobs/queue/task-queue.ts";
import { type AlertMessage, Alerts } from "./alerts.ts";
import { PartHealth } from "../../storage/part-health.ts";

const MINUTE_MS = 60_000;
const MODEL = { part: "Language model", target: "small" };

let database: Database;
let queue: TaskQueue;
let clock: ManualClock;
let health: PartHealth;
let alerts: Alerts;
let posted: AlertMessage[];
let mailed: AlertMessage[];
let lost: number;
/** @param count of the messages that were posted. */
let post: (count: number) => Promise<void>;
let check: () => Promise<void>;

beforeEach(async () => {
  [posted, mailed, lost] = [[], [], 0];
  post = check = async () => undefined;
  clock = new ManualClock();
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const onError = (failure: unknown) => {
    throw failure;
  };
  queue = openDatabaseQueue({ database, coordinator: openMemoryCoordinator(), onError, clock });
  health = new PartHealth({ database, clock: () => clock.now(), onError });
  alerts = new Alerts({
    database,
    queue,
    clock: () => clock.now(),
    channels: new Map([
      ["webhook", (message) => post(posted.push(message))],
      ["mail", async (message) => void mailed.push(message)],
    ]),
    asked: [{ name: "blobs", ask: () => check() }],
    used: () => health.read(),
    onLost: () => void (lost += 1),
  });
  alerts.work();
});

afterEach(async () => {
  await queue.close();
  await health.close();
  await database.close();
});

/** Looks after so many minutes, and lets what comes of it be sent. */
async function lookAfter(minutes: number): Promise<void> {
  await clock.advance(minutes * MINUTE_MS);
  await alerts.look();
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return database.prepared<object>("SELECT sequence FROM jobs").all();
    })
    .toEqual([]);
}

function fail(times: number): void {
  for (let time = 0; time < times; time += 1) health.note({ ...MODEL, problem: "Refused." });
}

const changes = () => posted.map(({ data }) => data.map(({ state, part }) => `${state} ${part}`));

test("a part is told once when it begins to fail and once when it works again, to every channel", async () => {
  fail(2);
  await lookAfter(0);
  expect(posted).toEqual([]);
  fail(1);
  await lookAfter(1);
  await lookAfter(1);
  expect(changes()).toEqual([["failing Language model (small)"]]);
  expect(posted[0]?.text).toBe("Language model (small) does not work. It failed 3 times in a row: Refused.");
  expect(mailed).toEqual(posted);
  health.note(MODEL);
  await lookAfter(1);
  // What fails again within five minutes did not work again.
  fail(3);
  await lookAfter(1);
  health.note(MODEL);
  await lookAfter(4);
  expect(changes()).toHaveLength(1);
  await lookAfter(2);
  await lookAfter(2);
  expect(changes().slice(1)).toEqual([["working Language model (small)"]]);
  expect(posted[1]?.text).toMatch(/^Language model \(small\) works again\. It failed since 2026-11-15T12:01/);
});

test("a part that is not used any more is not known to fail", async () => {
  fail(3);
  await lookAfter(0);
  await lookAfter(61);
  expect(changes()).toEqual([["failing Language model (small)"], ["working Language model (small)"]]);
});

test("a check that fails is told with its reason", async () => {
  check = async () => {
    throw new Error("The bucket is gone.");
  };
  await lookAfter(0);
  expect(posted[0]?.text).toBe("blobs does not work. The bucket is gone.");
});

test("whatever happens at once is one message, bounded and on one line for each part", async () => {
  for (let index = 0; index < 300; index += 1)
    for (let time = 0; time < 3; time += 1)
      health.note({
        part: "Proxies",
        target: `host-${index}${"界".repeat(300)}`,
        problem: "\u202E\n long ".repeat(1000),
      });
  await lookAfter(0);
  expect(posted).toHaveLength(1);
  expect(posted[0]?.data).toHaveLength(20);
  expect(posted[0]?.text.split("\n")).toHaveLength(21);
  expect(posted[0]?.text).toMatch(/… and 280 more\.$/);
  expect(posted[0]?.text).not.toContain("\u202E");
});

test("a receiver that fails is tried again for hours, then the message is given up", async () => {
  fail(3);
  post = async () => {
    throw new Error("It answered 503.");
  };
  await alerts.look();
  await expect
    .poll(async () => {
      await clock.advance(60 * MINUTE_MS);
      return lost;
    })
    .toBe(1);
  expect(new Set(posted.map(({ id }) => id)).size).toBe(1);
  expect([posted.length, mailed.length]).toEqual([7, 1]);
});

test("two processes that look at once tell of it once", async () => {
  fail(3);
  await Promise.all([alerts.look(), alerts.look()]);
  await lookAfter(0);
  expect(posted).toHaveLength(1);
});
