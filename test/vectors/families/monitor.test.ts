import { createHmac } from "node:crypto";

import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { MonitorClient } from "../../monitors.ts";
import { openReceiver, type Receiver } from "../../receiver.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useWorld } from "../../use-world.ts";

const SECRET = "a-secret-of-sixteen-characters";
const NOWHERE = "http://127.0.0.1:1/nowhere";

const world = useWorld({ HOST_CONCURRENCY: "50", WEBHOOK_SECRET: SECRET });
let monitors: MonitorClient;
let receiver: Receiver;

beforeAll(async () => {
  monitors = new MonitorClient(new RunClient(world));
  receiver = await openReceiver();
});

function page(path: string, text: string): string {
  return world.site.page(path, htmlPage(`<main><h1>Prices</h1><p>${text}</p></main>`));
}

test("F-81 monitor by the JavaScript client", async () => {
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const url = page("/client", "One anvil costs 10 crowns.");
  const made = await client.createMonitor({
    name: "Prices",
    schedule: { text: "daily at 9:00", timezone: "Europe/Berlin" },
    targets: [{ type: "scrape", urls: [url] }],
  });
  const fields = `createdAt currentCheckId estimatedCreditsPerMonth goal id judgeEnabled lastCheckSummary lastRunAt name
    nextRunAt notification retentionDays schedule status targets updatedAt webhook`;
  expect(Object.keys(made).toSorted()).toEqual(fields.split(/\s+/));
  expect(made).toMatchObject({
    status: "active",
    schedule: { cron: "0 9 * * *", timezone: "Europe/Berlin" },
    retentionDays: 30,
    estimatedCreditsPerMonth: 30,
  });
  expect((await client.listMonitors({ limit: 1 })).map(({ id }) => id)).toEqual([made.id]);
  const started = await client.runMonitor(made.id);
  await monitors.ended(made.id, started.id);
  const [check] = await client.listMonitorChecks(made.id);
  const checkFields = `actualCredits billingStatus createdAt error estimatedCredits finishedAt id monitorId
    notificationStatus reservedCredits scheduledFor startedAt status summary targetResults trigger updatedAt`;
  expect(Object.keys(check ?? {}).toSorted()).toEqual(checkFields.split(/\s+/));
  expect(check).toMatchObject({
    trigger: "manual",
    status: "completed",
    billingStatus: "confirmed",
    estimatedCredits: 1,
    reservedCredits: 1,
    actualCredits: 1,
  });
  const detail = await client.getMonitorCheck(made.id, started.id);
  const pageFields = `createdAt currentScrapeId diff error id judgment metadata previousScrapeId status statusCode
    targetId url`;
  expect(Object.keys(detail.pages[0] ?? {}).toSorted()).toEqual(pageFields.split(/\s+/));
  const scrapeId = detail.pages[0]?.currentScrapeId ?? "";
  expect(check?.targetResults).toEqual([
    { targetId: made.targets[0]?.id, type: "scrape", expectedJobs: [scrapeId] },
  ]);
  expect((await world.get(`/v2/scrape/${scrapeId}`)).status).toBe(200);
  const paused = await client.updateMonitor(made.id, { status: "paused", goal: "Cheap anvils" });
  expect(paused).toMatchObject({ status: "paused", nextRunAt: null, goal: "Cheap anvils", name: "Prices" });
  expect((await client.getMonitor(made.id)).lastCheckSummary).toMatchObject({ totalPages: 1, new: 1 });
  expect(await client.deleteMonitor(made.id)).toBe(true);
  await expect(client.getMonitor(made.id)).rejects.toThrow("Monitor not found");
});

test("a page that a check of visitors hides is an error, and what was known of it stays", async () => {
  const url = page("/hidden", "One anvil costs 10 crowns.");
  const scrapeOptions = { proxy: "basic" };
  const id = await monitors.create({ targets: [{ type: "scrape", urls: [url], scrapeOptions }] });
  expect((await monitors.check(id)).summary).toMatchObject({ new: 1 });
  page("/hidden", '<iframe src="/_Incapsula_Resource?x=1&incident_id=2"></iframe>');
  const hidden = await monitors.check(id);
  expect(hidden.pages).toMatchObject([{ status: "error", error: "The site refused the page (imperva)." }]);
  page("/hidden", "One anvil costs 10 crowns.");
  expect((await monitors.check(id)).summary).toMatchObject({ same: 1 });
});

test("F-82 monitor: new, same, changed", async () => {
  const url = page("/changing", "One anvil costs 10 crowns.");
  const id = await monitors.create({ targets: [{ type: "scrape", urls: [url, NOWHERE] }] });
  const first = await monitors.check(id);
  expect(first).toMatchObject({ status: "partial", summary: { totalPages: 2, new: 1, error: 1 } });
  const failed = first.pages.find((one) => one.url === NOWHERE);
  expect(failed).toMatchObject({ status: "error", currentScrapeId: null, diff: null });
  expect(failed?.error).toBeTruthy();
  const again = (await monitors.check(id)).pages.find((one) => one.url === url);
  expect(again).toMatchObject({ status: "same", diff: null });
  page("/changing", "One anvil costs 12 crowns.");
  const third = await monitors.check(id);
  const changed = third.pages.find((one) => one.url === url);
  expect(changed).toMatchObject({ status: "changed", previousScrapeId: again?.currentScrapeId });
  expect(changed?.diff?.text).toMatch(/^--- previous\n\+\+\+ current\n@@ /);
  expect(changed?.diff?.text).toContain("-One anvil costs 10 crowns.\n");
  expect(changed?.diff?.text).toContain("+One anvil costs 12 crowns.\n");
  expect(changed?.diff?.json).toMatchObject({
    files: [
      {
        additions: 1,
        deletions: 1,
        chunks: [
          {
            changes: expect.arrayContaining([
              { type: "add", add: true, ln: 3, content: "+One anvil costs 12 crowns." },
            ]),
          },
        ],
      },
    ],
  });
  const { body } = await monitors.ask(`GET /v2/monitor/${id}`);
  expect(body.data).toMatchObject({
    currentCheckId: null,
    lastCheckSummary: { totalPages: 2, changed: 1, error: 1, same: 0, new: 0, removed: 0 },
  });
  expect(Date.parse(body.data.lastRunAt)).toBeGreaterThan(0);
});

test("F-82 monitor: a page that answers 404 is removed once, and new when it is back", async () => {
  const url = page("/going", "Here.");
  const id = await monitors.create({ targets: [{ type: "scrape", url }] });
  const statuses = [];
  statuses.push((await monitors.check(id)).pages[0]?.status);
  world.site.page("/going", (_request, response) => response.writeHead(404).end("Gone."));
  for (let count = 0; count < 2; count += 1) statuses.push((await monitors.check(id)).pages[0]?.status);
  world.site.page("/going", (_request, response) => response.writeHead(500).end("Broken."));
  statuses.push((await monitors.check(id)).pages[0]?.status);
  page("/going", "Back.");
  statuses.push((await monitors.check(id)).pages[0]?.status);
  expect(statuses).toEqual(["new", "removed", "same", "error", "new"]);
});

describe("F-82 monitor: modes of the diff", () => {
  const product = (price: number, text: string) =>
    htmlPage(`<main><h1>Anvil</h1><p>${text}</p><table><tr><th>Name</th><th>Price</th></tr>
      <tr><td>Anvil</td><td>${price}</td></tr></table></main>`);
  const schema = {
    type: "object",
    properties: {
      items: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } },
      },
    },
  };

  async function twoChecks(path: string, formats: readonly unknown[], second: string) {
    const url = world.site.page(path, product(10, "First."));
    const id = await monitors.create({
      targets: [{ type: "scrape", urls: [url], scrapeOptions: { formats } }],
    });
    await monitors.check(id);
    world.site.page(path, second);
    return (await monitors.check(id)).pages[0];
  }

  test("json alone ignores the text", async () => {
    const formats = ["markdown", { type: "changeTracking", modes: ["json"], schema }];
    const same = await twoChecks("/json-same", formats, product(10, "Second."));
    expect(same).toMatchObject({
      status: "same",
      diff: null,
      snapshot: { json: { items: [{ price: 10 }] } },
    });
    const changed = await twoChecks("/json", formats, product(12, "First."));
    expect(changed).toMatchObject({ status: "changed", snapshot: { json: { items: [{ price: 12 }] } } });
    expect(changed?.diff).toEqual({ json: { "items[0].price": { previous: 10, current: 12 } } });
  });

  test("both modes have both", async () => {
    const formats = ["markdown", { type: "changeTracking", modes: ["json", "git-diff"], schema }];
    const text = await twoChecks("/both-text", formats, product(10, "Second."));
    expect(text?.diff).toMatchObject({ text: expect.stringContaining("+Second."), json: {} });
    const value = await twoChecks("/both", formats, product(12, "First."));
    expect(value?.diff?.text).toContain("12");
    expect(value?.diff?.json).toEqual({ "items[0].price": { previous: 10, current: 12 } });
  });
});

test("a monitor that is sent back as it was read keeps the values that were masked", async () => {
  const url = page("/masked", "One anvil costs 10 crowns.");
  const own = await openReceiver();
  const headers = { Authorization: "Bearer own", "Accept-Language": "de" };
  const webhook = { url: own.url, headers: { "X-Own": "secret" } };
  const id = await monitors.create({
    webhook,
    targets: [{ type: "scrape", urls: [url], scrapeOptions: { headers } }],
  });
  const read = (await monitors.ask(`GET /v2/monitor/${id}`)).body.data;
  const masked = { Authorization: "***", "Accept-Language": "de" };
  expect(read.targets).toMatchObject([{ scrapeOptions: { headers: masked } }]);
  const { targets } = read;
  const sentBack = await monitors.ask(`PATCH /v2/monitor/${id}`, { targets, webhook: read.webhook });
  expect(sentBack.status).toBe(200);
  await monitors.check(id);
  expect(world.site.hits("/masked").at(-1)?.headers.authorization).toBe("Bearer own");
  await expect.poll(() => own.delivered.length).toBe(2);
  expect(own.delivered[0]?.headers["x-own"]).toBe("secret");

  const elsewhere = targets.map((target) => ({ ...target, urls: [world.site.url("/other")] }));
  for (const change of [
    { targets: elsewhere },
    { webhook: { ...webhook, url: NOWHERE, headers: { a: "***" } } },
  ]) {
    const { status, body } = await monitors.ask(`PATCH /v2/monitor/${id}`, change);
    expect([status, body.error]).toEqual([400, expect.stringContaining("is a mask instead of a value")]);
  }
  await monitors.ask(`DELETE /v2/monitor/${id}`);
  await own.close();
});

test("modes without markdown are taken as the documentation writes them", async () => {
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const schema = { type: "object", properties: { price: { type: "number" } } };
  for (const modes of [["json"], ["json", "git-diff"]] as const) {
    const url = page(`/modes-${modes.length}`, "<b>Price:</b> 10 crowns");
    const tracking = { type: "changeTracking" as const, modes: [...modes], prompt: "The price", schema };
    const { id } = await client.createMonitor({
      name: "Prices",
      schedule: { text: "daily" },
      targets: [{ type: "scrape", urls: [url], scrapeOptions: { formats: [tracking] } }],
    });
    await monitors.check(id);
    page(`/modes-${modes.length}`, "<b>Price:</b> 12 crowns");
    const [changed] = (await monitors.check(id)).pages;
    expect(changed?.diff?.json).toEqual({ price: { previous: 10, current: 12 } });
    expect(changed?.diff?.text !== undefined).toBe(modes.length === 2);
  }
});

test("the estimate of a month counts a judgment for each page", async () => {
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  const made = await client.createMonitor({
    name: "News",
    schedule: { text: "every 30 minutes" },
    goal: "New stories",
    targets: [{ type: "scrape", urls: [page("/news", "A story.")] }],
  });
  expect(made.estimatedCreditsPerMonth).toBe(2880);
});

test("F-83 monitor: webhook", async () => {
  const url = page("/told", "One anvil costs 10 crowns.");
  const webhook = { url: receiver.url, headers: { "X-Own": "secret" }, metadata: { order: "7" } };
  const id = await monitors.create({ webhook, targets: [{ type: "scrape", urls: [url] }] });
  const { body } = await monitors.ask(`GET /v2/monitor/${id}`);
  expect(body.data.webhook).toMatchObject({ url: receiver.url, headers: { "X-Own": "***" } });
  await monitors.check(id);
  await expect.poll(receiver.types).toEqual(["monitor.page", "monitor.check.completed"]);
  page("/told", "One anvil costs 12 crowns.");
  const second = await monitors.check(id);
  await expect.poll(() => receiver.delivered.length).toBe(4);
  const [told, end] = receiver.delivered.slice(2);
  expect(told).toMatchObject({
    success: true,
    type: "monitor.page",
    id: second.id,
    metadata: { order: "7" },
  });
  expect(told?.data).toEqual([
    {
      monitorId: id,
      checkId: second.id,
      url,
      status: "changed",
      previousScrapeId: second.pages[0]?.previousScrapeId,
      currentScrapeId: second.pages[0]?.currentScrapeId,
      error: null,
      isMeaningful: null,
      diff: second.pages[0]?.diff,
    },
  ]);
  expect(end).toMatchObject({ success: true, type: "monitor.check.completed", id: second.id });
  expect(end?.data).toEqual([
    { monitorId: id, checkId: second.id, status: "completed", summary: second.summary },
  ]);
  for (const { raw, headers } of receiver.delivered) {
    const signature = createHmac("sha256", SECRET).update(raw).digest("hex");
    expect(headers).toMatchObject({ "x-firecrawl-signature": `sha256=${signature}`, "x-own": "secret" });
  }
});

test("F-87 monitor: run rules", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const url = world.site.page("/slow", async (_request, response) => {
    await opened;
    response.setHeader("content-type", "text/html");
    response.end(htmlPage("<main>Slow.</main>"));
  });
  const id = await monitors.create({ targets: [{ type: "scrape", urls: [url] }] });
  const { body: started } = await monitors.ask(`POST /v2/monitor/${id}/run`);
  const second = await monitors.ask(`POST /v2/monitor/${id}/run`, { origin: "test" });
  expect(second).toMatchObject({
    status: 409,
    body: { error: "Monitor check is already running.", checkId: started.id },
  });
  open();
  await monitors.ended(id, started.id);
  await monitors.ask(`PATCH /v2/monitor/${id}`, { status: "paused" });
  const paused = await monitors.ask(`POST /v2/monitor/${id}/run`);
  expect(paused).toMatchObject({
    status: 409,
    body: { error: "Monitor is paused. Resume it before running a check." },
  });
  const unknown = `/v2/monitor/${id}/checks/${id}`;
  expect(await monitors.ask(`GET ${unknown}`)).toMatchObject({
    status: 404,
    body: { error: "Check not found" },
  });
  const bad = await monitors.ask(`GET /v2/monitor/${id}/checks/one`);
  expect(bad).toMatchObject({ status: 400, body: { details: [{ path: ["checkId"] }] } });
  expect(await monitors.ask("GET /v2/monitor/one")).toMatchObject({
    status: 400,
    body: { details: [{ path: ["monitorId"] }] },
  });
  const other = await monitors.ask(`GET /v2/monitor/${started.id}`);
  expect(other).toMatchObject({ status: 404, body: { error: "Monitor not found" } });
});

test("F-88 monitor: pages of a check", async () => {
  const urls = Array.from({ length: 30 }, (_, index) => page(`/many/${index}`, `Page ${index}.`));
  const id = await monitors.create({ targets: [{ type: "scrape", urls }] });
  const check = await monitors.check(id);
  const path = `/v2/monitor/${id}/checks/${check.id}`;
  const { body: first } = await monitors.ask(`GET ${path}`);
  expect(first.data.pages).toHaveLength(25);
  expect(first.next).toBe(`${world.baseUrl}${path}?skip=25&limit=25`);
  expect(first.data.next).toBe(first.next);
  const { body: rest } = await monitors.ask(`GET ${first.next}`);
  expect(rest.data.pages).toHaveLength(5);
  expect([rest, rest.data].some((part) => "next" in part)).toBe(false);
  expect(new Set([...first.data.pages, ...rest.data.pages].map((one) => one.url)).size).toBe(30);
  expect((await monitors.ask(`GET ${path}?status=same`)).body.data.pages).toEqual([]);
  const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  expect((await client.getMonitorCheck(id, check.id)).pages).toHaveLength(30);
  const filtered = await monitors.ask(`GET ${path}?status=new&limit=10`);
  expect(filtered.body.next).toBe(`${world.baseUrl}${path}?skip=10&limit=10&status=new`);
});

test("F-89 monitor: crawl target and removal", async () => {
  const links = (names: readonly string[]) =>
    htmlPage(
      `<main><h1>Shelf</h1>${names.map((name) => `<a href="/shelf/${name}">${name}</a>`).join(" ")}</main>`,
    );
  const names = ["a", "b", "c", "d", "e"];
  const url = world.site.page("/shelf/", links(names));
  for (const name of names) page(`/shelf/${name}`, `Book ${name}.`);
  const id = await monitors.create({ targets: [{ type: "crawl", url, crawlOptions: { sitemap: "skip" } }] });
  const first = await monitors.check(id);
  expect(first).toMatchObject({ status: "completed", summary: { totalPages: 6, new: 6 }, actualCredits: 6 });
  expect(first.targetResults[0]).toMatchObject({ type: "crawl", crawlId: expect.any(String) });
  // One is changed; one is gone, though a link is left; one is gone with its link; one has lost its link; one is broken.
  world.site.page("/shelf/", links(["a", "b"]));
  page("/shelf/a", "Book a, second edition.");
  for (const name of ["b", "c"])
    world.site.page(`/shelf/${name}`, (_request, response) => response.writeHead(404).end("Gone."));
  world.site.page("/shelf/e", (_request, response) => response.writeHead(500).end("Broken."));
  const second = await monitors.check(id);
  expect(second.summary).toMatchObject({ totalPages: 6, same: 1, changed: 2, removed: 2, error: 1 });
  const removed = second.pages.filter(({ status }) => status === "removed").map((one) => one.url);
  expect(removed.toSorted()).toEqual([world.site.url("/shelf/b"), world.site.url("/shelf/c")]);
  expect(second.pages.find(({ status }) => status === "error")?.url).toBe(world.site.url("/shelf/e"));
  // A page without a link is looked at for three checks.
  page("/shelf/d", "Book d, second edition.");
  const third = await monitors.check(id);
  expect(third.summary).toMatchObject({ totalPages: 4, same: 2, changed: 1, removed: 0, error: 1 });
  expect((await monitors.check(id)).summary).toMatchObject({ totalPages: 4, same: 3, error: 1 });
  expect((await monitors.check(id)).summary).toMatchObject({ totalPages: 2, same: 2, error: 0 });
});

test("a page that robots.txt forbids from now on is not visited, and an error", async () => {
  const url = world.site.page("/fenced/", htmlPage(`<main><a href="/fenced/a">a</a> text</main>`));
  page("/fenced/a", "Book a.");
  const id = await monitors.create({ targets: [{ type: "crawl", url, crawlOptions: { sitemap: "skip" } }] });
  await monitors.check(id);
  const visits = world.site.hits("/fenced/a").length;
  world.site.page("/robots.txt", "User-agent: *\nDisallow: /fenced/a");
  const check = await monitors.check(id);
  expect(check.summary).toMatchObject({ totalPages: 2, same: 1, error: 1 });
  expect(check.pages.find(({ status }) => status === "error")?.error).toContain("robots.txt");
  expect(world.site.hits("/fenced/a")).toHaveLength(visits);
});

test("crawlOptions has maxDepth: segments of paths", async () => {
  const url = world.site.page(
    "/deep/",
    htmlPage(`<main><a href="/deep/a">a</a> <a href="/deep/b/c">c</a></main>`),
  );
  page("/deep/a", "Page a.");
  page("/deep/b/c", "Page c.");
  const crawlOptions = { sitemap: "skip", limit: 10, maxDepth: 2 };
  const id = await monitors.create({ targets: [{ type: "crawl", url, crawlOptions }] });
  const { pages } = await monitors.check(id);
  expect(pages.map((one) => one.url).toSorted()).toEqual([url, world.site.url("/deep/a")]);
  for (const maxDepth of [0, -1, "2"]) {
    const target = { type: "crawl", url, crawlOptions: { maxDepth } };
    const body = { name: "x", schedule: { text: "hourly" }, targets: [target] };
    expect((await monitors.ask("POST /v2/monitor", body)).status).toBe(400);
  }
});
