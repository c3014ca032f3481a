import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import type { RequestEntry } from "../packages/server/src/history/operator/show-request.ts";
import type { UsageAnswer } from "../packages/server/src/operator/usage/usage.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { htmlPage, openSite } from "./site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let team: TestTeam;

beforeAll(async () => {
  const upstream = await openSite();
  upstream.page("/say", (_request, response) => void response.end("{}"));
  const folder = testFolder();
  const PROVIDERS_FILE = join(folder, "providers.json");
  const options = { type: "object", properties: {}, additionalProperties: false };
  const request = { path: "/say" };
  const capability = { id: "say", description: "Says.", options, creditsCost: 3, request };
  const echo = { kind: "http", id: "echo", name: "Echo", description: "Echoes.", base: upstream.url("") };
  await writeFile(PROVIDERS_FILE, JSON.stringify({ providers: [{ ...echo, capabilities: [capability] }] }));
  world = await openWorld({ ...KEYED, PROVIDERS_FILE });
  const flags = { providerTools: true, termsAccepted: true };
  team = await makeTeam(world, { credits: 10_000, flags });
});

async function ask(path: string, body?: object, headers: object = team.headers): Promise<Response> {
  return fetch(world.baseUrl + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function usage(query: string): Promise<UsageAnswer["data"]> {
  const { body } = await operate(world, `GET usage?${query}`);
  return body.data as unknown as UsageAnswer["data"];
}

async function logged(query: string): Promise<readonly RequestEntry[]> {
  return (await operate(world, `GET requests?${query}`)).body.data as unknown as readonly RequestEntry[];
}

test("usage is the ledger, to the credit, whatever the work was", async () => {
  const { site } = world;
  const { body } = await team.scrape({ url: site.page("/a", htmlPage("<h1>A</h1>")) });
  await team.scrape({ url: site.page("/b", htmlPage("<h1>B</h1>")), formats: ["markdown", "summary"] });
  await team.scrape({ url: "http://nowhere.invalid/" });
  await ask("/v2/map", { url: site.url("/") });
  const say = { provider: "echo", capability: "say", options: {} };
  const tool = await ask("/v2/scrape", { alexandria: say, url: undefined });
  expect(tool.status).toBe(200);
  const session = `/v2/scrape/${body.data.metadata.scrapeId}/interact`;
  expect((await ask(session, { code: "1" })).status).toBe(200);
  await fetch(world.baseUrl + session, { method: "DELETE", headers: team.headers });

  const ledger = await operate(world, `GET teams/${team.teamId}/ledger?limit=1000`);
  const used = ledger.body.data.filter(({ to }) => to === "used");
  const charged = used.reduce((sum, { amount }) => sum + Number(amount), 0);
  const { total, groups } = await usage(`team=${team.teamId}&by=kind`);
  expect(total.credits).toBe(charged);
  const byKind = Object.fromEntries(groups.map(({ id, credits }) => [id, credits]));
  expect(byKind).toMatchObject({ tool: 3, map: 1, session: expect.any(Number) });
  expect(byKind["session"]).toBeGreaterThan(0);
  expect(groups.reduce((sum, { credits }) => sum + credits, 0)).toBe(charged);
  const kinds = (await logged(`team=${team.teamId}`)).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["scrape", "map", "tool", "session"]));
});

test("refused calls are counted and logged by their code, those without a key for no team", async () => {
  const poor = await makeTeam(world, { credits: 1 });
  const url = world.site.page("/poor", htmlPage("<h1>Poor</h1>"));
  expect((await poor.scrape({ url })).status).toBe(200);
  expect((await poor.scrape({ url: `${url}?2` })).status).toBe(402);
  expect((await poor.scrape({ url: `${url}?3` })).status).toBe(402);
  const { body } = await operate(world, `POST teams/${team.teamId}/keys`, {
    name: "maps",
    restrictions: { endpoints: ["map"] },
  });
  const narrow = { authorization: `Bearer ${body.apiKey}` };
  expect((await world.scrape({ url }, narrow)).status).toBe(403);
  const WRONG = "fc-00000000000000000000000000000000";
  expect((await world.scrape({ url }, { authorization: `Bearer ${WRONG}` })).status).toBe(401);
  // By whichever way a call comes: a tool that the key may not use, and somebody who may not watch.
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "scrape", arguments: { url } },
  };
  await fetch(`${world.baseUrl}/mcp`, {
    method: "POST",
    headers: { ...narrow, "content-type": "application/json" },
    body: JSON.stringify(call),
  });
  const watching = `${world.baseUrl.replace("http", "ws")}/v2/crawl/${randomUUID()}`;
  await once(new WebSocket(watching, { headers: { authorization: `Bearer ${WRONG}` } }), "close");

  await expect
    .poll(async () => (await usage(`team=${poor.teamId}`)).refusals)
    .toEqual([{ code: "insufficient_credits", count: 2 }]);
  expect((await usage(`team=${poor.teamId}`)).total).toMatchObject({ pages: 1, failed: 0, refused: 2 });
  expect((await usage(`team=${team.teamId}&key=${body.keyId}`)).refusals).toEqual([
    { code: "forbidden", count: 2 },
  ]);
  expect((await usage("by=team")).refusals).toEqual(
    expect.arrayContaining([{ code: "unauthorized", count: 2 }]),
  );
  const [refused] = await logged("code=insufficient_credits");
  expect(refused).toMatchObject({ kind: "refused", teamId: poor.teamId, url: "/v2/scrape", creditsUsed: 0 });
  const [stranger] = await logged("code=unauthorized");
  expect(stranger).toMatchObject({ kind: "refused", teamId: "", keyId: null });
  const detail = await operate(world, `GET requests/${stranger?.id}`);
  expect(JSON.stringify(detail.body)).toContain("Invalid token");
  expect(JSON.stringify(detail.body)).not.toContain(WRONG);
  const activity = await world.get("/v2/team/activity", poor.headers);
  expect(activity.body.data).toHaveLength(1);
});

test("work that fails is counted as that, and not as a refused call besides", async () => {
  const own = await makeTeam(world, {
    credits: 100,
    threatPolicy: { mode: "manual-only", blacklist: ["bad.test"] },
  });
  const { status } = await own.scrape({ url: "http://bad.test/" });
  expect(status).toBe(403);
  const { total, refusals } = await usage(`team=${own.teamId}`);
  expect([total.failed, refusals]).toEqual([1, []]);
});
