import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { makeTeam, operate } from "../../../../test/operator.ts";
import { htmlPage } from "../../../../test/site.ts";
import { useWorld } from "../../../../test/use-world.ts";
import type { Caller } from "../accounts/callers.ts";
import { revokeKey } from "../accounts/keys.ts";
import type { AlsoWrite } from "../accounts/ledger.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { earlierJson } from "./replay.ts";
import { startJob } from "./request/job.ts";
import { type RunServices, runScrape, type ScrapeEnding } from "./run.ts";
import { type PageOrder, runPage } from "./run-page.ts";

const ADMIN_KEY = "operator-key-of-the-tests";

const world = useWorld({ AUTH: "keys", ADMIN_KEY, RATE_LIMIT: "off", TEAM_CONCURRENCY: "4" });
let services: RunServices;
let caller: Caller;
let teamId: string;
/** What was written beside the charges, and what was not. */
let rows: string[];
let endings: ScrapeEnding[];

beforeAll(async () => {
  ({ services } = world.app);
});

beforeEach(async () => {
  await useTeamWith(100);
  rows = [];
  endings = [];
});

async function useTeamWith(credits: number): Promise<void> {
  const team = await makeTeam(world, { credits });
  ({ teamId } = team);
  const apiKey = team.headers.authorization.slice("Bearer ".length);
  caller = (await world.app.callers.byKey(apiKey)) as Caller;
}

/** Parts of a job, as its steps would write them. */
async function alsoWrite(ending: ScrapeEnding): Promise<AlsoWrite> {
  endings.push(ending);
  const name = ending.status === "completed" ? "document" : "error";
  return async (_tx, pay) => void rows.push(`${name} ${(await pay()) ? "charged" : "not charged"}`);
}

const jobId = uuidV7();
let lastId: string;

function pageOf(url: string, options: Readonly<Record<string, unknown>> = {}) {
  const parent = { id: jobId, class: "job" } as const;
  const job = startJob(services.plan({ url, ...options }), { caller, linkBase: "", kind: "crawl", parent });
  lastId = job.id;
  return job;
}

function run(job: ReturnType<typeof pageOf>, order: Partial<PageOrder> = {}) {
  return runPage(job, services, { signal: new AbortController().signal, alsoWrite, ...order });
}

async function used(): Promise<readonly number[]> {
  const { body } = await operate(world, `GET teams/${teamId}/ledger?limit=1000`);
  return body.data.filter(({ to }) => to === "used").map(({ amount }) => Number(amount));
}

describe("a page of a job", () => {
  test("is written with its charge, and recorded with kind and parent; its answer with it", async () => {
    const job = pageOf(world.site.page("/page", htmlPage("<h1>Page</h1>")));
    let told: string | undefined;
    const outcome = await run(job, {
      async alsoWrite(ending) {
        if (ending.status === "completed") told = Buffer.concat(ending.data).toString();
        return alsoWrite(ending);
      },
    });
    expect(outcome).toMatchObject({ status: "completed", scraped: { facts: { scrapeId: job.id } } });
    expect(rows).toEqual(["document charged"]);
    expect(JSON.parse(told ?? "")).toMatchObject({
      markdown: "# Page",
      metadata: { scrapeId: job.id, creditsUsed: 1 },
    });
    expect(await used()).toEqual([1]);
    const found = await services.records.get(job.id);
    expect(found?.record).toMatchObject({ kind: "crawl", parentId: jobId, status: "completed" });
    expect(await services.records.answer(job.id)).toBe(told);
    expect((await services.records.list(teamId, { limit: 10 })).data).toEqual([]);
  });

  test("is read by its id as it is kept, letter by letter", async () => {
    const job = pageOf(world.site.page("/kept", htmlPage("<h1>Kept</h1>")));
    await run(job);
    const text = `{ "markdown":"# Kept\u0020", "metadata":{} }`;
    const { record } = (await services.records.get(job.id)) ?? {};
    const id = uuidV7();
    if (record) services.records.add({ ...record, id, answerKey: id });
    await services.records.saveAnswer(id, text);
    const { signal } = new AbortController();
    const json = await earlierJson(id, services, { caller, linkBase: "", signal, deadlineMs: Infinity });
    expect(String(Buffer.concat(json ?? []))).toBe(text);
  });

  test("that is in the cache has an answer of its own as well", async () => {
    const url = world.site.page("/cached", htmlPage("<h1>Cached</h1>"));
    await run(pageOf(url));
    const job = pageOf(url);
    expect(await run(job)).toMatchObject({ status: "completed", scraped: { facts: { cacheState: "hit" } } });
    expect(JSON.parse((await services.records.answer(job.id)) ?? "")).toMatchObject({ markdown: "# Cached" });
  });

  test("that is not due is dropped: not charged, not recorded", async () => {
    const job = pageOf(world.site.page("/second", htmlPage("<h1>Second</h1>")));
    const outcome = await run(job, { alsoWrite: async () => async () => undefined });
    expect([outcome, rows, await used()]).toEqual([{ status: "dropped" }, [], []]);
    expect(await services.records.get(job.id)).toBeUndefined();
  });

  test("that fails is told with its code, and written as well", async () => {
    const job = pageOf("http://localhost:9/", { timeout: 5000 });
    const outcome = await run(job);
    expect(outcome).toMatchObject({
      status: "failed",
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: expect.stringMatching(/./) as string,
      isSettled: true,
    });
    expect(rows).toEqual(["error charged"]);
    expect(endings).toMatchObject([{ status: "failed", creditsUsed: 0 }]);
    expect((await services.records.get(job.id))?.record).toMatchObject({ status: "failed", kind: "crawl" });
  });

  test("that cannot be paid is told so, before anything is fetched", async () => {
    await useTeamWith(0);
    const job = pageOf(world.site.page("/unpaid", htmlPage("<h1>Unpaid</h1>")));
    expect(await run(job)).toMatchObject({
      status: "failed",
      code: "insufficient_credits",
      isSettled: false,
    });
    expect([rows, world.site.hits("/unpaid")]).toEqual([[], []]);
  });

  test("whose rows cannot be had fails, and is not charged", async () => {
    const job = pageOf(world.site.page("/broken", htmlPage("<h1>Broken</h1>")));
    const outcome = await run(job, {
      alsoWrite: () => Promise.reject(new Error("the links cannot be read")),
    });
    expect(outcome).toMatchObject({
      status: "failed",
      failure: { message: "the links cannot be read" },
      message: "An unexpected error occurred.",
      isSettled: false,
    });
    expect(await used()).toEqual([]);
    expect(await services.limits.load(caller.team)).toMatchObject({ running: 0 });
  });

  test("of a cancelled job ends with the reason that was given", async () => {
    const cancelled = AbortSignal.abort(new Error("the crawl was cancelled"));
    const job = pageOf(world.site.page("/cancelled", htmlPage("<h1>Cancelled</h1>")));
    expect(await run(job, { signal: cancelled })).toMatchObject({
      status: "failed",
      failure: { message: "the crawl was cancelled" },
    });
    expect(world.site.hits("/cancelled")).toEqual([]);
  });

  test.each([
    ["is not reached yet", false, true],
    ["is under way", true, true],
    ["of an agent is under way", true, false],
  ])("that %s when its job is cancelled is no failure anywhere", async (_when, isReached, isOfRows) => {
    const counted: unknown[] = [];
    const counting = { ...services, countScrape: (outcome: unknown) => void counted.push(outcome) };
    const stop = new AbortController();
    const { site } = world;
    const held = site.page("/stopped", () => stop.abort(new Error("cancelled")));
    if (!isReached) stop.abort(new Error("cancelled"));
    const job = pageOf(held, { maxAge: 0 });
    const ended = isOfRows
      ? runPage(job, counting, { signal: stop.signal, alsoWrite })
      : runScrape(job, counting, stop.signal);
    await ended.catch(() => undefined);
    expect([counted, rows, await used()]).toEqual([[], [], []]);
    expect(await services.records.get(job.id)).toBeUndefined();
    const usage = await operate(world, `GET usage?team=${teamId}`);
    expect(usage.body.data).toMatchObject({ total: { pages: 0, failed: 0 }, errors: [] });
    expect(await services.limits.load(caller.team)).toMatchObject({ running: 0 });
  });

  test("whose key is revoked before its job has ended is no failure anywhere", async () => {
    const counted: unknown[] = [];
    const counting = { ...services, countScrape: (outcome: unknown) => void counted.push(outcome) };
    const held = world.site.page("/revoked", () => {
      void revokeKey(world.app.database, caller.keyId ?? "").then(() => services.revocations.check());
    });
    const job = pageOf(held, { maxAge: 0 });
    const { signal } = new AbortController();
    expect(await runPage(job, counting, { signal, alsoWrite })).toEqual({ status: "dropped" });
    expect([counted, rows, await used()]).toEqual([[], [], []]);
    expect(await services.records.get(job.id)).toBeUndefined();
    const usage = await operate(world, `GET usage?team=${teamId}`);
    expect(usage.body.data).toMatchObject({ total: { pages: 0, failed: 0 }, errors: [] });
  });

  test("that waited longer than its timeout has all of it when its turn comes", async () => {
    const { signal } = new AbortController();
    const places = [1, 2, 3, 4].map(() => services.limits.enter(caller, 60_000, signal));
    const held = await Promise.all(places);
    const url = world.site.page("/patient", htmlPage("<h1>Patient</h1>"));
    const running = run(pageOf(url, { timeout: 2500 }));
    await new Promise((resolve) => setTimeout(resolve, 2600));
    for (const place of held) place.release();
    const outcome = await running;
    expect(outcome).toMatchObject({ status: "completed", scraped: { facts: { concurrencyLimited: true } } });
    const found = await services.records.get(lastId);
    expect(found?.record.durationMs).toBeLessThan(2500);
  });

  test("leaves places to single requests", async () => {
    const held = Array.from({ length: 4 }, (_page, index) => {
      let answer = () => {};
      const url = world.site.page(`/held-${index}`, (_request, response) => {
        answer = () => response.end(htmlPage("<h1>Held</h1>"));
      });
      return { url, open: () => answer() };
    });
    const running = held.map(({ url }) => run(pageOf(url)));
    const reached = () => held.filter((_page, index) => world.site.hits(`/held-${index}`).length > 0);
    while (reached().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await services.limits.load(caller.team)).toMatchObject({ running: 3 });
    const place = await services.limits.enter(caller, 30_000, new AbortController().signal);
    expect(place.waitedMs).toBeUndefined();
    place.release();
    for (const page of reached()) page.open();
    while (reached().length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const page of held) page.open();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(4).fill("completed"));
  });
});
