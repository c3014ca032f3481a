import { beforeAll, expect, test } from "vitest";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { readHeat } from "./heat.ts";

const NOON_MS = Date.UTC(2030, 0, 1, 12);
const MINUTE_MS = 60_000;

let database: Database;

beforeAll(async () => {
  database = ofTestFile.add(await openDatabase("sqlite::memory:"), (opened) => opened.close());
  await database.migrate();
});

/** Pages of a job: host, minutes after noon, whether it failed. */
async function record(id: string, pages: readonly (readonly [string, number, boolean?])[]): Promise<void> {
  const insert = database.prepared(
    `INSERT INTO scrapes (id, team_id, url, host, status, credits_used, duration_ms, created_at, parent_id)
     VALUES (?, 'team', '', ?, ?, 1, 1, ?, ?)`,
  );
  for (const [host, minutes, isFailed = false] of pages) {
    const atMs = NOON_MS + minutes * MINUTE_MS;
    await insert.run(uuidV7(atMs), host, isFailed ? "failed" : "completed", atMs, id);
  }
}

function heatOf(id: string, minutes: number, maxPages?: number) {
  const job = { id, createdAtMs: NOON_MS, endedAtMs: NOON_MS + minutes * MINUTE_MS };
  return readHeat(database, job, NOON_MS, maxPages);
}

test("pages are counted by host and step, those that failed among them", async () => {
  await record("short", [
    ["a.test", 0],
    ["a.test", 0.9, true],
    ["a.test", 2],
    ["b.test", 1],
  ]);
  expect(await heatOf("short", 2)).toMatchObject({ stepMs: 10_000 });
  expect(await heatOf("short", 20)).toMatchObject({ stepMs: MINUTE_MS });
  const { hosts, ...heat } = await heatOf("short", 300);
  expect(heat).toEqual({ since: new Date(NOON_MS).toISOString(), stepMs: 15 * MINUTE_MS, isWhole: true });
  expect(hosts.map(({ host, pages, failed }) => [host, pages[0], failed[0], pages.length])).toEqual([
    ["a.test", 3, 1, 21],
    ["b.test", 1, 0, 21],
  ]);
});

test("a job of any length has at most 24 steps, and what clocks put outside counts at its ends", async () => {
  await record("long", [
    ["a.test", -5],
    ["a.test", 1_000_000],
  ]);
  for (const minutes of [0, 1, 24, 25, 1440, 10_080, 1_000_000]) {
    const [host] = (await heatOf("long", minutes)).hosts;
    expect([minutes, (host?.pages.length ?? 0) <= 24]).toEqual([minutes, true]);
    expect(host?.pages.reduce((sum, pages) => sum + pages, 0)).toBe(2);
  }
});

test("of many hosts, those with few pages stand together", async () => {
  const sites = Array.from({ length: 30 }, (_, at) => [`${at}.test`, at] as const);
  await record("wide", [...sites, ["29.test", 1]]);
  const { hosts } = await heatOf("wide", 30);
  expect(hosts).toHaveLength(12);
  expect([hosts[0]?.host, hosts.at(-1)?.host]).toEqual(["29.test", null]);
  expect(hosts.flatMap(({ pages }) => pages).reduce((sum, pages) => sum + pages, 0)).toBe(31);
});

test("of a large job only the latest pages are counted, which is told", async () => {
  await record(
    "large",
    Array.from({ length: 50 }, (_, at) => ["a.test", at] as const),
  );
  const heat = await heatOf("large", 50, 10);
  expect(heat).toMatchObject({ isWhole: false, stepMs: MINUTE_MS / 2 });
  expect(heat.hosts[0]?.pages.join("").replaceAll("0", "")).toBe("1".repeat(10));
});
