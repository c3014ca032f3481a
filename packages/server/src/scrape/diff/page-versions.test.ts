import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { type HistoryName, openPageVersions, type PageVersions } from "./page-versions.ts";

let folder: string;
let database: Database;
let blobs: BlobStore;
let versions: PageVersions;
let nowMs: number;

beforeEach(async () => {
  folder = testFolder();
  nowMs = 1_900_000_000_000;
  database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  blobs = await openBlobs("memory:");
  versions = openPageVersions({ database, blobs, clock: () => nowMs });
});

afterEach(async () => {
  await database.close();
  await blobs.close();
});

const page: HistoryName = { teamId: "team", url: "http://site.test/", tag: null };

async function keep(text: string, name = page): Promise<void> {
  nowMs += 1000;
  await versions.keep(name, { text, scrapedAtMs: nowMs });
}

async function keptTexts(): Promise<number> {
  let count = 0;
  for await (const _key of blobs.list("versions")) count += 1;
  return count;
}

test("of a page that was never kept there is none", async () => {
  expect(await versions.newest(page, Infinity)).toBeUndefined();
});

test("the newest is told with its time, and no more than two are kept", async () => {
  for (const text of ["one", "two", "three ü"]) await keep(text);
  expect(await versions.newest(page, Infinity)).toEqual({ text: "three ü", scrapedAtMs: nowMs });
  expect(await keptTexts()).toBe(2);
});

test("a page that was stored is compared with the version before it, and makes no new one", async () => {
  for (const text of ["one", "two"]) await keep(text);
  expect(await versions.newest(page, nowMs)).toMatchObject({ text: "one" });
  await versions.keep(page, { text: "one", scrapedAtMs: nowMs - 1000 });
  expect(await versions.newest(page, Infinity)).toMatchObject({ text: "two" });
  expect(await versions.newest(page, nowMs - 1000)).toBeUndefined();
});

test.each([
  ["team", { ...page, teamId: "other" }],
  ["URL", { ...page, url: "http://site.test/a" }],
  ["tag", { ...page, tag: "daily" }],
])("another %s has another history", async (_what, other) => {
  await keep("one");
  expect(await versions.newest(other, Infinity)).toBeUndefined();
});

test("the table tells no URL", async () => {
  await keep("one");
  const rows = await database.prepared("SELECT * FROM page_versions").all();
  expect(JSON.stringify(rows)).not.toContain("site.test");
});

test("erasing a team takes its texts and leaves those of others", async () => {
  await keep("one");
  await keep("of another", { ...page, teamId: "other" });
  await versions.erase("team");
  expect(await versions.newest(page, Infinity)).toBeUndefined();
  expect(await keptTexts()).toBe(1);
});

test("a text that is lost is told, not taken for an empty one", async () => {
  await keep("one");
  for await (const key of blobs.list("versions")) await blobs.delete(key);
  await expect(versions.newest(page, Infinity)).rejects.toThrow("lost or damaged");
});

test("pruning takes texts whose row never came", async () => {
  await keep("one");
  await database.prepared("DELETE FROM page_versions").run();
  nowMs += 2 * 60 * 60 * 1000;
  await versions.prune();
  expect(await keptTexts()).toBe(0);
});
