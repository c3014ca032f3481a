import { afterAll, beforeAll, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../../test/accounts.ts";
import { addOperations } from "../../../../../test/serve-operations.ts";
import { openTestServer, type TestServer } from "../../../../../test/server.ts";
import { type Figures, openFigures } from "../../history/figures/figures.ts";
import { searchRequests } from "../../history/record-search.ts";
import { type ModelTokens, openModelTokens } from "../../accounts/model-tokens.ts";
import { type LiveStatus, overview, type OverviewAnswer } from "../overview.ts";
import { type UsageAnswer, usageOperations } from "./usage.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 20_000 * DAY_MS + DAY_MS / 2;

let accounts: TestAccounts;
let figures: Figures;
let modelTokens: ModelTokens;
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
  modelTokens = openModelTokens({
    database,
    maxPerDay: undefined,
    clock: () => NOW_MS,
    onError(failure) {
      throw failure;
    },
  });
  await modelTokens.book(teamId, "small", { input: 100, output: 10 });
  await modelTokens.book(teamId, "small", { input: 50, output: 5 });
  await modelTokens.book("gone", "large", { input: 1000, output: 200 });
  server = await openTestServer((app) => {
    addOperations(app, usageOperations, { figures, modelTokens, database, clock: () => NOW_MS });
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
      durationMs: index % 2 === 0 ? 100 : 1000,
      creditsUsed: 2,
      errorCode: index % 30 === 0 ? "SCRAPE_TIMEOUT" : undefined,
      isHit: index % 2 === 0,
      formats: index % 2 === 0 ? ["markdown"] : ["markdown", "links"],
      way: "http",
      host: index % 3 === 0 ? "shop.test" : "news.test",
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

const noTokens = { inputTokens: null, outputTokens: null };

test("use is told over time, without gaps, and by team", async () => {
  const { total, series, groups, errors } = await usage("");
  expect(total).toMatchObject({ pages: 300, failed: 10, cacheHits: 150, credits: 600 });
  expect(total.p50Ms).toBeGreaterThan(80);
  expect(total.p95Ms).toBeGreaterThan(800);
  expect(series).toHaveLength(31);
  expect(series.slice(-10).map(({ pages }) => pages)).toEqual(Array.from({ length: 10 }, () => 30));
  expect(series[0]).toMatchObject({ pages: 0, p50Ms: null });
  expect(groups).toEqual([
    { id: teamId, teamId: null, name: '=1+1,"x"', pages: 200, credits: 400, ...noTokens },
    { id: "gone", teamId: null, name: "", pages: 100, credits: 200, ...noTokens },
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
  "by=way&site=shop.test",
  "by=format&format=links",
])("%s is refused, and says why", async (query) => {
  const { status, body } = await server.ask(`GET /admin/api/usage?${query}`);
  expect([status, body]).toMatchObject([400, { success: false, error: expect.any(String) }]);
});

test("use is told by site, and by what of a site or format", async () => {
  const groups = async (query: string) =>
    (await usage(query)).groups.map(({ id, pages, credits }) => [id, pages, credits]);
  expect(await groups("by=site")).toEqual([
    ["news.test", 200, 400],
    ["shop.test", 100, 200],
  ]);
  expect(await groups(`by=site&team=${teamId}`)).toEqual([["news.test", 200, 400]]);
  expect(await groups("by=site&format=links")).toEqual([
    ["news.test", 100, 200],
    ["shop.test", 50, 100],
  ]);
  expect(await groups("by=format&site=shop.test")).toEqual([
    ["markdown", 100, 200],
    ["links", 50, 100],
  ]);
  expect(await groups("by=key&site=news.test")).toEqual([[keyId, 200, 400]]);
  expect(await groups("by=team&format=links")).toEqual([
    [teamId, 100, 200],
    ["gone", 50, 100],
  ]);
  const from = new Date(NOW_MS - DAY_MS / 2).toISOString();
  const to = new Date(NOW_MS + 1).toISOString();
  expect(await groups(`by=site&step=hour&from=${from}&to=${to}`)).toEqual([
    ["news.test", 20, 40],
    ["shop.test", 10, 20],
  ]);
});

test("use of models is told in tokens, by model", async () => {
  const { groups, tokens } = await usage("by=model");
  expect(groups).toMatchObject([
    { id: "large", pages: 1, inputTokens: 1000, outputTokens: 200 },
    { id: "small", pages: 2, inputTokens: 150, outputTokens: 15 },
  ]);
  expect(tokens).toEqual({ calls: 3, input: 1150, output: 215 });
  expect((await usage(`by=model&team=${teamId}`)).tokens).toEqual({ calls: 2, input: 150, output: 15 });
});

test("what the cache saved is told as pages and time", async () => {
  const { cache } = await usage("");
  expect(cache.hits).toBe(150);
  // Each of them took 100 ms instead of 1,000.
  expect(cache.savedMs / 150 / 900).toBeGreaterThan(0.7);
  expect(cache.savedMs / 150 / 900).toBeLessThan(1.3);
});

test("groups are a table, too, in which no name is a formula", async () => {
  const { text } = await server.ask("GET /admin/api/usage.csv?by=team&rows=groups");
  expect(text.trim().split("\r\n")).toEqual([
    "id,name,teamId,pages,credits,inputTokens,outputTokens",
    `${teamId},"'=1+1,""x""",,200,400,,`,
    "gone,,,100,200,,",
  ]);
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
