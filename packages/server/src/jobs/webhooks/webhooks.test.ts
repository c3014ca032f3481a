import { createHmac } from "node:crypto";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { othersHadTheirTurn } from "../../storage/clock/manual-clock.suite.ts";
import type { MortalProcess } from "../queue/mortal-process.suite.ts";
import type { MakePage } from "../counting-family.suite.ts";
import type { WebhookSetting } from "../job-rows.ts";
import { type JobsProcess, JobsWorld } from "../service.suite.ts";
import { Delivery, type SendWebhook } from "./delivery.ts";
import { Outbox } from "./outbox.ts";
import { signatureOf, WebhookSecrets } from "./signature.ts";
import { bodyOf } from "./delivery.ts";
import { listEvents, type EventRow } from "./webhook-events.ts";
import { listReceivers } from "./webhook-queues.ts";

const MINUTE_MS = 60_000;
const sealing = {
  seal: (content: Uint8Array) => Buffer.from(content).map((byte) => byte ^ 0x5a),
  open: (sealed: Uint8Array) => Buffer.from(sealed).map((byte) => byte ^ 0x5a),
};

interface Told {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type: string;
  readonly success: boolean;
  readonly id: string;
  readonly webhookId: string;
  readonly data: readonly unknown[];
  readonly metadata: unknown;
  readonly error?: string;
}

let world: JobsWorld;
let told: Told[];
/** What receivers answer, by host. Default: 200. */
let answers: Map<string, (signal: AbortSignal, count: number) => Promise<number>>;

beforeEach(async () => {
  world = await JobsWorld.open();
  told = [];
  answers = new Map();
});

afterEach(() => world.close());

const send: SendWebhook = async ({ url, headers, body }, signal) => {
  const text = Buffer.concat(body).toString();
  told.push({ ...(JSON.parse(text) as Told), host: url.host, headers, body: text });
  const count = told.filter(({ host }) => host === url.host).length;
  const status = (await answers.get(url.host)?.(signal, count)) ?? 200;
  return { status, text: `answer ${count}` };
};

interface WebhookService extends JobsProcess {
  readonly secrets: WebhookSecrets;
}

async function openService(make?: MakePage, keepsAnswers = true): Promise<WebhookService> {
  let outbox: Outbox | undefined;
  const events = (process: MortalProcess) => {
    const opened = new Outbox({ queue: process.queue, clock: world.clock, secrets: sealing });
    outbox = opened;
    return Object.assign(opened, { changed: () => undefined });
  };
  const service = await world.openService({ make, events });
  if (!outbox) throw new Error("There is no outbox.");
  const { process, dispatcher } = service;
  const secrets = new WebhookSecrets(process.database, sealing);
  const delivery = new Delivery({
    database: process.database,
    queue: process.queue,
    clock: world.clock,
    outbox,
    // A dead process sends nothing.
    send: async (post, signal) => {
      if (process.isKilled) throw new Error("killed");
      return send(post, signal);
    },
    secretOf: (teamId) => secrets.of(teamId),
    documentOf: async () => undefined,
    signatureHeader: "X-Firecrawl-Signature",
    userAgent: "Pergamon",
    retryMs: [1, 5, 15].map((minutes) => minutes * MINUTE_MS),
    keepsAnswers,
  });
  delivery.work();
  dispatcher.work();
  return { ...service, secrets };
}

function webhook(host = "shop.test", changes: Partial<WebhookSetting> = {}): WebhookSetting {
  return { url: `https://${host}/hook?token=secret`, headers: {}, metadata: {}, events: [], ...changes };
}

async function expectTold(count: number): Promise<void> {
  for (let turn = 0; turn < 10_000 && told.length < count; turn += 1) await othersHadTheirTurn(1);
  await othersHadTheirTurn(50);
  expect(told).toHaveLength(count);
}

function typesOf(host = "shop.test"): readonly string[] {
  return told.filter((one) => one.host === host).map(({ type }) => type);
}

async function eventsOf(jobId: string): Promise<readonly EventRow[]> {
  return (await listEvents(world.database, { jobId, count: 100 })).toReversed();
}

const failing = async () => 500;
const silent = (signal: AbortSignal) =>
  new Promise<number>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("a job tells that it began, each page, and that it is completed, in order and signed", async () => {
  const { start, secrets } = await openService();
  await start({ id: "run", webhook: webhook("shop.test", { metadata: { order: "7" } }) }, 3);
  await expectTold(5);
  expect(typesOf()).toEqual(["batch.started", "batch.page", "batch.page", "batch.page", "batch.completed"]);
  expect(told.map(({ success }) => success)).toEqual([true, true, true, true, true]);
  expect(told[0]).toMatchObject({ id: "run", data: [], metadata: { order: "7" } });
  expect(told[1]?.data).toEqual([{ markdown: "0", metadata: { sourceURL: "https://shop.test/0" } }]);
  expect(new Set(told.map(({ webhookId }) => webhookId)).size).toBe(5);
  const secret = await secrets.of("team");
  for (const { body, headers } of told) {
    const hmac = createHmac("sha256", secret).update(body).digest("hex");
    expect(headers["x-firecrawl-signature"]).toBe(`sha256=${hmac}`);
    expect(Object.keys(JSON.parse(body) as object)).not.toContain("error");
  }
});

test("other work has its turns while a large document is signed", async () => {
  const document = Buffer.alloc(100 * 1024 * 1024, '"');
  const event = { scrapeId: "scrape", body: null, isSuccess: 1 } as EventRow;
  const body = (await bodyOf(event, webhook("shop.test"), async () => document)) ?? [];
  const hmac = createHmac("sha256", "secret").update(Buffer.concat(body)).digest("hex");
  let turns = 0;
  const counting = setInterval(() => (turns += 1));
  expect(await signatureOf(body, "secret", new AbortController().signal)).toBe(`sha256=${hmac}`);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2);
});

test("a page that failed, a job that was cancelled and one that failed are told with why", async () => {
  const { start, process, dispatcher } = await openService(async (page, _step, signal) => {
    if (page === "0") return "failed";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "made";
  });
  await start({ id: "run", webhook: webhook() }, 2);
  await start({ id: "other", webhook: webhook("other.test") }, 2);
  await expectTold(4);
  await process.database.transaction(async (tx) => {
    await dispatcher.cancel(tx, "run");
    await dispatcher.fail(tx, "other", "It could not run.");
  });
  await expectTold(6);
  expect(told.find(({ type }) => type === "batch.page")).toMatchObject({
    success: false,
    error: "It failed.",
    data: [{ metadata: { sourceURL: "https://shop.test/0", error: "It failed." } }],
  });
  expect(told.slice(4)).toMatchObject([
    { type: "batch.cancelled", success: false, error: "Counting was cancelled", data: [] },
    { type: "batch.failed", success: false, error: "It could not run.", data: [] },
  ]);
});

test.each([
  [[], ["batch.started", "batch.page", "batch.completed"]],
  [["page"], ["batch.page"]],
  [["batch.completed"], ["batch.completed"]],
  [["completed", "failed"], ["batch.completed"]],
  [["crawl.page"], []],
])("of the events %j it tells %j", async (events, expected) => {
  const { start } = await openService();
  await start({ id: "run", webhook: webhook("shop.test", { events }) }, 1);
  await world.clock.advance(1000);
  expect(typesOf()).toEqual(expected);
});

test("own headers are sent; those of HTTP and the signature are ours", async () => {
  const { start } = await openService();
  const headers = {
    Authorization: "Bearer mine",
    Host: "evil.test",
    "Content-Type": "text/plain",
    "Content-Length": "1",
    "Transfer-Encoding": "chunked",
    "x-firecrawl-SIGNATURE": "sha256=forged",
    "User-Agent": "mine",
  };
  await start({ id: "run", webhook: webhook("shop.test", { headers, events: ["started"] }) }, 0);
  await expectTold(1);
  expect(told[0]?.headers).toEqual({
    Authorization: "Bearer mine",
    "content-type": "application/json",
    "user-agent": "Pergamon",
    "x-firecrawl-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
  });
});

test("a job without a webhook tells nobody, and one that was not kept neither", async () => {
  const { start, process, dispatcher } = await openService();
  await start({ id: "silent" }, 2);
  const failed = process.database.transaction(async (tx) => {
    const given = { keyId: undefined, family: "batch", options: "{}", linkBase: "", teamConcurrency: 1 };
    await dispatcher.start(tx, { ...given, id: "undone", teamId: "team", total: 0, webhook: webhook() });
    throw new Error("undone");
  });
  await expect(failed).rejects.toThrow("undone");
  await world.clock.advance(5000);
  expect(told).toEqual([]);
});

test("the secret of a team is its own, stays, and changes when it is rotated", async () => {
  const { secrets } = await openService();
  const secret = await secrets.of("team");
  expect(await secrets.of("team")).toBe(secret);
  expect(await secrets.of("other")).not.toBe(secret);
  const rotated = await secrets.rotate("team");
  expect(rotated).not.toBe(secret);
  expect(await secrets.of("team")).toBe(rotated);
  const row = await world.database.prepared<{ secret: string }>("SELECT secret FROM webhook_secrets").get();
  expect(Buffer.from(row?.secret ?? "", "base64").toString()).not.toContain("whsec");
  const given = new WebhookSecrets(world.database, sealing, "of the operator");
  expect(await given.of("team")).toBe("of the operator");
  await expect(given.rotate("team")).rejects.toThrow("WEBHOOK_SECRET");
});

test("what is told does not stand in the tables in the clear", async () => {
  const { start } = await openService();
  await start({ id: "run", webhook: webhook("shop.test", { headers: { Authorization: "Bearer mine" } }) }, 0);
  await expectTold(2);
  const rows = await world.database.prepared("SELECT * FROM webhook_queues").all();
  const receivers = await world.database.prepared("SELECT * FROM webhook_receivers").all();
  expect(JSON.stringify([rows, receivers])).not.toMatch(/Bearer|token=/);
});

describe("retries", () => {
  test("repeat the same bytes after 1 and 5 minutes, until it is taken", async () => {
    answers.set("shop.test", async (_signal, count) => (count < 3 ? 500 : 200));
    const { start } = await openService();
    await start({ id: "run", webhook: webhook("shop.test", { events: ["completed"] }) }, 1);
    await expectTold(1);
    await world.clock.advance(MINUTE_MS - 1);
    expect(told).toHaveLength(1);
    await world.clock.advance(1);
    expect(told).toHaveLength(2);
    await world.clock.advance(5 * MINUTE_MS);
    expect(told).toHaveLength(3);
    await world.clock.advance(60 * MINUTE_MS);
    expect(new Set(told.map(({ body }) => body)).size).toBe(1);
    expect(await eventsOf("run")).toMatchObject([{ state: "delivered", attempts: 3, lastStatus: 200 }]);
  });

  test("end after the fourth attempt", async () => {
    answers.set("shop.test", async () => Promise.reject(new Error("refused")));
    const { start } = await openService();
    await start({ id: "run", webhook: webhook("shop.test", { events: ["completed"] }) }, 1);
    await world.clock.advance(22 * MINUTE_MS);
    expect(told).toHaveLength(4);
    expect(await eventsOf("run")).toMatchObject([{ state: "dead", attempts: 4, lastError: "refused" }]);
  });

  test.each([
    [true, "answer 1"],
    [false, null],
  ])("a redirect is no success; if answers are kept (%s), it is %j", async (keepsAnswers, lastAnswer) => {
    answers.set("shop.test", async () => 302);
    const { start } = await openService(undefined, keepsAnswers);
    await start({ id: "run", webhook: webhook("shop.test", { events: ["started"] }) }, 0);
    await expectTold(1);
    const expected = { state: "handed", lastError: "It answered 302.", lastAnswer };
    expect(await eventsOf("run")).toMatchObject([expected]);
  });

  test("keep the order: pages wait for the start, the end waits for every page", async () => {
    answers.set("shop.test", async (_signal, count) => (count === 1 || count === 3 ? 500 : 200));
    const { start } = await openService();
    await start({ id: "run", webhook: webhook() }, 3);
    await expectTold(1);
    await world.clock.advance(MINUTE_MS);
    await expectTold(5);
    expect(typesOf()).toEqual(["batch.started", "batch.started", "batch.page", "batch.page", "batch.page"]);
    await world.clock.advance(MINUTE_MS);
    expect(typesOf().slice(5)).toEqual(["batch.page", "batch.completed"]);
    expect(told[5]?.webhookId).toBe(told[2]?.webhookId);
  });

  test("the end is told although pages are dead", async () => {
    answers.set("shop.test", async (_signal, count) =>
      told[told.length - 1]?.type === "batch.page" ? 500 : count && 200,
    );
    const { start } = await openService();
    await start({ id: "run", webhook: webhook() }, 1);
    await world.clock.advance(22 * MINUTE_MS);
    expect(typesOf().at(-1)).toBe("batch.completed");
    expect((await eventsOf("run")).map(({ state }) => state)).toEqual(["delivered", "dead", "delivered"]);
  });
});

describe("receivers that fail", () => {
  test("are paused after 20 failures in a row, and asked again after 15 minutes", async () => {
    answers.set("shop.test", failing);
    const { start } = await openService();
    await start({ id: "run", webhook: webhook("shop.test", { events: ["page"] }) }, 30);
    await world.clock.advance(MINUTE_MS / 2);
    expect(told).toHaveLength(20);
    const [receiver] = await listReceivers(world.database, "team");
    expect(receiver).toMatchObject({ origin: "https://shop.test", failures: 20, lastStatus: 500 });
    expect(receiver?.pausedUntilMs).toBeGreaterThan(world.clock.now());
    await world.clock.advance(10 * MINUTE_MS);
    expect(told).toHaveLength(20);
    answers.delete("shop.test");
    await world.clock.advance(40 * MINUTE_MS);
    expect((await eventsOf("run")).map(({ state }) => state)).toEqual(Array(30).fill("delivered"));
    expect(await listReceivers(world.database, "team")).toMatchObject([
      { failures: 0, pausedUntilMs: 0, handed: 0 },
    ]);
  });

  test("are asked one thing at a time", async () => {
    let atOnce = 0;
    let most = 0;
    answers.set("shop.test", async (_signal, count) => {
      // So many were under way when the first one failed.
      if (count <= 4) return 500;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await othersHadTheirTurn(5);
      atOnce -= 1;
      return 500;
    });
    const { start } = await openService();
    await start({ id: "run", webhook: webhook("shop.test", { events: ["page"] }) }, 12);
    await expectTold(12);
    expect(most).toBe(1);
  });

  test("a thousand that never answer delay one that does by nothing", async () => {
    const { start } = await openService();
    for (let index = 0; index < 1000; index += 1) {
      answers.set(`dead${index}.test`, silent);
      await start(
        { id: `dead ${index}`, webhook: webhook(`dead${index}.test`, { events: ["completed"] }) },
        0,
      );
    }
    await start({ id: "run", webhook: webhook() }, 10);
    for (let turn = 0; turn < 10_000 && typesOf().length < 12; turn += 1) await othersHadTheirTurn(1);
    // No time has passed, and none of the dead has been given up.
    expect(typesOf()).toHaveLength(12);
    expect(typesOf().at(-1)).toBe("batch.completed");
  });

  test("a slow one delays no other", async () => {
    answers.set("slow.test", silent);
    const { start } = await openService();
    await start({ id: "slow", webhook: webhook("slow.test") }, 50);
    await start({ id: "run", webhook: webhook() }, 10);
    for (let turn = 0; turn < 5000 && typesOf().length < 12; turn += 1) await othersHadTheirTurn(1);
    expect(typesOf()).toHaveLength(12);
    expect(typesOf("slow.test")).toEqual(["batch.started"]);
  });
});

test("two jobs that tell the same receiver take turns", async () => {
  const { start } = await openService();
  await start({ id: "a", webhook: webhook("shop.test", { events: ["page"] }) }, 30);
  await start({ id: "b", webhook: webhook("shop.test", { events: ["page"] }) }, 3);
  await expectTold(33);
  expect(told.findLastIndex(({ id }) => id === "b")).toBeLessThan(20);
});

test("an append is told as a start, and may name another receiver", async () => {
  const { start, process, dispatcher, family } = await openService();
  await start({ id: "run", webhook: webhook() }, 1);
  await expectTold(3);
  await process.database.transaction(async (tx) => {
    await family.write(tx, "run", 1, 1);
    await dispatcher.append(tx, "run", { pages: 1, webhook: webhook("new.test") });
  });
  await expectTold(6);
  expect(typesOf("new.test")).toEqual(["batch.started", "batch.page", "batch.completed"]);
});

test("killed between any two tasks, everything is told at least once, in order", async () => {
  for (let steps = 0; ; steps += 9) {
    told = [];
    const id = `run ${steps}`;
    const first = await openService();
    await first.start({ id, webhook: webhook(), teamConcurrency: 2 }, 3);
    first.process.killAfter(steps);
    await othersHadTheirTurn(400);
    const wasKilled = first.process.isKilled;
    first.process.kill();
    const second = await openService();
    await world.clock.advance(2000);
    const states = (await eventsOf(id)).map(({ state }) => state);
    expect(states, `killed after ${steps} steps`).toEqual(Array(5).fill("delivered"));
    const firstTimes = [
      ...new Map(told.toReversed().map((one) => [one.webhookId, one.type])).values(),
    ].toReversed();
    expect(firstTimes[0]).toBe("batch.started");
    expect(firstTimes.at(-1)).toBe("batch.completed");
    expect(firstTimes).toHaveLength(5);
    second.process.kill();
    if (!wasKilled) break;
  }
}, 120_000);
