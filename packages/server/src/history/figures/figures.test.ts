import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { durationBucket, durationEndsMs, durationQuantile } from "./durations.ts";
import type { EndedWork } from "../../accounts/work.ts";
import { type Figures, openFigures } from "./figures.ts";

const DAY_MS = 86_400_000;
const START_MS = 20_000 * DAY_MS;

let database: Database;
let figures: Figures;
let nowMs: number;

beforeEach(async () => {
  nowMs = START_MS;
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  figures = openFigures({
    database,
    clock: () => nowMs,
    onError(failure) {
      throw failure;
    },
  });
});

afterEach(async () => {
  await figures.close();
  await database.close();
});

const ended = (changes: Partial<EndedWork> = {}): EndedWork => ({
  teamId: "a",
  keyId: "key",
  endedAtMs: START_MS,
  durationMs: 100,
  creditsUsed: 1,
  isHit: false,
  formats: ["markdown"],
  way: "http",
  ...changes,
});

const all = { fromMs: START_MS, toMs: START_MS + DAY_MS };

test("requests are counted at once, in every span, for their team and for everybody", async () => {
  figures.count(ended());
  figures.count(ended({ creditsUsed: 5, formats: ["markdown", "json"], isHit: true, way: "cache" }));
  figures.count(
    ended({ teamId: "b", keyId: undefined, errorCode: "SCRAPE_TIMEOUT", way: undefined, creditsUsed: 0 }),
  );
  for (const span of ["minute", "hour", "day"] as const) {
    const rows = await figures.read({ span, ...all });
    const told = rows.map(({ kind, name, pages, credits }) => `${kind} ${name} ${pages} ${credits}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "all  3 6",
        "failed SCRAPE_TIMEOUT 1 0",
        "hit  1 5",
        "format json 1 5",
        "format markdown 3 6",
        "way http 1 1",
      ]),
    );
    expect(
      (await figures.read({ span, ...all, teamId: "b" })).find(({ kind }) => kind === "all")?.pages,
    ).toBe(1);
    expect(await figures.read({ span, ...all, teamId: "a", keyId: "other" })).toEqual([]);
  }
  expect(await figures.byOwner({ span: "day", ...all })).toEqual([
    { teamId: "a", keyId: "key", pages: 2, credits: 6 },
    { teamId: "b", keyId: "", pages: 1, credits: 0 },
  ]);
});

test("what cannot be written waits, and is counted once", async () => {
  const broken: Database = {
    ...database,
    prepared: (sql) => database.prepared(sql),
    transaction: (work) => (isBroken ? Promise.reject(new Error("full")) : database.transaction(work)),
  };
  let isBroken = true;
  const own = openFigures({ database: broken, onError: () => undefined });
  own.count(ended());
  await expect(own.read({ span: "day", ...all })).rejects.toThrow("full");
  own.count(ended());
  isBroken = false;
  const rows = await own.read({ span: "day", ...all });
  expect(rows.find(({ kind }) => kind === "all")?.pages).toBe(2);
  await own.close();
});

test.each<Partial<EndedWork>>([
  { teamId: "b" },
  { keyId: "other" },
  { endedAtMs: START_MS + 60_000 },
  { durationMs: 5000 },
  { durationMs: undefined },
  { kind: "map" },
  { creditsUsed: 7 },
  { pages: 0 },
  { errorCode: "SCRAPE_TIMEOUT" },
  { isHit: false },
  { formats: ["html", "links"] },
  { way: "browser" },
  { host: "b.test" },
  { host: undefined },
])("a request between two that are alike is counted as what it is: %o", async (change) => {
  const like = ended({ host: "a.test", isHit: true, way: "cache" });
  const requests = [like, like, { ...like, ...change }, like];
  for (const request of requests) figures.count(request);
  const told = await allOf(figures);
  await database.prepared("DELETE FROM figures").run();
  await database.prepared("DELETE FROM site_figures").run();
  for (const request of requests) {
    figures.count(request);
    // What is written is no longer what the next one is like.
    await allOf(figures);
  }
  expect(told).toEqual(await allOf(figures));
  expect(told.rows.find(({ kind }) => kind === "all")?.pages).toBeGreaterThan(0);
});

async function allOf({ read, sites }: Figures) {
  const query = { span: "minute", ...all } as const;
  return { rows: await read(query), hosts: await sites.byHost({ ...query, span: "day" }) };
}

test("a deleted team's figures go, and the sums of everybody stay", async () => {
  figures.count(ended());
  await figures.erase("a");
  expect(await figures.read({ span: "day", ...all, teamId: "a" })).toEqual([]);
  expect(await figures.read({ span: "day", ...all })).not.toEqual([]);
});

test("minutes are kept for hours, hours for months and days for years", async () => {
  figures.count(ended());
  const left = async () => {
    await figures.prune();
    const rows = await database
      .prepared<{ span: string }>("SELECT DISTINCT span FROM figures ORDER BY span")
      .all();
    return rows.map(({ span }) => span);
  };
  await figures.read({ span: "day", ...all });
  expect(await left()).toEqual(["day", "hour", "minute"]);
  nowMs += DAY_MS;
  expect(await left()).toEqual(["day", "hour"]);
  nowMs += 70 * DAY_MS;
  expect(await left()).toEqual(["day"]);
  nowMs += 740 * DAY_MS;
  expect(await left()).toEqual([]);
});

test("a clock that is set back counts where it stands", async () => {
  figures.count(ended({ endedAtMs: START_MS + DAY_MS }));
  figures.count(ended({ endedAtMs: START_MS }));
  expect((await figures.read({ span: "day", ...all })).find(({ kind }) => kind === "all")?.pages).toBe(1);
});

test("quantiles of durations are a sixth wrong at most", () => {
  const durations = Array.from({ length: 1000 }, (_, index) => 20 * 1.009 ** index);
  const counts = new Map<number, number>();
  for (const durationMs of durations) {
    const bucket = durationBucket(durationMs);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  for (const part of [0.1, 0.5, 0.95]) {
    const real = durations[part * 1000 - 1] ?? 0;
    expect(Math.abs((durationQuantile(counts, part) ?? 0) / real - 1)).toBeLessThan(1 / 6);
  }
  expect(durationQuantile(new Map(), 0.5)).toBeUndefined();
  expect(durationBucket(1e9)).toBe(durationEndsMs.length);
});
