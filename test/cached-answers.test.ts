import { beforeAll, beforeEach, expect, test, vi } from "vitest";

import { CachedAnswers } from "../packages/server/src/scrape/cached-answers.ts";
import { makeTeam, operate, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";
import type { Answer } from "./world.ts";

/** The first scrape fetches the page, the next one finds it, and the third one makes its bytes ready. */
const UNTIL_READY = 3;

const world = useSharedWorld("keyed");
let team: TestTeam;
let pages = 0;
const settled = vi.spyOn(CachedAnswers.prototype, "settle");

beforeAll(async () => {
  team = await makeTeam(world, { credits: 1000 });
});

beforeEach(() => void settled.mockClear());
function newPage(): string {
  pages += 1;
  return world.site.page(`/page-${pages}`, htmlPage(`<main><h1>Page ${pages}</h1><p>Ä text.</p></main>`));
}

async function scrapeTimes(count: number, body: unknown, who = team): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await who.scrape(body));
  return answers;
}

/** What is the same in every answer. */
function lasting({ status, headers, body }: Answer) {
  const { scrapeId: _id, ...metadata } = body.data.metadata;
  const own = new Set(["date", "x-response-time"]);
  const others = [...headers].filter(([name]) => !own.has(name));
  return { status, headers: others, body: { ...body, data: { ...body.data, metadata } } };
}

test("a ready answer is the usual one but for its id, is charged once, and stands in the history", async () => {
  const url = newPage();
  const before = await team.remaining();
  const [, second, ...others] = await scrapeTimes(6, { url, formats: ["markdown", "links"] });
  expect(settled).toHaveBeenCalledTimes(6 - UNTIL_READY);
  if (!second) throw new Error("There is no second answer.");
  for (const answer of others) expect(lasting(answer)).toEqual(lasting(second));
  expect(await team.remaining()).toBe(before - 6);
  const last = others.at(-1)?.body.data.metadata.scrapeId;
  const again = await world.get(`/v2/scrape/${last}`, team.headers);
  expect(again.body.data.markdown).toBe(second.body.data.markdown);
  const ids = new Set([second, ...others].map(({ body }) => body.data.metadata.scrapeId));
  expect(ids.size).toBe(5);
});

test("a copy that is removed, or newer, is not answered any more", async () => {
  const url = newPage();
  await scrapeTimes(UNTIL_READY + 1, { url });
  expect(settled).toHaveBeenCalledTimes(1);
  world.site.page(new URL(url).pathname, htmlPage("<main><h1>Changed</h1></main>"));
  await team.scrape({ url, maxAge: 0 });
  const [answer] = await scrapeTimes(1, { url });
  expect(answer?.body.data.markdown).toContain("Changed");
  await scrapeTimes(UNTIL_READY, { url });
  await world.app.services.cache.erase(team.teamId);
  const [fresh] = await scrapeTimes(1, { url });
  expect(fresh?.body.data.metadata.cacheState).toBe("miss");
});

test("who may not scrape, may not get a ready answer: other keys, other formats, spent credits, limits", async () => {
  const body = { url: newPage(), formats: ["html"] };
  await scrapeTimes(UNTIL_READY + 1, body);
  const { headers } = await world.scrape(body, { authorization: `Bearer fc-${"0".repeat(32)}` });
  expect(headers.get("www-authenticate")).toBe("Bearer");
  const poor = await makeTeam(world, { credits: 2 });
  const statuses = (await scrapeTimes(4, body, poor)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 402, 402]);
  const slow = await makeTeam(world, { credits: 10, limits: { requestsPerMinute: 2 } });
  expect((await scrapeTimes(3, body, slow)).map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(await slow.remaining()).toBe(8);
  const banned = await makeTeam(world, { credits: 10 });
  await scrapeTimes(1, body, banned);
  await operate(world, `PATCH teams/${banned.teamId}`, { flags: { banned: true } });
  expect((await banned.scrape(body)).status).toBe(403);
});

test("an answer from memory takes no turn of its team", async () => {
  const narrow = await makeTeam(world, { limits: { concurrency: 1 } });
  const url = newPage();
  const cacheState = async () => (await narrow.scrape({ url })).body.data.metadata.cacheState;
  await expect.poll(cacheState).toBe("hit");
  let answer: () => void = () => undefined;
  const held = world.site.page("/held", (_request, response) => {
    answer = () => response.end(htmlPage("<h1>Held</h1>"));
  });
  const running = narrow.scrape({ url: held, maxAge: 0 });
  await expect.poll(() => world.site.hits("/held").length).toBe(1);
  const [cached] = await scrapeTimes(1, { url }, narrow);
  expect(cached?.body.data.metadata).toMatchObject({ cacheState: "hit", concurrencyLimited: false });
  answer();
  await running;
});

test("scrapes are counted by result and cache", async () => {
  const url = newPage();
  const unreachable = "http://127.0.0.9:1/";
  const figures = () =>
    Promise.all(
      ['result="ok",cache="hit"', 'result="SCRAPE_ALL_ENGINES_FAILED",cache="none"'].map((labels) =>
        world.metric(`pergamon_scrapes_total{${labels}}`),
      ),
    );
  await scrapeTimes(UNTIL_READY, { url });
  await scrapeTimes(1, { url: unreachable });
  const [hits = 0, failures = 0] = await figures();
  await scrapeTimes(2, { url });
  await scrapeTimes(1, { url: unreachable });
  expect(await figures()).toEqual([hits + 2, failures + 1]);
});

test("what leaves nothing behind is never ready", async () => {
  const body = { url: newPage() };
  await scrapeTimes(UNTIL_READY + 1, body);
  settled.mockClear();
  const silent = await makeTeam(world, { credits: 100, flags: { zeroDataRetention: "forced" } });
  const answers = await scrapeTimes(UNTIL_READY + 1, body, silent);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await scrapeTimes(UNTIL_READY + 1, { url: body.url, headers: { "x-a": "b" } });
  expect(settled).not.toHaveBeenCalled();
});

test("a request that asks for more than the bytes gets it", async () => {
  const body = { url: newPage() };
  await scrapeTimes(UNTIL_READY + 1, body);
  settled.mockClear();
  const origin = await world.scrape(body, { ...team.headers, origin: "https://page.test" });
  expect(origin.headers.get("access-control-allow-origin")).toBe("*");
  await world.scrape(body, { ...team.headers, "x-firecrawl-agent-hints": "true" });
  expect(settled).not.toHaveBeenCalled();
});
