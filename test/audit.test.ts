import { beforeAll, expect, test } from "vitest";

import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { ADMIN_KEY, KEYED, makeTeam, operate } from "./operator.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let collector: Site;
let isCollecting = true;
const collected: { readonly authorization: string; readonly text: string }[] = [];

beforeAll(async () => {
  collector = await openSite();
  collector.page("/events", (request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      if (isCollecting) collected.push({ authorization: String(request.headers.authorization), text });
      response.writeHead(isCollecting ? 200 : 500).end();
    });
  });
  world = await openWorld({
    ...KEYED,
    AUDIT_COLLECTOR_URL: collector.url("/events"),
    AUDIT_COLLECTOR_KEY: "collector-key",
  });
  world.site.page("/page", htmlPage("<h1>Page</h1>"));
});

type Event = Readonly<Record<string, unknown>>;

function eventsIn(text: string): readonly Event[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);
}

async function audit(query: string) {
  const response = await fetch(`${world.baseUrl}/admin/api/audit?${query}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  return {
    type: response.headers.get("content-type"),
    next: response.headers.get("x-next-cursor"),
    events: eventsIn(await response.text()),
  };
}

test("what operators change and what is scraped in a name is logged, in order, as lines of JSON", async () => {
  const team = await makeTeam(world, { credits: 5, name: "Secretive" });
  const url = world.site.url("/page");
  await operate(world, `POST teams/${team.teamId}/credits`, { add: 3 });
  await operate(world, `PATCH teams/${team.teamId}`, { name: "Other", limits: { concurrency: 3 } });
  await team.scrape({ url });
  const scraped = await team.scrape({ url, auditMetadata: { username: "ann" } });
  await team.scrape({ url: "http://127.0.0.9:1/", auditMetadata: { username: "bob" } });
  await team.scrape({ url, zeroDataRetention: true, auditMetadata: { username: "eve" } });
  const { events, type } = await audit(`team=${team.teamId}`);
  expect(type).toMatch(/^application\/x-ndjson/);
  expect(events.map(({ kind, username }) => [kind, username])).toEqual([
    ["team.created", undefined],
    ["credits.added", undefined],
    ["team.changed", undefined],
    ["scrape", "ann"],
    ["scrape", "bob"],
    ["scrape", "eve"],
  ]);
  expect(events[3]).toMatchObject({ url, scrapeId: scraped.body.data.metadata.scrapeId, creditsUsed: 1 });
  expect(events[4]).toMatchObject({ code: "SCRAPE_ALL_ENGINES_FAILED", creditsUsed: 0 });
  expect(events[5]).not.toHaveProperty("url");
  const text = JSON.stringify(events);
  expect(text).not.toContain("Secretive");
  expect(text).not.toContain(team.headers.authorization.slice("Bearer ".length));
});

test("an event is kept before what it tells is answered", async () => {
  const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
  const count = async () =>
    (await database.prepared<{ events: number }>("SELECT count(*) AS events FROM audit_events").get())
      ?.events;
  const team = await makeTeam(world);
  const url = world.site.url("/page");
  await team.scrape({ url });
  for (let turn = 0; turn < 5; turn += 1) {
    const before = (await count()) ?? 0;
    await operate(world, `POST teams/${team.teamId}/keys`, { name: "x" });
    await team.scrape({ url, auditMetadata: { username: "ann" }, maxAge: turn % 2 });
    await team.scrape({ url, auditMetadata: { username: "bob" } });
    expect(await count()).toBe(before + 3);
  }
  await database.close();
});

test("events that come at the same time are all kept, each once", async () => {
  const team = await makeTeam(world);
  const url = world.site.url("/page");
  const names = Array.from({ length: 40 }, (_scrape, index) => `user ${index}`);
  await Promise.all(names.map((username) => team.scrape({ url, auditMetadata: { username } })));
  const { events } = await audit(`team=${team.teamId}`);
  const logged = events.map(({ username }) => username).filter((username) => typeof username === "string");
  expect(logged.toSorted()).toEqual(names.toSorted());
});

test("the username shows in no answer, and a wrong one is refused", async () => {
  const team = await makeTeam(world);
  const url = world.site.url("/page");
  const { body } = await team.scrape({ url, auditMetadata: { username: "hidden-name" } });
  expect(JSON.stringify(body)).not.toContain("hidden-name");
  expect((await team.scrape({ url, auditMetadata: {} })).status).toBe(400);
});

test("the log is read page by page", async () => {
  const team = await makeTeam(world);
  for (const add of [1, 2]) await operate(world, `POST teams/${team.teamId}/credits`, { add });
  const first = await audit(`team=${team.teamId}&limit=2`);
  const rest = await audit(`team=${team.teamId}&limit=2&cursor=${String(first.next)}`);
  expect([first.events.length, rest.events.map(({ amount }) => amount)]).toEqual([2, [2]]);
  expect((await audit(`team=${team.teamId}&cursor=${String(rest.next)}`)).events).toEqual([]);
});

test("a collector gets every event, also those of the time when it did not answer", async () => {
  const received = () => collected.flatMap(({ text }) => eventsIn(text));
  const before = await makeTeam(world);
  const has = (teamId: string) => () => received().some((event) => event["teamId"] === teamId);
  await expect.poll(has(before.teamId), { timeout: 15_000 }).toBe(true);
  isCollecting = false;
  const meanwhile = await makeTeam(world);
  const tries = collector.hits("/events").length;
  await expect.poll(() => collector.hits("/events").length, { timeout: 15_000 }).toBeGreaterThan(tries);
  expect(has(meanwhile.teamId)()).toBe(false);
  isCollecting = true;
  await expect.poll(has(meanwhile.teamId), { timeout: 15_000 }).toBe(true);
  expect(new Set(collected.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer collector-key"]),
  );
  const ids = received().map(({ id }) => String(id));
  expect(ids).toEqual(ids.toSorted());
}, 60_000);
