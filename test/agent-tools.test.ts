import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type AgentModel, call, done, NEVER, startAgentModel } from "./agent-model.ts";
import { AgentClient, chargedOf } from "./agents.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { openReceiver } from "./receiver.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

/** Two tools of a provider: one costs credits, and the terms of the other were never accepted. */
function providersAt(base: string): object {
  const shared = { kind: "http", base, description: "Tides of harbours." };
  const options = { type: "object", properties: { harbour: { type: "string" } }, required: ["harbour"] };
  const tides = {
    id: "tides",
    description: "Tides of a harbour.",
    options,
    request: { path: "/tides/{harbour}" },
  };
  return {
    providers: [
      { ...shared, id: "sea", name: "Sea", cohorts: ["tides"], capabilities: [{ ...tides, creditsCost: 3 }] },
      {
        ...shared,
        id: "licensed",
        name: "Licensed",
        terms: { text: "Be kind.", version: "1" },
        capabilities: [tides],
      },
    ],
  };
}

let folder: string;
let model: AgentModel;
let upstream: Site;
let world: World;
let team: TestTeam;
let agents: AgentClient;
let number = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-tools-"));
  model = await startAgentModel();
  const file = join(folder, "providers.json");
  upstream = await openSite();
  upstream.page("/tides/elmstad", (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ high: "04:12" }));
  });
  await writeFile(file, JSON.stringify(providersAt(new URL(upstream.url("/")).origin)));
  const settings = { ...KEYED, ...model.settings, PROVIDERS_FILE: file, WEBHOOK_RETRY_SECONDS: "1,1,1" };
  world = await openWorld(settings);
  team = await makeTeam(world, { credits: 10_000, flags: { providerTools: true } });
  agents = new AgentClient(world, team.headers);
});

afterAll(async () => {
  await world.close();
  await upstream.close();
  model.close();
  await rm(folder, { recursive: true, force: true });
});

/** A word that no other prompt has. */
function word(): string {
  return `tool${(number += 1)}.`;
}

const TIDES = { provider: "sea", capability: "tides", options: { harbour: "elmstad" } };

describe("tools of providers", () => {
  test("are found and called on the account of the run", async () => {
    const task = word();
    model.play(task, [
      call("find_tools", { query: "tides" }),
      call("call_tool", TIDES),
      ({ user }) => done(/"high":"([^"]+)"/.exec(user)?.[1] ?? "not shown"),
    ]);
    const ended = await agents.run({ prompt: task, exchange: { enabled: true, toolkits: ["tides"] } });
    expect(ended).toMatchObject({ status: "completed", data: "04:12", creditsUsed: 6 });
    expect(ended.exchange).toMatchObject({
      enabled: true,
      toolkits: ["tides"],
      paidCalls: 1,
      creditsUsed: 3,
    });
    expect(await chargedOf(world, ended.runId)).toBe(6);
  });

  test("of other toolkits, with terms that nobody accepted, and of this service are not called", async () => {
    const task = word();
    model.play(task, [
      call("call_tool", TIDES),
      call("call_tool", { ...TIDES, provider: "licensed" }),
      call("call_tool", {
        provider: "firecrawl",
        capability: "terms/accept",
        options: { provider: "licensed" },
      }),
      done("nothing"),
    ]);
    const ended = await agents.run({ prompt: task, exchange: { toolkits: ["licensed"] } });
    const { user } = model.shown.at(-1) ?? { user: "" };
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 4 });
    expect(user.match(/not among the toolkits/g)).toHaveLength(2);
    expect(user).toContain("terms");
  });

  test("are not offered where they are off, or only named pages may be visited", async () => {
    const task = word();
    model.play(task, [({ system }) => done(system.includes("call_tool") ? "offered" : "not offered")]);
    expect((await agents.run({ prompt: task, exchange: { enabled: false } })).data).toBe("not offered");
    expect((await agents.run({ prompt: task })).data).toBe("offered");
    const others = new AgentClient(world, (await makeTeam(world, { credits: 10 })).headers);
    expect((await others.run({ prompt: task })).data).toBe("not offered");
  });

  test("wait for approval where that is wanted, and the next turn of the thread has it", async () => {
    const [first, second] = [word(), word()];
    model.play(first, [call("call_tool", TIDES)]);
    model.play(second, [call("call_tool", TIDES), done("04:12")]);
    const exchange = { requireApproval: true };
    const waiting = await agents.run({ prompt: first, exchange });
    expect(waiting).toMatchObject({
      status: "completed",
      creditsUsed: 1,
      pendingApproval: {
        kind: "calls",
        resolution: null,
        calls: [{ provider: "sea", capability: "tides", input: TIDES.options, creditsEstimate: 3 }],
      },
    });
    const { threadId } = waiting;
    const approve = { approvalId: waiting.pendingApproval.id };
    const wrong = await agents.ask("POST /v2/agent", {
      prompt: second,
      threadId,
      exchange: { approve: { approvalId: "x" } },
    });
    expect(wrong.status).toBe(400);
    const allowed = await agents.run({ prompt: second, threadId, exchange: { approve } });
    expect(allowed).toMatchObject({ status: "completed", data: "04:12", creditsUsed: 5 });
    const { thread } = (await agents.ask(`GET /v2/agent/threads/${threadId}`)).body;
    expect(thread.runs[0]?.["pendingApproval"]).toMatchObject({
      resolution: { approved: true, callIds: ["1"], byRunId: allowed.runId },
    });
    expect(
      (await agents.ask("POST /v2/agent", { prompt: second, threadId, exchange: { approve } })).status,
    ).toBe(400);
  });
});

describe("webhooks", () => {
  test("tell the start, each action, and the end with its answer", async () => {
    const receiver = await openReceiver();
    try {
      const task = word();
      const url = world.site.page("/told", htmlPage("<main><h1>Told</h1></main>"));
      model.play(task, [call("scrape", { url }), done({ title: "Told" })]);
      const id = await agents.start({ prompt: task, webhook: receiver.url });
      await expect.poll(() => receiver.types().at(-1), { timeout: 10_000 }).toBe("agent.completed");
      expect(receiver.delivered.map(({ type, success, data }) => ({ type, success, data }))).toEqual([
        { type: "agent.started", success: true, data: [] },
        { type: "agent.action", success: true, data: [{ creditsUsed: 2, action: "scrape", input: { url } }] },
        { type: "agent.completed", success: true, data: [{ creditsUsed: 3, data: { title: "Told" } }] },
      ]);
      expect(new Set(receiver.delivered.map((event) => event.id))).toEqual(new Set([id]));
    } finally {
      await receiver.close();
    }
  });

  test("tell failures and cancellations with what they cost", async () => {
    const receiver = await openReceiver();
    try {
      const [failing, endless] = [word(), word()];
      model.play(failing, [call("nothing", {})]);
      model.play(endless, [NEVER]);
      const webhook = { url: receiver.url, events: ["failed", "cancelled"] };
      await agents.run({ prompt: failing, webhook });
      await expect.poll(receiver.types, { timeout: 10_000 }).toEqual(["agent.failed"]);
      const id = await agents.start({ prompt: endless, webhook });
      await agents.ask(`DELETE /v2/agent/${id}`);
      await expect.poll(receiver.types, { timeout: 10_000 }).toEqual(["agent.failed", "agent.cancelled"]);
      for (const { success, data, error } of receiver.delivered)
        expect([success, data, typeof error]).toEqual([false, [{ creditsUsed: 0 }], "string"]);
    } finally {
      await receiver.close();
    }
  });
});

test("a key that is revoked ends the run, and a team that is erased leaves nothing of it", async () => {
  const own = await makeTeam(world, { credits: 100 });
  const client = new AgentClient(world, own.headers);
  const task = word();
  const hanging = world.site.page("/hanging", () => undefined);
  model.play(task, [done("x")]);
  await client.run({ prompt: task });
  const { database } = world.app.families.agent.places.lasting;
  const left = () =>
    database
      .prepared<{ count: number }>("SELECT count(*) AS count FROM agent_runs WHERE team_id = ?")
      .get(own.teamId);
  expect(await left()).toMatchObject({ count: 1 });
  expect(hanging).not.toBe("");
  await world.app.accounts.credits.flush();
  await operate(world, `DELETE teams/${own.teamId}`);
  expect(await left()).toMatchObject({ count: 0 });
});

test("idempotency keys, restrictions of keys, and teams of which nothing may be kept", async () => {
  const task = word();
  model.play(task, [done("x")]);
  const headers = { "x-idempotency-key": crypto.randomUUID() };
  expect((await agents.ask("POST /v2/agent", { prompt: task }, headers)).status).toBe(200);
  expect((await agents.ask("POST /v2/agent", { prompt: task }, headers)).status).toBe(409);
  const quiet = await makeTeam(world, { credits: 10, flags: { zeroDataRetention: "forced" } });
  const refused = await new AgentClient(world, quiet.headers).ask("POST /v2/agent", { prompt: task });
  expect([refused.status, refused.body.error.startsWith("Zero data retention is not supported on")]).toEqual([
    400,
    true,
  ]);
  const poor = new AgentClient(world, (await makeTeam(world, { credits: 0 })).headers);
  expect((await poor.ask("POST /v2/agent", { prompt: task })).status).toBe(402);
});

test("credits of the team that run out end the run, exactly", async () => {
  const own = await makeTeam(world, { credits: 5 });
  const task = word();
  const url = world.site.page("/counted", htmlPage("<main><h1>Counted</h1></main>"));
  model.play(
    task,
    Array.from({ length: 9 }, (_, index) => call("scrape", { url: `${url}?${index}` })),
  );
  const ended = await new AgentClient(world, own.headers).run({ prompt: task });
  expect(ended).toMatchObject({
    status: "failed",
    error: "Stopped: the credits are used up.",
    creditsUsed: 5,
  });
  expect([await own.remaining(), await chargedOf(world, ended.runId)]).toEqual([0, 5]);
});

describe("a browser", () => {
  test("works on a page that was read, is paid for by the step, and can be watched", async () => {
    const task = word();
    const url = world.site.page(
      "/form",
      htmlPage(`<main><h1>Form</h1><button onclick="document.title='Pressed'">Press</button></main>`),
    );
    model.play(task, [
      call("interact", { url, task: "Press the button" }),
      call("scrape", { url }),
      call("interact", { url, task: "Press the button" }),
      done("pressed"),
    ]);
    // The prompt on the page is a question of its own kind.
    model.play("Press the button", [{ tool: "done", text: "It is pressed.", success: true }]);
    const ended = await agents.run({ prompt: task, maxCredits: 100 });
    const { user } = model.shown.at(-1) ?? { user: "" };
    expect(user).toContain("This page was not read yet. Scrape it first.");
    expect(user).toContain("It is pressed.");
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 4 + 1 + 7 });
    expect(await chargedOf(world, ended.runId)).toBe(12);
    const { body } = await agents.ask(`GET /v2/agent/${ended.runId}/trace`);
    expect(body.events.map(({ type }) => type)).toContain("browser.session.finished");
  }, 60_000);
});
