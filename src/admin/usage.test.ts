import { afterAll, beforeAll, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../test/accounts.ts";
import { addOperations } from "../../test/serve-operations.ts";
import { openTestServer, type TestServer } from "../../test/server.ts";
import type { LiveStatus, OverviewAnswer } from "../contract/operator/overview.ts";
import type { UsageAnswer } from "../contract/operator/usage.ts";
import { type Figures, openFigures } from "../stores/figures/figures.ts";
import { searchRequests } from "../stores/scrapes/record-search.ts";
import { overview } from "./overview.ts";
import { usageOperations } from "./usage.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 20_000 * DAY_MS + DAY_MS / 2;

let accounts: TestAccounts;
let figures: Figures;
let server: TestServer;
let teamId: string;
let keyId: string;

beforeAll(async () => {
  accounts = await openTestAccounts();
  const { database } = accounts;
  ({ teamId, keyId } = await accounts.administration.createTeam({ name: '=1+1,"x"' }));
  figures = openFigures({
    database,
    onError(failure) {
      throw failure;
    },
  });
  server = await openTestServer((app) => {
    addOperations(app, usageOperations, { figures, database, clock: () => NOW_MS });
    addOperations(app, [overview], {
      figures,
      requests: (filter) => searchRequests(database, filter),
      now: () => ({}) as LiveStatus,
      clock: () => NOW_MS,
    });
  });
  for (let index = 0; index < 300; index += 1) {
    figures.count({
      teamId: index % 3 === 0 ? "gone" : teamId,
      keyId: index % 3 === 0 ? undefined : keyId,
      endedAtMs: NOW_MS - (index % 10) * DAY_MS,
      durationMs: index < 150 ? 100 : 1000,
      creditsUsed: 2,
      errorCode: index % 30 === 0 ? "SCRAPE_TIMEOUT" : undefined,
      isHit: index % 2 === 0,
      formats: index % 2 === 0 ? ["markdown"] : ["markdown", "links"],
      way: "http",
    });
  }
});

afterAll(async () => {
  await server.close();
  await figures.close();
  await accounts.close();
});

async function usage(query: string): Promise<UsageAnswer["data"]> {
  const { body } = await server.ask(`GET /admin/api/usage?${query}`);
  return (body as UsageAnswer).data;
}

test("use is told over time, without gaps, and by team", async () => {
  const { total, series, groups, errors } = await usage("");
  expect(total).toMatchObject({ pages: 300, failed: 10, cacheHits: 150, credits: 600 });
  expect(total.p50Ms).toBeGreaterThan(80);
  expect(total.p95Ms).toBeGreaterThan(800);
  expect(series).toHaveLength(31);
  expect(series.slice(-10).map(({ pages }) => pages)).toEqual(Array.from({ length: 10 }, () => 30));
  expect(series[0]).toMatchObject({ pages: 0, p50Ms: null });
  expect(groups).toEqual([
    { id: teamId, teamId: null, name: '=1+1,"x"', pages: 200, credits: 400 },
    { id: "gone", teamId: null, name: "", pages: 100, credits: 200 },
  ]);
  expect(errors).toEqual([{ code: "SCRAPE_TIMEOUT", count: 10 }]);
});

test("use is told by key, format and way, and of one team or key alone", async () => {
  expect((await usage("by=format")).groups).toMatchObject([
    { id: "markdown", pages: 300 },
    { id: "links", pages: 150 },
  ]);
  expect((await usage("by=way")).groups).toMatchObject([{ id: "http", pages: 300 }]);
  expect((await usage(`by=key&team=${teamId}`)).groups).toMatchObject([
    { id: keyId, name: "first", pages: 200 },
  ]);
  expect((await usage(`team=${teamId}&key=${keyId}`)).total.pages).toBe(200);
  expect((await usage(`team=${teamId}&key=other`)).total.pages).toBe(0);
});

test("hours are told where they are asked for", async () => {
  const from = new Date(NOW_MS - DAY_MS / 2).toISOString();
  const { series, total } = await usage(`step=hour&from=${from}&to=${new Date(NOW_MS + 1).toISOString()}`);
  expect(series).toHaveLength(13);
  expect(total.pages).toBe(30);
});

test.each([
  "from=2030-01-01T00:00:00Z",
  "step=hour&from=2020-01-01T00:00:00Z",
  "from=x",
  "step=week",
  "key=x",
])("%s is refused, and says why", async (query) => {
  const { status, body } = await server.ask(`GET /admin/api/usage?${query}`);
  expect([status, body]).toMatchObject([400, { success: false, error: expect.any(String) }]);
});

test("the table is one of numbers", async () => {
  const { text, headers } = await server.ask("GET /admin/api/usage.csv");
  const [head, ...rows] = text.trim().split("\r\n");
  expect(head).toBe("start,pages,failed,refused,cacheHits,credits,p50Ms,p95Ms");
  expect(rows).toHaveLength(31);
  expect(rows.at(-1)).toMatch(/^2024-10-04T00:00:00\.000Z,30,\d+,0,\d+,60,\d+,\d+$/);
  expect(headers.get("content-disposition")).toBe('attachment; filename="usage.csv"');
});

test("a day is the last 24 hours, told by the hour", async () => {
  const { body } = await server.ask("GET /admin/api/overview?days=1");
  const { data } = body as OverviewAnswer;
  expect([data.step, data.days.length]).toEqual(["hour", 24]);
  expect(data.days.at(-1)).toMatchObject({ start: new Date(NOW_MS).toISOString(), pages: 30 });
  expect([data.total.pages, data.previous.pages]).toEqual([30, 30]);
});

test("the overview tells of as many days as are asked for, and of those before", async () => {
  const { body } = await server.ask("GET /admin/api/overview?days=4");
  const { data } = body as OverviewAnswer;
  expect(data.days.map(({ pages }) => pages)).toEqual([30, 30, 30, 30]);
  expect([data.total.pages, data.previous.pages]).toEqual([120, 120]);
  expect(data.lastHour.at(-1)).toMatchObject({ pages: 30 });
});
