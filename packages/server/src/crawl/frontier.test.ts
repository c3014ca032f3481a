import { givenAddress } from "@pergamon-dev/kit/address";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database, Statements } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import {
  type Crawl,
  insertCrawl,
  insertUrls,
  keyOf,
  listOpenUrls,
  reserveNumbers,
  takeAllWaiting,
  takeUrls,
} from "./frontier.ts";

let database: Database;
let crawl: Crawl;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  crawl = await database.transaction((tx) =>
    insertCrawl(tx, {
      jobId: "run",
      teamId: "team",
      siteUrl: "https://shop.test/",
      limit: 100,
      delayMs: 0,
      isByLevel: true,
    }),
  );
});

afterEach(() => database.close());

async function find(depth: number, ...urls: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    const first = await reserveNumbers(tx, crawl, urls.length);
    const found = urls.map((url, order) => ({
      order,
      url: givenAddress(url),
      identity: keyOf(url),
      depth,
      chain: 0,
    }));
    await insertUrls(tx, crawl, first, found);
  });
}

test("addresses are visited by depth, then in the order in which they were found", async () => {
  await find(2, "https://shop.test/deep");
  await find(1, "https://shop.test/b", "https://shop.test/a");
  const open = await listOpenUrls(database, crawl, { after: undefined, count: 9 });
  expect(open.map(({ url }) => new URL(url).pathname)).toEqual(["/b", "/a", "/deep"]);
});

/** Statements that note the text of each that is asked. */
function noting(tx: Statements, asked: Set<string>): Statements {
  return {
    prepared(sql) {
      asked.add(sql);
      return tx.prepared(sql);
    },
  };
}

test("no question for the next addresses looks at all that are known", async () => {
  await find(1, "https://shop.test/a", "https://shop.test/b");
  const asked = new Set<string>();
  await database.transaction(async (tx) => {
    const noted = noting(tx, asked);
    await takeUrls(noted, crawl, 9);
    await takeUrls(noted, { ...crawl, isByLevel: false }, 9);
    await listOpenUrls(noted, crawl, { after: undefined, count: 9 });
    await takeAllWaiting(noted, crawl, 9, { kind: "limit" });
  });
  const questions = [...asked].filter((sql) => sql.startsWith("SELECT"));
  expect(questions).toHaveLength(4);
  for (const sql of questions) {
    const plan = await database.prepared<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining("crawl_urls_open")]);
  }
});
