import { beforeAll, describe, expect, test } from "vitest";

import { MonitorClient } from "../../monitors.ts";
import { RunClient } from "../../runs.ts";
import { useSharedWorld } from "../../use-world.ts";

const URL = "http://127.0.0.1/page";
const TARGETS = [{ type: "scrape", urls: [URL] }];
const ONCE = { cron: "0 0 1 1 *" };
const UNKNOWN = "Unrecognized key in body -- please review the v2 API documentation for request body changes";

const world = useSharedWorld();
let monitors: MonitorClient;

beforeAll(async () => {
  monitors = new MonitorClient(new RunClient(world));
});

const many = <T>(count: number, one: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => one(at));
const post = (body: object) =>
  monitors.ask("POST /v2/monitor", { name: "Watch", schedule: ONCE, targets: TARGETS, ...body });

describe("F-84 monitor: bad bodies", () => {
  const search = (fields: object) => ({ type: "search", queries: ["anvils"], ...fields });
  test.each<readonly [string, object, (string | number)[]]>([
    ["no name", { name: undefined }, ["name"]],
    ["257 characters", { name: "x".repeat(257) }, ["name"]],
    ["no targets", { targets: [] }, ["targets"]],
    ["51 targets", { targets: many(51, () => TARGETS[0]) }, ["targets"]],
    ["an unknown type of target", { targets: [{ type: "rss", url: URL }] }, ["targets", 0, "type"]],
    ["no schedule", { schedule: undefined }, ["schedule"]],
    ["an empty schedule", { schedule: {} }, ["schedule", "cron"]],
    ["both schedules", { schedule: { cron: "0 9 * * *", text: "hourly" } }, ["schedule", "text"]],
    ["no retention", { retentionDays: 0 }, ["retentionDays"]],
    ["too much retention", { retentionDays: 366 }, ["retentionDays"]],
    [
      "26 recipients",
      { notification: { email: { recipients: many(26, (at) => `a${at}@b.test`) } } },
      ["notification", "email", "recipients"],
    ],
    [
      "a recipient that is none",
      { notification: { email: { recipients: ["nobody"] } } },
      ["notification", "email", "recipients", 0],
    ],
    [
      "13 queries",
      { goal: "x", targets: [search({ queries: many(13, () => "x") })] },
      ["targets", 0, "queries"],
    ],
    [
      "a long query",
      { goal: "x", targets: [search({ queries: ["x".repeat(257)] })] },
      ["targets", 0, "queries", 0],
    ],
    ["51 results", { goal: "x", targets: [search({ maxResults: 51 })] }, ["targets", 0, "maxResults"]],
    [
      "a bad domain",
      { goal: "x", targets: [search({ includeDomains: ["a b"] })] },
      ["targets", 0, "includeDomains", 0],
    ],
    [
      "a URL that is none",
      { targets: [{ type: "scrape", urls: [URL, "nonsense"] }] },
      ["targets", 0, "urls", 1],
    ],
    ["no URLs", { targets: [{ type: "scrape" }] }, ["targets", 0, "urls"]],
    [
      "a bad option",
      { targets: [{ type: "scrape", urls: [URL], scrapeOptions: { timeout: 1 } }] },
      ["targets", 0, "scrapeOptions", "timeout"],
    ],
    ["a long goal", { goal: "x".repeat(2001) }, ["goal"]],
    ["null for a target", { targets: null }, ["targets"]],
  ])("%s", async (_name, body, path) => {
    const { status, body: answer } = await post(body);
    expect([status, answer.details[0]?.path]).toEqual([400, path]);
  });

  test.each([
    [{ colour: "red" }, []],
    [{ schedule: { ...ONCE, every: 5 } }, ["schedule"]],
    [{ webhook: { url: "http://a.test", colour: "red" } }, ["webhook"]],
  ])("an unknown key: %j", async (body, path) => {
    const { status, body: answer } = await post(body);
    expect([status, answer.error, answer.details[0]?.code]).toEqual([400, UNKNOWN, "unrecognized_keys"]);
    expect(answer.details[0]?.path).toEqual(path);
  });

  test.each([
    ["A search target requires a non-empty goal", [search({})], undefined],
    ["A search target requires a non-empty goal", [search({})], ""],
    [
      "includeDomains and excludeDomains are mutually exclusive",
      [search({ includeDomains: ["a.test"], excludeDomains: ["b.test"] })],
      "x",
    ],
    [
      "lockdown is not supported here.",
      [{ type: "scrape", urls: [URL], scrapeOptions: { lockdown: true } }],
      undefined,
    ],
  ])("%s", async (error, targets, goal) => {
    expect(await post({ targets, goal })).toMatchObject({ status: 400, body: { error } });
  });

  test("options of a crawl that it does not know, or that would leave nothing behind", async () => {
    const target = (crawlOptions: object) => ({ targets: [{ type: "crawl", url: URL, crawlOptions }] });
    expect((await post(target({ colour: "red" }))).body).toMatchObject({ error: UNKNOWN });
    expect((await post(target({ zeroDataRetention: true }))).body.error).toContain(
      "Monitoring requires retained",
    );
  });

  test("too many URLs are refused", async () => {
    const targetsOf = (count: number, urls: number) =>
      many(count, () => ({ type: "scrape", urls: many(urls, (at) => `http://a.test/${at}`) }));
    const tooMany = "A monitor has at most 10000 URLs in all its targets. Use several monitors.";
    expect(await post({ targets: targetsOf(2, 5001) })).toMatchObject({
      status: 400,
      body: { error: tooMany },
    });
    expect((await post({ targets: targetsOf(50, 10_000) })).status).toBe(400);
  });

  test("what clients send besides is taken", async () => {
    const targets = [
      { type: "search", queries: ["anvils"], depth: 1, alertMode: "x", recheckAfter: 2, scrapeOptions: {} },
      { type: "scrape", url: URL },
    ];
    const body = {
      targets,
      judgeEnabled: false,
      origin: "js-sdk",
      integration: null,
      notification: { slack: {} },
    };
    const { status, body: answer } = await post(body);
    expect(status).toBe(200);
    expect(answer.warning).toContain("Slack");
    const [search1, scrape] = answer.data.targets;
    expect(search1).toEqual({
      id: search1?.["id"],
      type: "search",
      queries: ["anvils"],
      searchWindow: "24h",
      maxResults: 10,
      includeDomains: [],
      excludeDomains: [],
    });
    expect(scrape).toEqual({ id: scrape?.["id"], type: "scrape", urls: [URL] });
  });
});

describe("F-85 monitor: schedules", () => {
  test.each([
    [{ cron: "0 9 * *" }, "Cron expression must contain five fields"],
    [{ cron: "0 24 * * *" }, "Invalid cron field"],
    [{ cron: "*/0 * * * *" }, "Invalid cron step"],
    [{ cron: "* * * * *" }, "Monitor schedule must not run more often than every 5 minutes"],
    [{ cron: "0 0 31 2 *" }, "Cron expression did not produce a run within one year"],
    [{ ...ONCE, timezone: "Mars" }, "Invalid monitor schedule timezone: Mars"],
    [
      { text: "whenever" },
      "Unsupported schedule text. Try phrases like 'every 30 minutes', 'hourly', or 'daily at 9:00'",
    ],
  ])("%j", async (schedule, error) => {
    expect(await post({ schedule })).toMatchObject({ status: 400, body: { error } });
  });

  test("texts become cron, and the time zone is honoured", async () => {
    const schedule = { text: "Daily at 9:30 pm.", timezone: "Asia/Tokyo" };
    const { body } = await post({ schedule });
    expect(body.data.schedule).toEqual({ cron: "30 21 * * *", timezone: "Asia/Tokyo" });
    expect(body.data.nextRunAt).toMatch(/T12:30:00\.000Z$/);
    const hourly = await post({ schedule: { text: "hourly" } });
    expect(hourly.body.data.schedule.cron).toMatch(/^\d{1,2} \* \* \* \*$/);
    expect(hourly.body.data.estimatedCreditsPerMonth).toBe(720);
  });
});

describe("F-86 monitor: PATCH", () => {
  test("what it changes, and what it leaves alone", async () => {
    const webhook = { url: "http://127.0.0.1:1/hook", headers: { a: "b" }, events: ["page"] };
    const notification = { email: { enabled: true, recipients: ["a@b.test"] } };
    const made = await post({ webhook, notification, goal: "Cheap anvils", retentionDays: 7 });
    expect(made.body.warning).toContain("SMTP_URL");
    expect(made.body.warning).toContain("LLM_BASE_URL");
    const line = `PATCH /v2/monitor/${made.body.data.id}`;
    const empty = await monitors.ask(line, {});
    expect(empty).toMatchObject({ status: 400, body: { error: "Update body cannot be empty" } });
    const { body: same } = await monitors.ask(line, { origin: "js-sdk" });
    expect({ ...same.data, updatedAt: "" }).toEqual({ ...made.body.data, updatedAt: "" });
    const zone = await monitors.ask(line, { schedule: { timezone: "America/New_York" } });
    expect(zone.body.data.schedule).toEqual({ cron: ONCE.cron, timezone: "America/New_York" });
    const named = await monitors.ask(line, { name: "Other" });
    expect(named.body.data).toMatchObject({
      name: "Other",
      retentionDays: 7,
      goal: "Cheap anvils",
      notification,
    });
    const removed = await monitors.ask(line, { webhook: null, notification: null, goal: null });
    expect(removed.body.data).toMatchObject({
      webhook: null,
      notification: null,
      goal: null,
      judgeEnabled: false,
    });
    const resumed = [];
    for (const status of ["paused", "active"])
      resumed.push((await monitors.ask(line, { status })).body.data.nextRunAt);
    expect(resumed).toEqual([null, expect.stringContaining("T05:00:00.000Z")]);
    const bad = await monitors.ask(line, { status: "deleted", retentionDays: null });
    expect(bad.status).toBe(400);
    const targets = [{ type: "search", queries: ["x"] }];
    expect((await monitors.ask(line, { targets })).body.error).toBe(
      "A search target requires a non-empty goal",
    );
  });
});

test("lists are paged, and what is deleted is gone", async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await post({ name: `List ${count}` })).body.data.id);
  const { body } = await monitors.ask("GET /v2/monitor?limit=2&offset=1");
  const listed = body.data as unknown as readonly { readonly id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  expect((await monitors.ask("GET /v2/monitor?limit=101")).status).toBe(400);
  await monitors.ask(`DELETE /v2/monitor/${ids[0]}`);
  for (const path of ["", "/checks"])
    expect((await monitors.ask(`GET /v2/monitor/${ids[0]}${path}`)).status).toBe(404);
});
