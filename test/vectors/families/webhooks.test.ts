import { createHmac } from "node:crypto";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openReceiver, type Receiver } from "../../receiver.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useWorld } from "../../use-world.ts";

const SECRET = "a-secret-of-sixteen-characters";

const world = useWorld({
  HOST_CONCURRENCY: "50",
  WEBHOOK_RETRY_SECONDS: "1,1,1",
  WEBHOOK_SECRET: SECRET,
});
let runs: RunClient;
let receivers: Receiver[];

beforeAll(async () => {
  runs = new RunClient(world);
  receivers = [];
});

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function openOne(...how: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...how);
  receivers.push(opened);
  return opened;
}

function somePages(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    world.site.page(`/p/${index}`, htmlPage(`<main><h1>Page ${index}</h1></main>`)),
  );
}

const NOWHERE = "http://127.0.0.1:1/nowhere";

test("F-61 webhook: a batch is told in order, signed, with own headers", async () => {
  const { url, delivered, types } = await openOne();
  const headers = { "X-Own": "yes", Host: "evil.test", "X-Firecrawl-Signature": "none", "Content-Type": "x" };
  const id = await runs.batch({ urls: somePages(3), webhook: { url, headers, metadata: { order: "7" } } });
  await expect.poll(() => types().at(-1)).toBe("batch_scrape.completed");
  expect(types()).toEqual([
    "batch_scrape.started",
    "batch_scrape.page",
    "batch_scrape.page",
    "batch_scrape.page",
    "batch_scrape.completed",
  ]);
  expect(new Set(delivered.map(({ webhookId }) => webhookId)).size).toBe(5);
  for (const event of delivered) {
    expect(event).toMatchObject({ success: true, id, metadata: { order: "7" } });
    expect(event).not.toHaveProperty("error");
    const signature = createHmac("sha256", SECRET).update(event.raw).digest("hex");
    expect(event.headers).toMatchObject({
      "x-firecrawl-signature": `sha256=${signature}`,
      "x-own": "yes",
      host: new URL(url).host,
      "content-type": "application/json",
    });
  }
  const done = await runs.endedBatch(id);
  const told = delivered.filter(({ type }) => type.endsWith(".page")).flatMap(({ data }) => data);
  const byId = (one: { readonly metadata: Readonly<Record<string, unknown>> }) =>
    String(one.metadata["scrapeId"]);
  expect(Object.fromEntries(told.map((document) => [byId(document), document]))).toEqual(
    Object.fromEntries(done.data.map((document) => [byId(document), document])),
  );
});

describe("F-62 webhook: events", () => {
  test.each<readonly [readonly string[] | undefined, readonly string[]]>([
    [undefined, ["started", "page", "completed"]],
    [["page"], ["page"]],
    [["batch_scrape.completed"], ["completed"]],
    [["completed", "failed"], ["completed"]],
  ])("%j", async (events, words) => {
    const { url, delivered, types } = await openOne();
    await runs.batch({ urls: somePages(1), webhook: events === undefined ? url : { url, events } });
    await expect.poll(types).toEqual(words.map((word) => `batch_scrape.${word}`));
    expect(delivered[0]?.metadata).toEqual({});
  });
});

test("F-63 webhook: failures are told", async () => {
  const { url, delivered, types } = await openOne();
  const hanging = world.site.page("/hanging", () => undefined);
  const id = await runs.batch({ urls: [NOWHERE, hanging], webhook: url });
  await expect.poll(types).toContain("batch_scrape.page");
  await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  await expect.poll(() => types().at(-1)).toBe("batch_scrape.cancelled");
  const [, page, end] = delivered;
  expect(page).toMatchObject({
    success: false,
    data: [{ metadata: { sourceURL: NOWHERE, error: page?.error } }],
  });
  expect(end).toMatchObject({ success: false, data: [], error: "Batch scrape was cancelled" });
});

test("F-64 webhook: retries", async () => {
  const failing = await openOne((response, count) => response.writeHead(count < 3 ? 500 : 200).end());
  const dead = await openOne((response) => response.writeHead(302, { location: failing.url }).end());
  const events = ["completed"];
  for (const { url } of [failing, dead]) await runs.batch({ urls: somePages(1), webhook: { url, events } });
  await expect.poll(() => failing.delivered.length).toBe(3);
  await expect.poll(() => dead.delivered.length).toBe(4);
  for (const { delivered } of [failing, dead]) {
    expect(new Set(delivered.map(({ raw }) => raw)).size).toBe(1);
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect([failing.delivered.length, dead.delivered.length]).toEqual([3, 4]);
});

test("F-65 webhook: a slow receiver delays nobody", async () => {
  const slow = await openOne((response) => void setTimeout(() => response.end(), 8000).unref());
  const quick = await openOne();
  await runs.batch({ urls: somePages(3), webhook: slow.url });
  await expect.poll(() => slow.delivered.length).toBe(1);
  await runs.batch({ urls: somePages(3), webhook: quick.url });
  await expect.poll(() => quick.delivered.length).toBe(5);
  // It is being told still that its batch was started.
  expect(slow.types()).toEqual(["batch_scrape.started"]);
});

describe("F-66 webhook: bad settings", () => {
  test.each<readonly [string, unknown, readonly string[]]>([
    ["ftp", "ftp://a.test/", ["webhook", "url"]],
    ["an ftp URL in an object", { url: "ftp://a.test/" }, ["webhook", "url"]],
    ["no URL", {}, ["webhook", "url"]],
    ["what is none", "x", ["webhook", "url"]],
    ["an event that nobody knows", { url: "http://a.test/", events: ["done"] }, ["webhook", "events"]],
    ["a header that is a number", { url: "http://a.test/", headers: { a: 1 } }, ["webhook", "headers"]],
    ["a key that nobody knows", { url: "http://a.test/", secret: "x" }, ["webhook"]],
    ["a list", ["http://a.test/"], ["webhook"]],
  ])("%s", async (_case, webhook, path) => {
    const { status, body } = await runs.ask("POST /v2/batch/scrape", { urls: ["http://a.test/"], webhook });
    expect(status).toBe(400);
    expect(body.details[0]?.path.slice(0, path.length)).toEqual(path);
  });
});

test("F-66 webhook: a key that nobody knows is told as such", async () => {
  const webhook = { url: "http://a.test/", secret: "x" };
  const { body } = await runs.ask("POST /v2/batch/scrape", { urls: ["http://a.test/"], webhook });
  expect(body.error).toMatch(/^Unrecognized key in body/);
  expect(body.details[0]?.keys).toEqual(["secret"]);
});

test("a receiver at a private address is not told", async () => {
  const hidden = await openOne(undefined, { host: "127.0.0.9" });
  const open = await openOne();
  for (const { url } of [hidden, open]) await runs.batch({ urls: somePages(1), webhook: url });
  await expect.poll(() => open.delivered.length).toBe(3);
  expect(hidden.delivered).toEqual([]);
});
