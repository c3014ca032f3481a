import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock } from "../../storage/clock/manual-clock.suite.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { insertTasks } from "./task-rows.ts";
import { TaskShare } from "./task-share.ts";

const clock = new ManualClock();
let database: Database;
let heard: ((sender: string) => void) | undefined;
let share: TaskShare;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const hear: Database["hear"] = (_topic, listener) => {
    heard = listener;
    return () => (heard = undefined);
  };
  share = new TaskShare({ database: { ...database, hear }, clock, kind: "step" });
  const tasks = Array.from({ length: 10 }, () => ({ kind: "step", group: "run", payload: "{}" }));
  await database.transaction((tx) => insertTasks(tx, tasks, { nowMs: clock.now() }));
});

afterEach(async () => {
  share.close();
  await database.close();
});

test.each([
  { others: 0, own: 3, room: Infinity },
  { others: 1, own: 3, room: 2 },
  { others: 3, own: 0, room: 3 },
  { others: 3, own: 3, room: 0 },
])(
  "with $others others and $own of ten tasks, a process may claim $room more",
  async ({ others, own, room }) => {
    for (let other = 0; other < others; other += 1) heard?.(`other ${other}`);
    expect(await share.room(database, own)).toBe(room);
    expect(await share.isReached(database, own)).toBe(room === 0);
  },
);

test("what others leave may be claimed after a while, and those that are silent do not count", async () => {
  heard?.("other");
  expect(await share.room(database, 5)).toBe(0);
  await clock.advance(1000);
  expect(await share.room(database, 5)).toBe(Infinity);
  expect(await share.room(database, 5)).toBe(0);
  await clock.advance(10_000);
  expect(await share.room(database, 9)).toBe(Infinity);
  expect(await share.isReached(database, 9)).toBe(false);
});
