import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock } from "../storage/clock/manual-clock.suite.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { KeptJobs } from "./kept-jobs.ts";
import { PAGE_LIST_TABLE, PageList, type PagePart } from "./page-list.ts";
import { SealedTexts } from "./sealed-options.ts";

let folder: string;
let database: Database;
let pages: PageList;
let kept: KeptJobs;
let clock: ManualClock;

beforeEach(async () => {
  folder = await mkdtemp(pathOf(tmpdir(), "page-list-"));
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  clock = new ManualClock();
  const secrets = await openSecrets({ keys: [], keyFile: pathOf(folder, "secret.key") });
  pages = new PageList({ database, clock, texts: new SealedTexts(secrets, "batch") });
  kept = new KeptJobs({ database, clock, retentionMs: () => 1000, tables: [PAGE_LIST_TABLE] });
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function write(name: string, count: number, { jobId = "run", teamId = "team" } = {}): Promise<PagePart> {
  const urls = Array.from({ length: count }, (_, index) => `http://${name}.test/${index}`);
  return pages.write({ jobId, teamId, urls, options: () => `of ${name}` });
}

const join = (part: PagePart) => database.transaction((tx) => pages.join(tx, part));
const next = (count: number) => database.transaction((tx) => pages.next(tx, "run", count));

async function urlsOf(tasks: readonly { readonly payload: string }[]): Promise<readonly unknown[]> {
  return Promise.all(tasks.map(async ({ payload }) => (await pages.get(payload))?.url));
}

async function rows(table: string): Promise<number> {
  return (
    (await database.prepared<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).get())?.rows ?? 0
  );
}

test("pages are given once, in order, part after part, with the options of their part", async () => {
  const one = await write("one", 3);
  const two = await write("two", 2);
  expect(await next(9)).toEqual([]);
  await join(two);
  await join(one);
  const first = await next(3);
  expect(await urlsOf(first)).toEqual(["http://two.test/0", "http://two.test/1", "http://one.test/0"]);
  expect(await pages.get(first[1]?.payload ?? "")).toEqual({
    url: "http://two.test/1",
    part: { id: two.id, options: "of two" },
  });
  expect(await urlsOf(await next(9))).toEqual(["http://one.test/1", "http://one.test/2"]);
  expect(await next(9)).toEqual([]);
});

test("addresses with a password tell nothing to readers of the database", async () => {
  const url = "http://me:hidden@shop.test/";
  await join(await pages.write({ jobId: "run", teamId: "team", urls: [url] }));
  const [row] = await database.prepared<{ url: string }>("SELECT url FROM batch_pages").all();
  expect(Buffer.from(row?.url ?? "", "base64").toString()).not.toContain("hidden");
  expect(await urlsOf(await next(1))).toEqual([url]);
});

test("what came to no job, and what jobs that have ended left, goes", async () => {
  await join(await write("left", 2500));
  await write("young", 1);
  await kept.prune();
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([1, 1]);
  await clock.advance(3_600_000);
  await kept.prune();
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([0, 0]);
});

test("a team that is erased leaves no pages, others all of theirs", async () => {
  await write("one", 3);
  await write("two", 2, { teamId: "other", jobId: "another" });
  await kept.erase("team");
  expect([await rows("batch_parts"), await rows("batch_pages")]).toEqual([1, 2]);
});
