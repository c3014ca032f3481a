import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { groupFailures, type RequestFilter, searchRequests } from "./record-search.ts";

const START_MS = 1_800_000_000_000;
const REQUESTS = 100;

let database: Database;

/** One request a minute, the hundredth of them the newest; every tenth one is of the rare key, once for a rare site. */
beforeAll(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const insert = database.prepared(
    `INSERT INTO scrapes (id, team_id, key_id, url, host, status, error_code, credits_used, duration_ms, created_at)
     VALUES (?, 'team', ?, ?, ?, 'completed', ?, 1, 1, ?)`,
  );
  for (let number = 1; number <= REQUESTS; number += 1) {
    const host = number === 15 ? "rare.test" : "site.test";
    const key = number % 10 === 0 ? "rare" : "usual";
    const code = number === 5 ? "RARE" : null;
    await insert.run(idOf(number), key, `https://${host}/${number}`, host, code, timeOf(number));
  }
});

afterAll(() => database.close());

function timeOf(number: number): number {
  return START_MS + number * 60_000;
}

function idOf(number: number): string {
  const time = timeOf(number).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

async function pagesOf(filter: Partial<RequestFilter>) {
  const pages: { readonly numbers: readonly number[]; readonly lookedBackTo: number | undefined }[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await searchRequests(database, { limit: 3, ...filter, cursor: cursor ?? undefined }, 40);
    pages.push({
      numbers: page.data.map(({ createdAtMs }) => (createdAtMs - START_MS) / 60_000),
      lookedBackTo: page.lookedBackToMs && (page.lookedBackToMs - START_MS) / 60_000,
    });
    ({ cursor } = page);
  } while (cursor !== null);
  return pages;
}

test("a page of a rare filter ends after so many rows, and the next ones find all the same", async () => {
  expect(await pagesOf({ domain: "rare.test" })).toEqual([
    { numbers: [], lookedBackTo: 61 },
    { numbers: [], lookedBackTo: 21 },
    { numbers: [15], lookedBackTo: undefined },
  ]);
});

test("a page that is full ends with its last row, wherever the look would have ended", async () => {
  const pages = await pagesOf({ keyId: "rare" });
  expect(pages.flatMap(({ numbers }) => numbers)).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10]);
  expect(pages.map(({ numbers }) => numbers.length)).toEqual([3, 3, 3, 1]);
});

test("what an index leads to, and all requests, are found at once", async () => {
  expect(await pagesOf({ errorCode: "RARE" })).toEqual([{ numbers: [5], lookedBackTo: undefined }]);
  expect(await pagesOf({ search: idOf(7) })).toEqual([{ numbers: [7], lookedBackTo: undefined }]);
  expect(await pagesOf({ limit: 200 })).toHaveLength(1);
});

test("a period is looked at from its end", async () => {
  const pages = await pagesOf({ domain: "rare.test", untilMs: timeOf(50), sinceMs: timeOf(12) });
  expect(pages).toEqual([{ numbers: [15], lookedBackTo: undefined }]);
});

test("a total is of the requests that the first page looks at, whatever the page", async () => {
  const count = async (filter: Partial<RequestFilter>) =>
    (await searchRequests(database, { limit: 1, countUpTo: 50, ...filter }, 40)).total;
  expect(await count({ keyId: "rare" })).toBe(4);
  expect(await count({ keyId: "rare", cursor: idOf(90) })).toBe(4);
  expect(await count({})).toBe(50);
  expect(await count({ errorCode: "RARE" })).toBe(1);
});

test("failures are counted in all groups, however few of these are asked for", async () => {
  const other = await openDatabase("sqlite::memory:");
  await other.migrate();
  for (let number = 1; number <= 40; number += 1) {
    await other
      .prepared(
        `INSERT INTO scrapes (id, team_id, kind, url, host, status, error_code, credits_used, duration_ms, created_at)
         VALUES (?, 'team', ?, 'https://a.test', ?, 'failed', 'X', 0, 1, ?)`,
      )
      .run(idOf(number), number <= 5 ? "refused" : "scrape", `${number % 20}.test`, timeOf(number));
  }
  const { total, groups } = await groupFailures(other, { sinceMs: START_MS, limit: 12 });
  expect([total, groups.length, groups[0]?.count]).toEqual([40, 12, 2]);
  const filter = { status: "failed", withoutRefused: true, limit: 1, countUpTo: 100 } as const;
  expect((await searchRequests(other, filter)).total).toBe(35);
  await other.close();
});
