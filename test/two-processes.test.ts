import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, operate, type SoakService, type SoakTeam, startSoakService } from "./service-process.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { build, builtProgram } from "./built.ts";
import { openSite, type Site } from "./site.ts";

const PROCESSES = 3;
/** A process that died is known to be dead after 10 seconds; who looks for that does so every 5. */
const DEAD_LIMIT_MS = 25_000;

const dataDir = testFolder();
let site: Site;
let services: readonly SoakService[];
let database: Database;
/** Ids of the events that the collector has got, in order. */
const collected: string[] = [];

function start(): Promise<SoakService> {
  const settings = { AUDIT_COLLECTOR_URL: site.url("/collector"), LOG_LEVEL: "debug" };
  return startSoakService({ command: builtProgram, dataDir, settings });
}

beforeAll(async () => {
  await build();
  site = await openSite();
  site.page("/page", "<h1>Page</h1>");
  site.page("/collector", (request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      for (const line of text.trim().split("\n")) collected.push((JSON.parse(line) as { id: string }).id);
      response.end();
    });
  });
  services = await Promise.all(Array.from({ length: PROCESSES }, start));
  database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
}, 120_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await database.close();
  await site.close();
});

/** One of the services, each in its turn. */
function serviceAt(index: number): SoakService {
  return services[index % services.length] as SoakService;
}

async function scrape(service: SoakService, apiKey: string, request: object) {
  const response = await fetch(`${service.url}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(request),
  });
  const { data, code } = (await response.json()) as { readonly data?: object; readonly code?: string };
  return { status: response.status, code, isAnswered: data !== undefined };
}

/** Ids of the events of the log, in order. */
async function loggedEvents(): Promise<readonly string[]> {
  const rows = await database.prepared<{ id: string }>("SELECT id FROM audit_events ORDER BY sequence").all();
  return rows.map(({ id }) => id);
}

test("M22 two services on one folder never answer for more credits than there are", async () => {
  const url = site.url("/page");
  for (let round = 0; round < 3; round += 1) {
    const { apiKey, teamId } = await makeTeam(serviceAt(0).url, { name: "team", credits: 20 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_request, index) =>
        scrape(serviceAt(index), apiKey, { url, ...(index % 2 === 0 && { maxAge: 0 }) }),
      ),
    );
    expect(answers.filter(({ isAnswered }) => isAnswered)).toHaveLength(20);
    const refused = answers.filter(({ isAnswered }) => !isAnswered);
    for (const answer of refused) expect(answer).toMatchObject({ status: 402, code: "insufficient_credits" });
    const ledger = (await operate(serviceAt(1).url, `teams/${teamId}/ledger`)) as {
      readonly data: { readonly to: string }[];
    };
    expect(ledger.data.filter(({ to }) => to === "used")).toHaveLength(20);
  }
}, 60_000);

test("what one service is told about keys, credits and policies holds in the other at once", async () => {
  const [one, other] = services as [SoakService, SoakService];
  const url = site.url("/page");
  const { apiKey, teamId } = await makeTeam(one.url, { name: "team", credits: 1 });
  expect((await scrape(other, apiKey, { url })).status).toBe(200);
  expect((await scrape(other, apiKey, { url })).status).toBe(402);
  await operate(one.url, `teams/${teamId}/credits`, { add: 5 });
  expect((await scrape(other, apiKey, { url })).status).toBe(200);
  await operate(
    one.url,
    `teams/${teamId}`,
    { threatPolicy: { mode: "manual-only", blacklist: ["127.0.0.1"] } },
    "PATCH",
  );
  expect((await scrape(other, apiKey, { url })).code).toBe("unsafe_domain_blocked");
  await operate(one.url, `teams/${teamId}`, undefined, "DELETE");
  expect((await scrape(other, apiKey, { url })).status).toBe(401);
}, 60_000);

test("together they never exceed the concurrency of a team, and each of them gets on", async () => {
  const concurrency = 4;
  const { apiKey } = await makeTeam(serviceAt(0).url, { name: "team", limits: { concurrency } });
  let running = 0;
  let most = 0;
  const url = site.page("/slow", (_request, response) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      response.end("<h1>Slow</h1>");
    }, 500);
  });
  const endings: number[] = [];
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_request, index) => {
      const answer = await scrape(serviceAt(index), apiKey, { url: `${url}?${index}`, maxAge: 0 });
      endings.push(index % PROCESSES);
      return answer.status;
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(site.hits("/slow?0")).toHaveLength(1);
  expect(most).toBe(concurrency);
  // Nobody has to wait until all others are done.
  expect(new Set(endings.slice(0, 40)).size).toBe(PROCESSES);
}, 60_000);

test("together they let pass what the rate of a team says, not three times that", async () => {
  const requestsPerMinute = 100;
  const { apiKey } = await makeTeam(serviceAt(0).url, { name: "team", limits: { requestsPerMinute } });
  const statuses: number[] = [];
  const startMs = performance.now();
  // Bursts, and a steady stream over some seconds: windows of each process alone would let three hundred pass.
  for (let wave = 0; wave < 12; wave += 1) {
    const burst = Array.from({ length: wave < 3 ? 60 : 9 }, async (_request, index) => {
      statuses.push((await scrape(serviceAt(index), apiKey, { url: site.url("/page") })).status);
    });
    await Promise.all(burst);
    await pause(300);
  }
  expect(performance.now() - startMs).toBeLessThan(50_000);
  const passed = statuses.filter((status) => status === 200).length;
  const refilled = ((performance.now() - startMs) / 60_000) * requestsPerMinute;
  expect(passed).toBeLessThanOrEqual((requestsPerMinute + refilled) * 1.02);
  expect(passed).toBeGreaterThanOrEqual(requestsPerMinute * 0.98);
  expect(statuses.filter((status) => status !== 200).every((status) => status === 429)).toBe(true);
}, 60_000);

test("one of them prunes for all", async () => {
  const pruned = () =>
    services.filter((service) => service.output().includes("Expired and excess data was deleted."));
  await expect.poll(() => pruned().length, { timeout: 15_000 }).toBe(1);
}, 30_000);

/** Events of all services at once, until it is over. @param isOver is told how many scrapes were answered. */
async function makeEvents(
  team: SoakTeam,
  users: number,
  isOver: (answered: number) => boolean = () => true,
): Promise<number> {
  let answered = 0;
  const request = (user: number) => ({
    url: site.url("/page"),
    auditMetadata: { username: `user ${user}` },
  });
  await Promise.all(
    Array.from({ length: users }, async (_user, index) => {
      do {
        const answer = await scrape(serviceAt(index), team.apiKey, request(index)).catch(() => undefined);
        if (answer?.isAnswered) answered += 1;
        else await pause(50);
      } while (!isOver(answered));
    }),
  );
  return answered;
}

test("while none of them dies the collector gets every event once, in order", async () => {
  const team = await makeTeam(serviceAt(0).url, { name: "team" });
  for (let round = 0; round < 5; round += 1) expect(await makeEvents(team, 30)).toBe(30);
  const logged = await loggedEvents();
  expect(logged.length).toBeGreaterThan(150);
  await expect.poll(() => collected.length, { timeout: 15_000 }).toBe(logged.length);
  expect(collected).toEqual(logged);
}, 30_000);

test("what one dies with is released while the others run, and no event is skipped", async () => {
  const team = await makeTeam(serviceAt(0).url, {
    name: "team",
    credits: 1000,
    limits: { concurrency: PROCESSES },
  });
  const owners = async () => (await database.prepared("SELECT owner FROM ledger_holds").all()).length;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const url = site.page("/held", (_request, response) => {
    void opened.then(() => response.end("<h1>Held</h1>"));
  });
  const held = services.map((service, index) =>
    scrape(service, team.apiKey, { url: `${url}?${index}`, maxAge: 0, timeout: 60_000 }).catch(
      () => undefined,
    ),
  );
  await expect.poll(owners).toBe(PROCESSES);

  // A process that starts leaves the holds of those that run alone.
  const another = await start();
  expect(await owners()).toBe(PROCESSES);

  let answeredYet = 0;
  let isOver = false;
  const events = makeEvents(await makeTeam(another.url, { name: "busy" }), 9, (answered) => {
    answeredYet = answered;
    return isOver;
  });
  await expect.poll(() => answeredYet).toBeGreaterThan(30);
  for (const service of services.slice(1)) await service.kill();
  const answeredBefore = answeredYet;
  await expect.poll(() => answeredYet).toBeGreaterThan(answeredBefore + 30);
  isOver = true;
  await events;
  expect(await owners()).toBe(PROCESSES);
  await expect.poll(owners, { timeout: DEAD_LIMIT_MS }).toBe(1);

  // Their places are free again, too.
  const next = await scrape(another, team.apiKey, { url: site.url("/page"), maxAge: 0 });
  expect(next.status).toBe(200);
  open();
  expect((await Promise.all(held)).map((answer) => answer?.status)).toContain(200);
  await expect.poll(owners).toBe(0);

  const logged = await loggedEvents();
  await expect.poll(() => new Set(collected).size, { timeout: DEAD_LIMIT_MS }).toBe(logged.length);
  expect(new Set(collected)).toEqual(new Set(logged));
  await another.kill();
}, 90_000);
