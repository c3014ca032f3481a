import { describe, expect, test } from "vitest";

import { linkPage } from "./crawls.ts";
import { KEYED, makeTeam, operate } from "./operator.ts";
import { type RunAnswer, RunClient } from "./runs.ts";
import { useWorld } from "./use-world.ts";

const PAGES = 40;

const world = useWorld({ ...KEYED, HOST_CONCURRENCY: "1" });

/** A site of its own for each test, which answers slowly and counts its visits. */
function slowSite(name: string) {
  let visits = 0;
  const paths = Array.from({ length: PAGES }, (_page, number) => `/${name}/${number}`);
  const urls = paths.map((path) =>
    world.site.page(path, (_request, response) => {
      visits += 1;
      setTimeout(() => response.end(linkPage(path, paths)), 20);
    }),
  );
  return { urls, visits: () => visits };
}

async function makeKey() {
  const { teamId } = await makeTeam(world, { credits: 1000 });
  const { keyId, apiKey } = (await operate(world, `POST teams/${teamId}/keys`, { name: "of jobs" })).body;
  const runs = new RunClient(world, { authorization: `Bearer ${apiKey}` });
  const used = async () => {
    const { data } = (await operate(world, `GET teams/${teamId}/ledger?limit=1000`)).body;
    return data.filter(({ to }) => to === "used").length;
  };
  return { teamId, keyId, runs, used };
}

type Ended = Awaited<ReturnType<typeof makeKey>>;

const ENDS: readonly (readonly [string, (made: Ended) => Promise<unknown>])[] = [
  ["deleted key", ({ keyId }) => operate(world, `DELETE keys/${keyId}`)],
  ["banned key", ({ keyId }) => operate(world, `PATCH keys/${keyId}`, { restrictions: { banned: true } })],
  ["banned team", ({ teamId }) => operate(world, `PATCH teams/${teamId}`, { flags: { banned: true } })],
];

const JOBS: readonly (readonly [string, (urls: readonly string[]) => readonly [string, object]])[] = [
  ["crawl", ([url]) => ["/v2/crawl", { url, limit: PAGES, crawlEntireDomain: true }]],
  ["batch", (urls) => ["/v2/batch/scrape", { urls }]],
  ["fleeting batch", (urls) => ["/v2/batch/scrape", { urls, zeroDataRetention: true }]],
  ["extract", (urls) => ["/v2/extract", { urls: urls.slice(0, 10), schema: { type: "object" } }]],
];

describe.each(JOBS)("a %s", (kind, order) => {
  test.each(ENDS)("of a %s ends at once, and nothing is charged any more", async (end, endIt) => {
    const made = await makeKey();
    const site = slowSite(`${kind}-${end}`.replaceAll(" ", "-"));
    const [path, body] = order(site.urls);
    const started = await made.runs.ask(`POST ${path}`, body);
    expect(started.status).toBe(200);
    await expect.poll(site.visits, { timeout: 10_000 }).toBeGreaterThan(3);
    await endIt(made);
    const [charged, visited] = [await made.used(), site.visits()];
    const found = await world.app.families.runs.stores.find(started.body.id);
    expect(found?.job.state).toBe("cancelled");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await made.used()).toBe(charged);
    // One that was under way.
    expect(site.visits()).toBeLessThanOrEqual(visited + 1);
    const usage = await operate(world, `GET usage?team=${made.teamId}`);
    expect(usage.body.data).toMatchObject({ total: { failed: 0 }, errors: [] });
  });
});

test("runs of other keys of the team go on", async () => {
  const made = await makeKey();
  const { apiKey } = (await operate(world, `POST teams/${made.teamId}/keys`, { name: "other" })).body;
  const other = new RunClient(world, { authorization: `Bearer ${apiKey}` });
  const id = await other.batch({ urls: slowSite("others").urls.slice(0, 5) });
  await operate(world, `DELETE keys/${made.keyId}`);
  const ended: RunAnswer = await other.endedBatch(id);
  expect([ended.status, ended.completed]).toEqual(["completed", 5]);
});
