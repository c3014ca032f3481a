import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, type SoakService, startSoakService } from "./service-process.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { build, builtProgram } from "./built.ts";
import { openReceiver } from "./receiver.ts";
import { RunClient } from "./runs.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

/** Pages under way at once. */
const SLOTS = 10;
const KILLS = 3;
const PAGES = 150;
const CREDITS = 1000;

const dataDir = testFolder();
let site: Site;
let service: SoakService;

beforeAll(async () => {
  await build();
  site = await openSite();
}, 120_000);

beforeEach(() => start(), 120_000);
afterEach(() => service.kill());

async function start(): Promise<void> {
  const settings = { HOST_CONCURRENCY: String(SLOTS), WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1,1,1" };
  service = await startSoakService({ command: builtProgram, dataDir, settings });
}

function slowPage(path: string, afterMs: number): string {
  return site.page(path, (_request, response) => {
    setTimeout(() => response.end(htmlPage(`<main><h1>${path}</h1></main>`)), afterMs).unref();
  });
}

async function newTeam() {
  const team = await makeTeam(service.url, { name: "team", credits: CREDITS });
  const headers = { authorization: `Bearer ${team.apiKey}` };
  return { ...team, runs: () => new RunClient({ baseUrl: service.url }, headers) };
}

test("F-53 a batch that is killed three times is whole: nothing lost, nothing twice, each page paid once", async () => {
  const { runs } = await newTeam();
  const urls = Array.from({ length: PAGES }, (_, index) => slowPage(`/slow/${index}`, 200));
  const id = await runs().batch({ urls, maxAge: 0, maxConcurrency: SLOTS });
  let completed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // A page that dies three times ends its batch: those that died are made before the next kill, however slow the machine.
    const ask = async () => (await runs().ask(`GET /v2/batch/scrape/${id}?limit=1`)).body.completed ?? 0;
    await expect.poll(ask, { timeout: 30_000 }).toBeGreaterThan(completed + 2 * SLOTS);
    await service.kill();
    await start();
    const { status, body } = await runs().ask(`GET /v2/batch/scrape/${id}?limit=1`);
    expect([status, body.total]).toEqual([200, PAGES]);
    completed = body.completed ?? 0;
  }
  const done = await runs().endedBatch(id);
  const documents = await runs().all(`/v2/batch/scrape/${id}`);
  const { errors } = (await runs().ask(`GET /v2/batch/scrape/${id}/errors`)).body;
  expect(errors).toEqual([]);
  expect(done).toMatchObject({ status: "completed", total: PAGES, completed: PAGES, creditsUsed: PAGES });
  expect(documents).toHaveLength(PAGES);
  expect(new Set(documents.map(({ metadata }) => metadata.sourceURL))).toEqual(new Set(urls));
  expect(await remaining(runs())).toBe(CREDITS - PAGES);
}, 180_000);

test("an extraction that is killed twice is whole: each page read and paid once, and a result", async () => {
  const { runs } = await newTeam();
  const names = Array.from({ length: 12 }, (_, index) => `/extract/${index}`);
  const links = names.slice(6).map((name) => `<a href="${name}">${name}</a>`);
  site.page("/extract/", htmlPage(`<main><h1>/extract/</h1>${links.join(" ")}</main>`));
  const urls = names.map((name) => slowPage(name, 300)).slice(0, 6);
  const schema = { type: "object", properties: { title: { type: "string" } } };
  const scrapeOptions = { maxAge: 0 };
  const body = { urls: [...urls, `${site.url("/extract/")}*`], schema, scrapeOptions, ignoreSitemap: true };
  const started = await runs().ask("POST /v2/extract", body);
  for (let kill = 0; kill < 2; kill += 1) {
    await pause(400);
    await service.kill();
    await start();
  }
  const state = async () => (await runs().ask(`GET /v2/extract/${started.body.id}`)).body;
  await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe("completed");
  // The map, its start, and twelve pages.
  expect((await state()).creditsUsed).toBe(14);
  expect(await remaining(runs())).toBe(CREDITS - 14);
}, 180_000);

async function remaining(runs: RunClient): Promise<number> {
  const { body } = await runs.ask("GET /v2/team/credit-usage");
  return (body as unknown as { readonly data: { readonly remainingCredits: number } }).data.remainingCredits;
}

test("a kill while a batch is accepted leaves all of it or nothing", async () => {
  const { runs } = await newTeam();
  const urls = Array.from({ length: CREDITS }, (_, index) => slowPage(`/many/${index}`, 5));
  let answered = 0;
  const moments = [5, 25, 60];
  for (const afterMs of moments) {
    const asking = runs()
      .ask("POST /v2/batch/scrape", { urls, maxConcurrency: 1 })
      // A batch refused for want of credits was answered too.
      .then(({ status }) => status === 200)
      .catch(() => false);
    await pause(afterMs);
    await service.kill();
    if (await asking) answered += 1;
    await start();
  }
  const database = await openDatabase(`sqlite:${join(dataDir, "pergamon.db")}`);
  const rows = await database
    .prepared<{ total: number; pages: number }>(
      `SELECT total, (SELECT sum(pages) FROM batch_parts WHERE run_id = job_runs.id AND turn IS NOT NULL) AS pages
       FROM job_runs WHERE family = 'batch_scrape' AND total >= ?`,
    )
    .all(PAGES + 1);
  await database.close();
  expect(rows.length).toBeGreaterThanOrEqual(answered);
  expect(rows.length).toBeLessThan(moments.length);
  expect(rows.every(({ total, pages }) => total === CREDITS && pages === CREDITS)).toBe(true);
}, 180_000);

test("F-67 webhook: the outbox survives a kill", async () => {
  const { runs } = await newTeam();
  const closed = await openReceiver();
  const port = Number(new URL(closed.url).port);
  await closed.close();
  const id = await runs().batch({ urls: [slowPage("/told", 50)], webhook: closed.url });
  await runs().endedBatch(id);
  await service.kill();
  const receiver = await openReceiver(undefined, { port });
  await start();
  try {
    await expect.poll(receiver.types, { timeout: 30_000 }).toContain("batch_scrape.completed");
    expect(new Set(receiver.types())).toEqual(
      new Set(["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"]),
    );
    expect(receiver.delivered.every((event) => event.id === id)).toBe(true);
  } finally {
    await receiver.close();
  }
}, 120_000);
