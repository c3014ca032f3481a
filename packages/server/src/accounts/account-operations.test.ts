import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTeamServer, type TeamClient, type TeamServer } from "../../../../test/team-server.ts";
import { addUsage } from "./usage.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openBlobs } from "../storage/blobs/drivers.ts";
import { openRecords, type Records } from "../history/records.ts";
import { addOperations } from "../http/add-operations.ts";
import { jobKinds } from "../app/job-kinds.ts";
import { accountActivity } from "./activity-operations.ts";
import { accountUsage } from "./usage-operations.ts";

const UNLIMITED = 1_000_000_000;

let teams: TeamServer;
let records: Records;

beforeAll(async () => {
  const blobs = await openBlobs("memory:");
  teams = await openTeamServer((scope, { database, credits }, limits) => {
    records = openRecords({ database, blobs });
    addOperations(scope, accountUsage, { database, credits });
    addOperations(scope, accountActivity(jobKinds), { records, limits, scrapeConcurrency: 77 });
  });
});

afterAll(async () => {
  await records.close();
  await teams.close();
});

/** A team that asks by paths alone, and is charged. */
async function makeTeam(options: Parameters<TeamServer["makeTeam"]>[0] = {}) {
  const team: TeamClient = await teams.makeTeam(options);
  return {
    ...team,
    async ask(path: string) {
      const [status, body] = await team.ask(`GET /v2/${path}`);
      return { status, body };
    },
    async charge(amount: number) {
      const caller = await teams.accounts.callers.byKey(team.apiKey);
      if (!caller) throw new Error("The key is unknown.");
      const work = { id: uuidV7(), startedAtMs: Date.now(), payer: caller.payer, amount };
      const held = await teams.accounts.credits.hold(work);
      await held.charge(amount);
    },
  };
}

describe("credit usage (contract, section 6.1)", () => {
  const month = (offset: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
  };

  test("of a team without an end is that of a very large plan, less what was used", async () => {
    const team = await makeTeam();
    await team.charge(3);
    const { status, body } = await team.ask("team/credit-usage");
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        remainingCredits: UNLIMITED - 3,
        planCredits: UNLIMITED,
        billingPeriodStart: month(0),
        billingPeriodEnd: month(1),
      },
    });
  });

  test("of prepaid credits is what is left, of what is left and used", async () => {
    const team = await makeTeam({ credits: 10 });
    await team.charge(4);
    const { body } = await team.ask("team/credit-usage");
    expect(body).toMatchObject({ data: { remainingCredits: 6, planCredits: 10 } });
  });

  test("of nothing left is 0, and the routes still answer", async () => {
    const team = await makeTeam({ credits: 0 });
    const { status, body } = await team.ask("team/credit-usage");
    expect([status, body]).toMatchObject([200, { data: { remainingCredits: 0, planCredits: 0 } }]);
  });

  test("of a daily allowance has the day as its period", async () => {
    const team = await makeTeam({ allowance: { credits: 5, period: "day" } });
    const { body } = await team.ask("team/credit-usage");
    const { data } = body as { readonly data: Readonly<Record<string, string>> };
    expect(data).toMatchObject({ remainingCredits: 5, planCredits: 5 });
    const [start, end] = [data["billingPeriodStart"] ?? "", data["billingPeriodEnd"] ?? ""];
    expect(start).toMatch(/T00:00:00\.000Z$/);
    expect(Date.parse(end) - Date.parse(start)).toBe(24 * 60 * 60 * 1000);
  });

  test("is told in tokens, too: fifteen for a credit", async () => {
    const team = await makeTeam({ credits: 10 });
    await team.charge(4);
    const { body } = await team.ask("team/token-usage");
    expect(body).toMatchObject({
      data: {
        remainingTokens: 90,
        planTokens: 150,
        billingPeriodStart: month(0),
        billingPeriodEnd: month(1),
      },
    });
  });
});

describe("the history of usage", () => {
  const [january, february] = [Date.UTC(2026, 0, 31, 23, 59), Date.UTC(2026, 1, 1)];

  async function makeUsers() {
    const team = await makeTeam();
    const other = await makeTeam();
    const { teamId, keyId } = team;
    await addUsage(teams.accounts.database, [
      { teamId, keyId, creditsUsed: 2, createdAtMs: january },
      { teamId, keyId, creditsUsed: 3, createdAtMs: january },
      { teamId, creditsUsed: 5, createdAtMs: january },
      { teamId, keyId, creditsUsed: 7, createdAtMs: february },
      { teamId: other.teamId, creditsUsed: 1000, createdAtMs: january },
    ]);
    return team;
  }

  const JANUARY = { startDate: "2026-01-01T00:00:00.000Z", endDate: "2026-02-01T00:00:00.000Z" };
  const FEBRUARY = { startDate: "2026-02-01T00:00:00.000Z", endDate: "2026-03-01T00:00:00.000Z" };

  test("is that of the team alone, by months, oldest first", async () => {
    const { ask } = await makeUsers();
    expect((await ask("team/credit-usage/historical")).body).toEqual({
      success: true,
      periods: [
        { ...JANUARY, creditsUsed: 10, totalCredits: 10 },
        { ...FEBRUARY, creditsUsed: 7, totalCredits: 7 },
      ],
    });
    expect((await ask("team/token-usage/historical")).body).toEqual({
      success: true,
      periods: [
        { ...JANUARY, tokensUsed: 150, totalTokens: 150 },
        { ...FEBRUARY, tokensUsed: 105, totalTokens: 105 },
      ],
    });
  });

  test("by key names the keys, and null for work without one", async () => {
    const { ask } = await makeUsers();
    for (const [kind, factor] of [
      ["credit", 1],
      ["token", 15],
    ] as const) {
      const { body } = await ask(`team/${kind}-usage/historical?byApiKey=true`);
      const name = kind === "credit" ? "creditsUsed" : "tokensUsed";
      expect(body).toMatchObject({
        periods: [
          { ...JANUARY, apiKey: null, [name]: 5 * factor },
          { ...JANUARY, apiKey: "first", [name]: 5 * factor },
          { ...FEBRUARY, apiKey: "first", [name]: 7 * factor },
        ],
      });
    }
  });

  test.each(["", "?byApiKey=false", "?byApiKey=1"])(
    "is not by key unless that is asked: %j",
    async (query) => {
      const { ask } = await makeUsers();
      const { body } = await ask(`team/credit-usage/historical${query}`);
      expect(body["periods"]).toHaveLength(2);
      expect(JSON.stringify(body)).not.toContain("apiKey");
    },
  );

  test("is refused when it is asked for twice", async () => {
    const { ask } = await makeUsers();
    const { status } = await ask("team/credit-usage/historical?byApiKey=true&byApiKey=true");
    expect(status).toBe(400);
  });

  test("counts what was charged a moment ago; of a new team there is none", async () => {
    const team = await makeTeam({ credits: 10 });
    expect((await team.ask("team/credit-usage/historical")).body).toEqual({ success: true, periods: [] });
    await team.charge(4);
    const { body } = await team.ask("team/credit-usage/historical");
    expect(body).toMatchObject({ periods: [{ creditsUsed: 4 }] });
  });
});

describe("the activity of a team", () => {
  const scrapeOf = (teamId: string, createdAtMs: number, url = "https://shop.test/") => ({
    id: uuidV7(createdAtMs),
    teamId,
    url,
    status: "completed" as const,
    creditsUsed: 1,
    durationMs: 1,
    createdAtMs,
  });

  interface Page {
    readonly data: readonly { readonly id: string; readonly target: string }[];
    readonly cursor: string | null;
    readonly has_more: boolean;
  }

  test("is listed newest first, with passwords left out", async () => {
    const { teamId, ask } = await makeTeam();
    const first = scrapeOf(teamId, Date.UTC(2026, 4, 1), "https://user:secret@shop.test/a?b=1");
    const second = { ...scrapeOf(teamId, Date.UTC(2026, 4, 2)), status: "failed" as const };
    for (const record of [first, second]) records.add(record);
    const shape = { endpoint: "scrape", api_version: "v2" };
    expect((await ask("team/activity")).body).toEqual({
      success: true,
      data: [
        { ...shape, id: second.id, created_at: "2026-05-02T00:00:00.000Z", target: "https://shop.test/" },
        { ...shape, id: first.id, created_at: "2026-05-01T00:00:00.000Z", target: "https://shop.test/a?b=1" },
      ],
      cursor: null,
      has_more: false,
    });
  });

  test("comes page by page, each scrape once, also of one millisecond", async () => {
    const { teamId, ask } = await makeTeam();
    const added = Array.from({ length: 7 }, (_scrape, index) => scrapeOf(teamId, index < 5 ? 1000 : 2000));
    for (const record of added) records.add(record);
    const pages: Page[] = [];
    for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.cursor ?? null) {
      const query = cursor && `&cursor=${cursor}`;
      pages.push((await ask(`team/activity?limit=3${query}`)).body as unknown as Page);
    }
    expect(pages.map(({ data, has_more: hasMore }) => [data.length, hasMore])).toEqual([
      [3, true],
      [3, true],
      [1, false],
    ]);
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(added.map(({ id }) => id).toSorted());
  });

  test("of others shows to nobody, whatever the cursor", async () => {
    const [mine, other] = [await makeTeam(), await makeTeam()];
    for (let count = 0; count < 3; count += 1) records.add(scrapeOf(other.teamId, 3000 + count));
    const { cursor } = (await other.ask("team/activity?limit=1")).body as unknown as Page;
    expect(cursor).toEqual(expect.any(String));
    const own = scrapeOf(mine.teamId, 2000);
    records.add(own);
    const { body } = await mine.ask(`team/activity?cursor=${cursor}`);
    expect(body).toMatchObject({ data: [{ id: own.id }], cursor: null, has_more: false });
  });

  test.each(["crawl", "batch_scrape", "search", "map", "interact"])("of %s is empty", async (endpoint) => {
    const { teamId, ask } = await makeTeam();
    records.add(scrapeOf(teamId, 1000));
    expect((await ask(`team/activity?endpoint=${endpoint}`)).body).toMatchObject({
      data: [],
      has_more: false,
    });
    expect((await ask("team/activity?endpoint=scrape")).body["data"]).toHaveLength(1);
  });

  test.each(["x", "Zm9v", "%00", "9".repeat(2000)])(
    "behind a cursor that nobody made (%s) is an empty last page",
    async (cursor) => {
      const { teamId, ask } = await makeTeam();
      records.add(scrapeOf(teamId, 1));
      const { status, body } = await ask(`team/activity?cursor=${cursor}`);
      expect([status, body]).toMatchObject([200, { data: [], cursor: null, has_more: false }]);
    },
  );

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1.5", "limit"],
    ["limit=many", "limit"],
    ["limit=", "limit"],
    ["limit=1&limit=2", "limit"],
    ["endpoint=shop", "endpoint"],
    ["endpoint=", "endpoint"],
    ["cursor=a&cursor=b", "cursor"],
  ])("is refused for %s", async (query, name) => {
    const { ask } = await makeTeam();
    const { status, body } = await ask(`team/activity?${query}`);
    expect([status, body]).toMatchObject([400, { code: "BAD_REQUEST", details: [{ path: [name] }] }]);
  });
});

describe("the queue of a team", () => {
  test("is empty at first; without a limit of its own it may use all there is", async () => {
    const { ask } = await makeTeam();
    expect((await ask("team/queue-status")).body).toEqual({
      success: true,
      jobsInQueue: 0,
      activeJobsInQueue: 0,
      waitingJobsInQueue: 0,
      maxConcurrency: 77,
      mostRecentSuccess: null,
    });
    expect((await ask("concurrency-check")).body).toEqual({
      success: true,
      concurrency: 0,
      maxConcurrency: 77,
    });
  });

  test("tells when the newest scrape began that went well", async () => {
    const { teamId, ask } = await makeTeam();
    const record = { teamId, url: "https://a.test/", creditsUsed: 0, durationMs: 1 };
    const [good, bad] = [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 2)];
    records.add({ ...record, id: uuidV7(good), createdAtMs: good, status: "completed" });
    records.add({ ...record, id: uuidV7(bad), createdAtMs: bad, status: "failed" });
    const { body } = await ask("team/queue-status");
    expect(body).toMatchObject({ mostRecentSuccess: "2026-05-01T00:00:00.000Z" });
  });
});

test.each([
  "team/credit-usage",
  "team/credit-usage/historical",
  "team/token-usage",
  "team/token-usage/historical",
  "team/queue-status",
  "team/activity",
  "concurrency-check",
])("%s is for known callers", async (path) => {
  expect((await teams.server.ask(`GET /v2/${path}`)).status).toBe(401);
  const headers = { authorization: `Bearer fc-${"0".repeat(32)}` };
  expect((await teams.server.ask(`GET /v2/${path}`, { headers })).status).toBe(401);
});
