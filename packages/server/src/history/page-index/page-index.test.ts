import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { IndexThread, type TenantOfThread } from "./index-thread.ts";
import { PageIndex } from "./page-index.ts";

const { signal } = new AbortController();

/** Takes its time to index: twenty of the pages that wait each time. */
class SlowThread extends IndexThread {
  batches = 0;
  waiting = 0;

  override async run(name: string, _task: unknown, whose?: TenantOfThread): Promise<unknown> {
    if (whose) return name === "excerpts" ? new Map() : [];
    if (name !== "index") return undefined;
    this.batches += 1;
    await pause(60);
    return (this.waiting = Math.max(0, this.waiting - 20));
  }
}

let folder: string;
let database: Database;
let thread: SlowThread;
let index: PageIndex;

beforeEach(async () => {
  folder = testFolder();
  database = await openDatabase(`sqlite:${folder}/test.db`);
  thread = new SlowThread();
  const raise = (failure: unknown) => {
    throw failure;
  };
  const path = join(folder, "search.db");
  index = new PageIndex({
    path,
    database,
    thread,
    vectorOf: async () => "",
    flushRecords: async () => undefined,
    onError: raise,
  });
});

afterEach(async () => {
  await index.close();
  await database.close();
});

function add(count: number): void {
  const page = { teamId: "a", scrapeId: "s", captureId: "c", title: "", description: "", markdown: "tea" };
  for (let number = 0; number < count; number += 1) index.add({ ...page, url: `https://a.test/${number}` });
}

test("an index that could not be opened is opened the next time, and closes", async () => {
  const path = join(folder, "in-the-way");
  await mkdir(path);
  const stored = Object.assign(Object.create(database) as Database, { hasTextSearch: true });
  index = new PageIndex({
    path,
    database: stored,
    thread,
    vectorOf: async () => "",
    flushRecords: async () => {},
    onError: () => {},
  });
  await expect(index.prune()).rejects.toThrow("EISDIR");
  await index.close();
  await rmdir(path);
  await index.prune();
});

test("a search finds what was added before it", async () => {
  add(100);
  thread.waiting = 100;
  await index.search({ teamId: "a", words: "tea", limit: 1 }, signal);
  expect([thread.batches, index.unindexedCount]).toEqual([5, 0]);
  await index.search({ teamId: "a", words: "tea", limit: 1 }, signal);
  expect(thread.batches, "and the next one has nothing to wait for").toBe(5);
});

test("a search does not wait long, however much waits to be indexed, and says so", async () => {
  add(2000);
  thread.waiting = 2000;
  const startedAtMs = performance.now();
  await index.search({ teamId: "a", words: "tea", limit: 1 }, signal);
  await index.copies({ teamId: "a", words: "tea", urls: ["https://a.test/1"] }, signal);
  expect(performance.now() - startedAtMs).toBeLessThan(2500);
  expect(thread.batches).toBeLessThan(40);
  expect(index.unindexedCount).toBeGreaterThan(1000);
});

test("no thread is needed while pages come; when none comes any more, they are indexed", async () => {
  add(100);
  thread.waiting = 100;
  await pause(1000);
  expect(thread.batches).toBe(0);
  await expect.poll(() => index.unindexedCount, { timeout: 5000 }).toBe(0);
});
