import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { BatchPages } from "./batch-pages.ts";

let database: Database;
let pages: BatchPages;
let clock: ManualClock;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  clock = new ManualClock();
  pages = new BatchPages(database, clock);
});

afterEach(() => database.close());

async function write(id: string, count: number, { runId = "run", teamId = "team" } = {}): Promise<void> {
  const urls = Array.from({ length: count }, (_, index) => `http://${id}.test/${index}`);
  await pages.write({ id, runId, teamId, options: `of ${id}`, stored: (url) => url }, urls);
}

const join = (id: string, runId = "run") =>
  database.transaction((inside) => pages.join(inside, { id, runId }));
const take = (count: number) => database.transaction((inside) => pages.take(inside, "run", count));

async function rows(table: string): Promise<number> {
  return (
    (await database.prepared<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).get())?.rows ?? 0
  );
}

test("pages are given once, in order, part after part, with the options of their part", async () => {
  await write("one", 3);
  await write("two", 2);
  expect(await take(9)).toEqual([]);
  await join("two");
  await join("one");
  const first = await take(3);
  expect(first.map(({ partId, number }) => `${partId} ${number}`)).toEqual(["two 0", "two 1", "one 0"]);
  expect(await pages.get({ partId: "two", number: 1 })).toEqual({
    url: "http://two.test/1",
    options: "of two",
  });
  expect((await take(9)).map(({ number }) => number)).toEqual([1, 2]);
  expect(await take(9)).toEqual([]);
});

test("what came to no run, and what runs that have ended left, goes", async () => {
  await write("left", 2500);
  await join("left");
  await write("young", 1);
  await pages.prune();
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([1, 1]);
  await clock.advance(3_600_000);
  await pages.prune();
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([0, 0]);
});

test("a team that is erased leaves no pages, others all of theirs", async () => {
  await write("one", 3);
  await write("two", 2, { teamId: "other", runId: "another" });
  await pages.erase("team");
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([1, 2]);
});
