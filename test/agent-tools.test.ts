import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { agent } from "../packages/server/src/agent/agent.ts";
import { KeptJobs } from "../packages/server/src/jobs/kept-jobs.ts";
import { type AgentModel, call, done, NEVER, type Said, startAgentModel } from "./agent-model.ts";
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
      {
        id: "late",
        name: "Late",
        kind: "mcp",
        description: "Says what it offers when it is asked.",
        command: process.execPath,
        args: [
          "--conditions=pergamon-source",
          "--import",
          "tsx",
          join(import.meta.dirname, "mcp-program.ts"),
        ],
        capabilities: { echo: { creditsCost: 3 } },
      },
    ],
  };
}

interface TermsAction {
  readonly providers: readonly [{ readonly accept: object }];
}

const folder = testFolder();
let model: AgentModel;
let upstream: Site;
let world: World;
let team: TestTeam;
let agents: AgentClient;
let number = 0;

beforeAll(async () => {
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

/** A word that no other prompt has. */
function word(): string {
  return `tool${(number += 1)}.`;
}

const TIDES = { provider: "sea", capability: "tides", options: { harbour: "elmstad" } };

describe("tools of providers", () => {
  test("of one that was not asked yet what it offers wait for approval, and are bound to toolkits", async () => {
    const [waits, other] = [word(), word()];
    const echo = { provider: "late", capability: "echo", options: { word: "said" } };
    model.play(waits, [call("call_tool", echo)]);
    model.play(other, [call("call_tool", echo), done("nothing")]);
    const bound = agents.run({ prompt: other, exchange: { toolkits: ["tides"] } });
    const waiting = await agents.run({ prompt: waits, exchange: { requireApproval: true } });
    expect(waiting.pendingApproval).toMatchObject({ calls: [{ provider: "late", creditsEstimate: 3 }] });
    expect(await bound).toMatchObject({ data: "nothing", creditsUsed: 2 });
  });

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
    expect(await chargedOf(world, ended.jobId)).toBe(6);
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

  test("with terms that were not accepted are listed, and asked for where that is wanted", async () => {
    const [first, second] = [word(), word()];
    const licensed = { ...TIDES, provider: "licensed" };
    model.play(first, [call("call_tool", licensed), done("nothing")]);
    const skipped = { provider: "licensed", capability: "tides", adds: "because of call_tool" };
    const plain = await agents.run({ prompt: first, exchange: { onTermsRequired: "skip" } });
    expect(plain).toMatchObject({ status: "completed", data: "nothing", creditsUsed: 2 });
    expect(plain.exchange).toMatchObject({
      onTermsRequired: "skip",
      skippedProviders: [{ ...skipped, reason: "terms_required", version: "1" }],
    });
    expect(plain).not.toHaveProperty("pendingApproval");
    const asked = await agents.run({ prompt: first, exchange: { onTermsRequired: "ask" } });
    const { pendingApproval, threadId, exchange } = asked;
    expect(pendingApproval).toMatchObject({ kind: "terms", calls: [], terms: [skipped], resolution: null });
    const action = exchange["requiresAction"] as TermsAction;
    expect(action).toMatchObject({ type: "accept_terms", approvalId: pendingApproval.id });
    const [{ accept }] = action.providers;
    const accepted = await fetch(`${world.baseUrl}/v2/scrape`, {
      method: "POST",
      headers: { ...team.headers, "content-type": "application/json" },
      body: JSON.stringify({ alexandria: accept }),
    });
    expect(accepted.status).toBe(200);
    model.play(second, [
      call("call_tool", licensed),
      ({ user }) => done(/"high":"([^"]+)"/.exec(user)?.[1] ?? user),
    ]);
    const approve = { approvalId: pendingApproval.id };
    const after = await agents.run({ prompt: second, threadId, exchange: { approve } });
    expect(after).toMatchObject({ status: "completed", data: "04:12" });
    expect(after.exchange).not.toHaveProperty("skippedProviders");
    expect(model.shown.at(-1)?.user).toContain('The user accepted the terms of: "licensed".');
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
      resolution: { approved: true, callIds: ["1"], byRunId: allowed.jobId },
    });
    expect(
      (await agents.ask("POST /v2/agent", { prompt: second, threadId, exchange: { approve } })).status,
    ).toBe(400);
  });
});

test("turns of a thread come in pages of 10 MiB, in their order, none twice", async () => {
  const prompts = [word(), word(), word()];
  let threadId: string | undefined;
  for (const prompt of prompts) {
    model.play(prompt, [done("short")]);
    ({ threadId } = await agents.run({ prompt, ...(threadId !== undefined && { threadId }) }));
  }
  const { database } = world.app.families.jobs.stores.persistent;
  await database
    .prepared("UPDATE agent_runs SET result = ? WHERE thread_id = ?")
    .run(JSON.stringify({ data: "x".repeat(4_000_000) }), threadId ?? "");
  const follow = async (path: string): Promise<readonly (readonly unknown[])[]> => {
    const { body } = await agents.ask(`GET ${path}`);
    const shown = body.thread.runs.map(({ prompt }) => prompt);
    expect(body.thread.runs.every(({ data }) => String(data).length === 4_000_000)).toBe(true);
    return [shown, ...("next" in body ? await follow(body.next) : [])];
  };
  expect(await follow(`/v2/agent/threads/${threadId}?includeData=true`)).toEqual([
    prompts.slice(0, 2),
    prompts.slice(2),
  ]);
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

/** A further key of a team, and who uses it. */
async function keyOf(teamId: string, restrictions: object = {}) {
  const { body } = await operate(world, `POST teams/${teamId}/keys`, { name: "further", restrictions });
  return {
    keyId: body.keyId,
    client: new AgentClient(world, { authorization: `Bearer ${body.apiKey}` }),
  };
}

/** Rows that are kept of one run, or of all runs of a team. */
async function keptRows(column: "run_id" | "team_id", id: string): Promise<readonly number[]> {
  const { database } = world.app.families.jobs.stores.persistent;
  const whose = `SELECT run_id FROM agent_runs WHERE ${column} = ?`;
  const condition = column === "run_id" ? "run_id = ?" : `run_id IN (${whose})`;
  const counts: number[] = [];
  for (const table of ["agent_runs", "agent_steps", "agent_snapshots"]) {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${condition}`;
    counts.push((await database.prepared<{ count: number }>(sql).get(id))?.count ?? 0);
  }
  return counts;
}

test.each<readonly [string, (url: string) => Said]>([
  ["while the model is asked", () => NEVER],
  ["while a page is read", (url) => call("scrape", { url })],
])("a key that is revoked %s ends the run at once, without a further charge", async (_when, second) => {
  const own = await makeTeam(world, { credits: 100 });
  const { keyId, client } = await keyOf(own.teamId);
  const task = word();
  const hanging = world.site.page(`/hanging-${task}`, () => undefined);
  const url = world.site.page(`/read-${task}`, htmlPage("<main><h1>Read</h1></main>"));
  model.play(task, [call("scrape", { url }), second(hanging), done("too late")]);
  const id = await client.start({ prompt: task });
  const isUnderWay = () =>
    second(hanging) === NEVER
      ? model.shown.filter(({ user }) => user.includes(task) && user.includes("Step 1: ")).length
      : world.site.hits(`/hanging-${task}`).length;
  await expect.poll(isUnderWay, { timeout: 10_000 }).toBeGreaterThan(0);
  expect((await operate(world, `DELETE keys/${keyId}`)).status).toBe(200);
  const ended = await new AgentClient(world, own.headers).ended(id);
  expect(ended).toMatchObject({ status: "cancelled", creditsUsed: 2 });
  expect([await chargedOf(world, id), await own.remaining()]).toEqual([2, 98]);
  expect((await client.ask("POST /v2/agent", { prompt: task })).status).toBe(401);
});

test("a team that is erased leaves nothing of its runs", async () => {
  const own = await makeTeam(world, { credits: 100 });
  const task = word();
  model.play(task, [done("x")]);
  await new AgentClient(world, own.headers).run({ prompt: task });
  expect((await keptRows("team_id", own.teamId))[0]).toBe(1);
  await world.app.credits.flush();
  await operate(world, `DELETE teams/${own.teamId}`);
  expect(await keptRows("team_id", own.teamId)).toEqual([0, 0, 0]);
});

test("a key starts and reads agents only where its endpoints have them", async () => {
  const own = await makeTeam(world, { credits: 100 });
  const able = await keyOf(own.teamId, { endpoints: ["agent"] });
  const narrow = await keyOf(own.teamId, { endpoints: ["scrape", "search", "crawl"] });
  const task = word();
  model.play(task, [done("x")]);
  const { jobId, status } = await able.client.run({ prompt: task });
  expect(status).toBe("completed");
  for (const line of [
    "POST /v2/agent",
    "GET /v2/agent",
    `GET /v2/agent/${jobId}`,
    `DELETE /v2/agent/${jobId}`,
  ]) {
    const refused = await narrow.client.ask(line, line.startsWith("POST") ? { prompt: task } : undefined);
    expect([line, refused.status, refused.body.error]).toEqual([
      line,
      403,
      expect.stringContaining("restricted"),
    ]);
  }
  expect(await own.remaining()).toBe(99);
});

test("a run that began 15 minutes ago makes no further step, and one under way is ended", async () => {
  const { database, clock } = world.app.families.jobs.stores.persistent;
  const ids = new Map<string, Promise<string>>();
  /** A page that sets back the start of the run that reads it. */
  const beganAgo = (ms: number, task: string) =>
    world.site.page(`/late-${task}`, async (_request, response) => {
      const began = "UPDATE agent_runs SET started_at = ? WHERE run_id = ?";
      await database.prepared(began).run(clock.now() - ms, (await ids.get(task)) ?? "");
      response.end(htmlPage("<main><h1>Late</h1></main>"));
    });
  const [over, nearly] = [word(), word()];
  model.play(over, [call("scrape", { url: beganAgo(15 * 60_000, over) }), done("wrong")]);
  model.play(nearly, [
    call("scrape", { url: beganAgo(15 * 60_000 - 1500, nearly) }),
    ({ user }) => (user.includes("The time is nearly over.") ? NEVER : done("wrong")),
  ]);
  for (const task of [over, nearly]) ids.set(task, agents.start({ prompt: task }));
  for (const started of ids.values()) {
    const id = await started;
    expect(await agents.ended(id)).toMatchObject({
      status: "failed",
      error: "The agent had no answer within 15 minutes.",
      creditsUsed: 2,
    });
    expect(await chargedOf(world, id)).toBe(2);
  }
});

test("what is kept of a run is deleted when the time for which it can be read is over", async () => {
  const { database, clock, retentionMs } = world.app.families.jobs.stores.persistent;
  const task = word();
  const url = world.site.page("/pruned", htmlPage("<main><h1>Pruned</h1></main>"));
  model.play(task, [call("scrape", { url }), done("x")]);
  const { jobId, threadId } = await agents.run({ prompt: task });
  const ended = "UPDATE job_runs SET ended_at = ? WHERE id = ?";
  const prune = () =>
    new KeptJobs({ database, clock, tables: agent.tables, retentionMs: () => retentionMs }).prune();
  await database.prepared(ended).run(clock.now() - retentionMs + 60_000, jobId);
  await prune();
  expect((await agents.ask(`GET /v2/agent/${jobId}`)).body).toMatchObject({ status: "completed", data: "x" });
  expect((await keptRows("run_id", jobId)).slice(0, 2)).toEqual([1, 2]);
  await database.prepared(ended).run(clock.now() - retentionMs - 1, jobId);
  const gone = async () => [
    (await agents.ask(`GET /v2/agent/${jobId}`)).status,
    (await agents.ask(`GET /v2/agent/${jobId}/trace`)).status,
    (await agents.ask(`GET /v2/agent/threads/${threadId}`)).status,
  ];
  expect(await gone()).toEqual([404, 404, 404]);
  await prune();
  expect(await keptRows("run_id", jobId)).toEqual([0, 0, 0]);
  expect(await gone()).toEqual([404, 404, 404]);
});

test("idempotency keys, and teams without credits", async () => {
  const task = word();
  model.play(task, [done("x")]);
  const headers = { "x-idempotency-key": crypto.randomUUID() };
  expect((await agents.ask("POST /v2/agent", { prompt: task }, headers)).status).toBe(200);
  expect((await agents.ask("POST /v2/agent", { prompt: task }, headers)).status).toBe(409);
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
  expect([await own.remaining(), await chargedOf(world, ended.jobId)]).toEqual([0, 5]);
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
    expect(user).toContain("You have not read this page yet. Scrape it first.");
    expect(user).toContain("It is pressed.");
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 4 + 1 + 7 });
    expect(await chargedOf(world, ended.jobId)).toBe(12);
    const { body } = await agents.ask(`GET /v2/agent/${ended.jobId}/trace`);
    expect(body.events.map(({ type }) => type)).toContain("browser.session.finished");
  }, 60_000);
});

test("the activity of a team has extracts, agents, sessions and parsed files, by their names and targets", async () => {
  const own = await makeTeam(world, { credits: 1000 });
  const client = new AgentClient(world, own.headers);
  const task = word();
  const url = world.site.page(
    "/lighthouses",
    htmlPage("<main><h1>Lighthouses</h1><p>Two of them.</p></main>"),
  );
  model.play(task, [call("scrape", { url: `${url}?agent` }), done("two")]);
  await client.run({ prompt: task });
  const schema = { type: "object", properties: { title: { type: "string" } } };
  await client.ask("POST /v2/extract", { urls: [`${url}?extract`], schema });
  const { body } = await own.scrape({ url: `${url}?interact` });
  const session = `/v2/scrape/${body.data.metadata.scrapeId}/interact`;
  expect((await client.ask(`POST ${session}`, { code: "1" })).status).toBe(200);
  await client.ask(`DELETE ${session}`);
  const opened = await client.ask("POST /v2/browser", {});
  await client.ask(`DELETE /v2/browser/${opened.body.id}`);
  const form = new FormData();
  form.set("file", new File(["<h1>Sent</h1>"], "sent.html", { type: "text/html" }));
  const parsed = await fetch(`${world.baseUrl}/v2/parse`, {
    method: "POST",
    headers: own.headers,
    body: form,
  });
  expect(parsed.status).toBe(200);

  const listed = async (query: string) => {
    const { body: page } = await world.get(`/v2/team/activity?limit=100${query}`, own.headers);
    return page.data as unknown as readonly { readonly endpoint: string; readonly target: string }[];
  };
  const targets: Readonly<Record<string, string>> = {
    agent: `${url}?agent`,
    extract: `${url}?extract`,
    interact: `${url}?interact`,
    browser: "",
    parse: expect.stringContaining("sent.html") as string,
  };
  for (const [endpoint, target] of Object.entries(targets))
    await expect.poll(() => listed(`&endpoint=${endpoint}`)).toMatchObject([{ endpoint, target }]);
  const names = (await listed("")).map(({ endpoint }) => endpoint).toSorted((a, b) => a.localeCompare(b));
  expect(names).toEqual(["agent", "browser", "extract", "interact", "parse", "scrape"]);
}, 60_000);
