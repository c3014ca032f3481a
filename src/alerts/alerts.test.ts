import { afterEach, beforeEach, expect, test } from "vitest";

import { ManualClock } from "../platform/clock/manual-clock.suite.ts";
import { openMemoryCoordinator } from "../platform/coordination/memory.ts";
import type { Database } from "../platform/database/database.ts";
import { openDatabase } from "../platform/database/drivers.ts";
import { openDatabaseJobs } from "../platform/jobs/database-jobs.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { SendWebhook } from "../job-runs/webhooks/delivery.ts";
import { signatureOf } from "../job-runs/webhooks/signature.ts";
import { PartHealth } from "../stores/health/part-health.ts";
import { AlertDelivery } from "./alert-delivery.ts";
import { AlertDesk, keptAlerts } from "./alert-desk.ts";
import { AlertStore } from "./alert-store.ts";
import { AlertWatch } from "./alert-watch.ts";
import type { AlertSources } from "./causes.ts";
import type { NoticeBody } from "./notice.ts";

const MINUTE_MS = 60_000;
const sealing = {
  seal: (content: Uint8Array) => Buffer.from(content).map((byte) => byte ^ 0x5a),
  open: (sealed: Uint8Array) => Buffer.from(sealed).map((byte) => byte ^ 0x5a),
};
const RULES = {
  parts: true,
  errorRate: { percent: 50, windowMinutes: 15, minRequests: 4 },
  credits: { below: 100 },
};
const URL_WITH_KEY = "https://hooks.test/key-in-the-path";

interface Told {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let database: Database;
let jobs: Jobs;
let clock: ManualClock;
let health: PartHealth;
let store: AlertStore;
let delivery: AlertDelivery;
let desk: AlertDesk;
let watch: AlertWatch;
let told: Told[];
let mails: string[];
let audited: object[];
let answer: () => Promise<number>;
let requests: { pages: number; failed: number };
let short: Awaited<ReturnType<AlertSources["teamsBelow"]>>;

beforeEach(async () => {
  [told, mails, audited, short] = [[], [], [], []];
  answer = async () => 200;
  requests = { pages: 0, failed: 0 };
  clock = new ManualClock();
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const onError = (failure: unknown) => {
    throw failure;
  };
  jobs = openDatabaseJobs({ database, coordinator: openMemoryCoordinator(), onError, clock });
  health = new PartHealth({ database, clock: () => clock.now(), onError });
  store = new AlertStore(database, sealing);
  const send: SendWebhook = async ({ url, headers, body }) => {
    told.push({ url: url.href, headers, body });
    return answer();
  };
  const now = () => clock.now();
  const mail = { send: async ({ text }: { readonly text: string }) => void mails.push(text) };
  const ways = { signatureHeader: "X-Signature", userAgent: "test", send, mail };
  delivery = new AlertDelivery({ database, store, clock: now, ...ways });
  const audit = { write: async (event: object) => void audited.push(event) };
  desk = new AlertDesk({ database, store, delivery, audit, canMail: true, clock: now });
  const sources: AlertSources = {
    failingParts: async () => [],
    partStates: () => health.read(),
    requestsSince: async () => requests,
    teamsBelow: async () => short,
  };
  watch = new AlertWatch({ database, store, jobs, clock: now, sources });
  jobs.work(delivery.work());
});

afterEach(async () => {
  await jobs.close();
  await health.close();
  await database.close();
});

async function wanted(mail: readonly string[] = []): Promise<string> {
  const settings = { rules: RULES, webhook: { url: URL_WITH_KEY }, rotateSecret: false, mail: [...mail] };
  const { secret } = await desk.change(settings, "0");
  if (secret === null) throw new Error("There is no secret.");
  return secret;
}

/** Looks after so many minutes, and lets what comes of it be sent. */
async function lookAfter(minutes: number): Promise<void> {
  await clock.advance(minutes * MINUTE_MS);
  await watch.look();
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return (await desk.show()).messages.filter(({ state }) => state === "pending").length;
    })
    .toBe(0);
}

function failed(times: number): void {
  for (let time = 0; time < times; time += 1)
    health.note({ part: "Language model", target: "small", problem: "Refused." });
}

const notices = () => told.map(({ body }) => JSON.parse(body) as NoticeBody & { readonly type: string });
const changes = () => notices().map(({ data }) => data.map(({ state, cause }) => `${state} ${cause}`));

test("a cause is told once when it begins and once when it is over, signed, by every way", async () => {
  const secret = await wanted(["a@b.test"]);
  failed(2);
  await lookAfter(0);
  expect(told).toEqual([]);
  failed(1);
  await lookAfter(1);
  await lookAfter(1);
  expect(changes()).toEqual([["began part Language model small"]]);
  expect(notices()[0]?.text).toContain("failed 3 times in a row: Refused.");
  expect(mails).toEqual([notices()[0]?.text]);
  const { headers, body, url } = told[0] ?? { headers: {}, body: "", url: "" };
  expect([url, headers]).toEqual([
    URL_WITH_KEY,
    expect.objectContaining({ "x-signature": signatureOf(body, secret) }),
  ]);
  health.note({ part: "Language model", target: "small" });
  await lookAfter(1);
  // What comes back within five minutes was never over.
  failed(3);
  await lookAfter(1);
  health.note({ part: "Language model", target: "small" });
  await lookAfter(4);
  expect(changes()).toHaveLength(1);
  await lookAfter(2);
  await lookAfter(2);
  expect(changes()).toEqual([["began part Language model small"], ["over part Language model small"]]);
  expect((await desk.show()).alerts).toEqual([]);
});

test("whatever happens at once is one message, and a bounded one", async () => {
  await wanted();
  requests = { pages: 4, failed: 2 };
  short = Array.from({ length: 300 }, (_, index) => ({
    teamId: `team-${index}`,
    name: `<b>${"\u202e\n long ".repeat(10_000)}</b>`,
    remaining: index,
  }));
  await lookAfter(0);
  expect(notices()).toHaveLength(1);
  expect(notices()[0]).toMatchObject({ type: "alert", more: 251 });
  expect(notices()[0]?.data[0]).toMatchObject({ cause: "error rate", title: "50 % of requests fail" });
  expect(told[0]?.body.length).toBeLessThan(60_000);
  expect(notices()[0]?.data[1]?.title).not.toMatch(/[\u202e\n]/);
  expect((await desk.show()).alerts).toHaveLength(200);
  await keptAlerts(database, () => clock.now()).erase("team-7");
  expect((await desk.show()).messages).toEqual([]);
});

test("with few requests, or below the threshold, nothing is told", async () => {
  await wanted();
  requests = { pages: 3, failed: 3 };
  await lookAfter(0);
  requests = { pages: 100, failed: 49 };
  await lookAfter(1);
  expect(told).toEqual([]);
});

test("a receiver that fails is tried again for hours, then the message is given up with its reason", async () => {
  await wanted();
  answer = async () => 503;
  requests = { pages: 10, failed: 10 };
  await watch.look();
  await expect
    .poll(async () => {
      await clock.advance(60 * MINUTE_MS);
      return (await desk.show()).messages.map(({ state, problem }) => `${state} ${problem}`);
    })
    .toEqual([expect.stringContaining("failed The receiver answered with status 503.")]);
  expect(told).toHaveLength(7);
  expect(new Set(told.map(({ body }) => body)).size).toBe(1);
});

test("two processes that look at once tell of it once", async () => {
  await wanted();
  requests = { pages: 10, failed: 10 };
  await Promise.all([watch.look(), watch.look()]);
  await lookAfter(0);
  expect(told).toHaveLength(1);
});

test("a rule that is switched off ends its alerts without a word", async () => {
  await wanted();
  requests = { pages: 10, failed: 10 };
  await lookAfter(0);
  const settings = { rules: { ...RULES, errorRate: null }, rotateSecret: false, mail: [] };
  await desk.change(settings, undefined);
  await lookAfter(10);
  expect([changes(), (await desk.show()).alerts]).toEqual([[["began error rate"]], []]);
});

test("the URL and the secret are shown to nobody, the secret once; a new URL gets a new one", async () => {
  const secret = await wanted();
  expect(secret).toMatch(/^whsec_/);
  const shown = await desk.show();
  expect(shown).toMatchObject({ secret: null, webhook: { origin: "https://hooks.test" }, version: "1" });
  const kept = { rules: RULES, rotateSecret: false, mail: [] };
  expect((await desk.change(kept, "1")).secret).toBeNull();
  expect((await desk.change({ ...kept, webhook: { url: "https://other.test/" } }, "2")).secret).not.toBe(
    secret,
  );
  expect((await desk.change({ ...kept, rotateSecret: true }, "3")).secret).toMatch(/^whsec_/);
  await expect(desk.change(kept, "3")).rejects.toThrow("changed in the meantime");
  expect((await desk.change({ ...kept, webhook: null }, "4")).webhook).toBeNull();
  const written = JSON.stringify(audited);
  expect(audited).toHaveLength(5);
  expect(written).not.toContain("key-in-the-path");
  expect(written).not.toContain("whsec_");
  const rows = await database.prepared<{ value: string }>("SELECT value FROM alert_settings").all();
  expect(JSON.stringify(rows)).not.toMatch(/hooks|whsec/);
});

test("a test tells of every way what came of it", async () => {
  await wanted(["a@b.test"]);
  answer = async () => {
    throw new Error("The target is a private address.");
  };
  expect(await desk.test(new AbortController().signal)).toEqual({
    results: [
      { channel: "webhook", ok: false, detail: "The target is a private address." },
      { channel: "mail", ok: true, detail: "Recipients that the mail server took the message for: 1." },
    ],
  });
  expect(notices()[0]?.type).toBe("alert.test");
});
