import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeAll, describe, expect, test, vi } from "vitest";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { callerOf } from "../packages/server/src/accounts/callers.ts";
import type { ProvidersAnswer } from "../packages/server/src/tools/operator/show-provider.ts";
import { runCli } from "../packages/server/src/cli/cli.ts";
import { addToolsCommand } from "../packages/server/src/tools/command.ts";
import type { Program } from "../packages/server/src/cli/program.ts";
import { expectDeclared } from "./declared.ts";
import { loseToolRequest } from "./lost-tool-request.ts";
import { ADMIN_KEY, KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const WORD = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };

let upstream: Site;
let world: World;
let team: TestTeam;
let settings: Readonly<Record<string, string>>;
const folder = testFolder();
/** Calls under way at the provider, and the most there were. */
let [running, most] = [0, 0];
let answers: (() => void)[] = [];

beforeAll(async () => {
  upstream = await openSite();
  upstream.page("/say", (_request, response) => response.end('{"said":true}'));
  upstream.page("/wait", (_request, response) => {
    running += 1;
    most = Math.max(most, running);
    answers.push(() => {
      running -= 1;
      response.end("{}");
    });
  });
  const file = join(folder, "providers.json");
  const capability = (id: string, more: object = {}) => ({
    id,
    description: "For tests.",
    options: WORD,
    creditsCost: 3,
    example: { word: "a" },
    request: { path: `/${id}` },
    ...more,
  });
  const shop = {
    id: "shop",
    name: "Shop",
    kind: "http",
    description: "For tests.",
    base: upstream.url(""),
    capabilities: [capability("say"), capability("wait"), capability("broken", { readOnly: true })],
  };
  await writeFile(file, JSON.stringify({ providers: [shop] }));
  settings = {
    ...KEYED,
    PROVIDERS_FILE: file,
    DATA_DIR: join(folder, "data"),
  };
  world = await openWorld(settings);
  ofTestFile.add("the world of now", () => world.close());
  team = await makeTeam(world, { credits: 1000, flags: { providerTools: true } });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly code: string;
    readonly chargeId: string;
    readonly data: {
      readonly alexandria: readonly { readonly error?: { readonly code: string } }[];
      readonly creditsCost: number;
    };
  };
}

async function ask(calls: object, requestId: string, who = team): Promise<Answer> {
  const answer = await fetch(`${world.baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { ...who.headers, "content-type": "application/json", "x-request-id": requestId },
    body: JSON.stringify({ alexandria: calls }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Answer["body"] };
}

const shop = (capability: string) => ({ provider: "shop", capability, options: { word: "a" } });

interface Operated {
  readonly status: number;
  readonly body: { readonly data: unknown; readonly error: string; readonly cursor: string | null };
}

async function operate(line: string, body?: object): Promise<Operated> {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${world.baseUrl}/admin/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const parsed = (await answer.json()) as Operated["body"];
  expectDeclared({ method, path: `/admin/api/${path}`, status: answer.status, body: parsed });
  return { status: answer.status, body: parsed };
}

/** Makes that a request looks as one does whose process died long ago. */
async function lose(requestId: string): Promise<string> {
  await ask(shop("say"), requestId);
  const again = (await operate("GET tool-requests?limit=1")).body.data as readonly { chargeId: string }[];
  const chargeId = again[0]?.chargeId ?? "";
  await loseToolRequest(settings["DATA_DIR"] ?? "", chargeId);
  return chargeId;
}

describe("a request that is unresolved", () => {
  test.each([
    ["charged", 3],
    ["released", 0],
  ] as const)("is ended by the operator as %s, for %i credits, once", async (outcome, credits) => {
    const chargeId = await lose(`lost-${outcome}`);
    expect((await ask(shop("say"), `lost-${outcome}`)).body).toMatchObject({
      code: "request_unresolved",
      chargeId,
    });
    const [before, hits] = [await team.remaining(), upstream.hits("/say").length];
    const resolved = await operate(`POST tool-requests/${chargeId}/resolve`, { outcome });
    expect(resolved.body.data).toMatchObject({
      chargeId,
      state: "completed",
      calls: [{ provider: "shop", capability: "say" }],
    });
    const { status, body } = await ask(shop("say"), `lost-${outcome}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      alexandria: [{ error: { code: "outcome_unknown" } }],
      creditsCost: credits,
    });
    expect([await team.remaining(), upstream.hits("/say").length]).toEqual([before - credits, hits]);
    const again = await operate(`POST tool-requests/${chargeId}/resolve`, { outcome });
    expect([again.status, again.body.error]).toEqual([
      400,
      "This request is completed, so it cannot be settled.",
    ]);
  });

  test("that is none, or still runs, cannot be resolved", async () => {
    expect((await operate(`POST tool-requests/none/resolve`, { outcome: "charged" })).status).toBe(404);
    expect((await operate(`POST tool-requests/none/resolve`, { outcome: "lost" })).status).toBe(400);
    const waiting = ask(shop("wait"), "waiting");
    await expect.poll(() => answers.length).toBe(1);
    const [row] = (await operate("GET tool-requests?state=running&limit=1")).body.data as {
      chargeId: string;
    }[];
    const early = await operate(`POST tool-requests/${row?.chargeId}/resolve`, { outcome: "charged" });
    expect(early.status).toBe(409);
    for (const answer of answers.splice(0)) answer();
    expect((await waiting).status).toBe(200);
  });
});

test("requests are listed page by page, newest first, of one team if requested", async () => {
  await ask(shop("say"), "listed-1");
  await ask([shop("say"), shop("broken")], "listed-2");
  const first = (await operate(`GET tool-requests?team=${team.teamId}&limit=1`)).body;
  expect(first.data).toMatchObject([
    {
      state: "completed",
      quote: 6,
      calls: [{ capability: "say" }, { capability: "broken" }],
      keyId: expect.any(String),
    },
  ]);
  const second = (await operate(`GET tool-requests?limit=1&cursor=${first.cursor}`)).body;
  expect(second.data).toMatchObject([{ quote: 3, isReadOnly: false }]);
  expect((await operate("GET tool-requests?team=nobody")).body).toMatchObject({ data: [], cursor: null });
});

async function providers(): Promise<ProvidersAnswer["data"]> {
  return (await operate("GET providers")).body.data as ProvidersAnswer["data"];
}

test("providers are listed, and their tools tried at no cost, or at that of a team", async () => {
  const listed = await providers();
  expect(listed).toMatchObject({ isOnByDefault: false, file: settings["PROVIDERS_FILE"] });
  expect(listed.providers.find(({ id }) => id === "shop")).toMatchObject({
    isOwn: true,
    status: "ready",
    tools: [{ id: "say", creditsCost: 3, readOnly: false, example: { word: "a" } }, {}, {}],
  });
  expect(listed.providers.find(({ id }) => id === "wikipedia")?.isOwn).toBe(false);
  const before = await team.remaining();
  const tried = await operate("POST providers/shop/try", { capability: "say" });
  expect(tried.body.data).toMatchObject({ result: { data: { said: true } }, creditsUsed: 0 });
  expect(await team.remaining()).toBe(before);
  const paid = await operate("POST providers/shop/try", { capability: "say", teamId: team.teamId });
  expect(paid.body.data).toMatchObject({ result: { data: { said: true } }, creditsUsed: 3 });
  expect(await team.remaining()).toBe(before - 3);
  for (const teamId of [{}, { teamId: team.teamId }]) {
    expect((await operate("POST providers/shop/try", { capability: "none", ...teamId })).status).toBe(404);
    const wrong = await operate("POST providers/shop/try", { capability: "say", options: {}, ...teamId });
    expect(wrong.body.data).toMatchObject({ result: { error: { code: "invalid_options" } }, creditsUsed: 0 });
  }
});

describe("pergamon tools", () => {
  /** Runs it over the service of this test. @returns the exit code and what it printed. */
  async function command(...args: readonly string[]): Promise<readonly [number, string]> {
    let printed = "";
    const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const { tools: services, team: defaultTeam } = world.app;
    const bench = { services, caller: callerOf(defaultTeam), close: async () => undefined };
    try {
      process.exitCode = 0;
      const createProgram = () => ({ openTools: async () => bench }) as unknown as Program;
      await runCli(["tools", ...args], { commands: [addToolsCommand], createProgram, version: "0" });
      return [process.exitCode, printed];
    } finally {
      process.exitCode = undefined;
      write.mockRestore();
    }
  }

  test("list shows what every provider offers", async () => {
    const [code, printed] = await command("list");
    expect(code).toBe(0);
    expect(printed).toContain(
      "shop  Shop\n  say  3 credits\n  wait  3 credits\n  broken  3 credits, read-only\n",
    );
    expect(printed).toContain("wikipedia  Wikipedia\n");
  });

  test("try calls a tool with its example or with options, at no cost, and tells failure by its code", async () => {
    const before = await team.remaining();
    const [code, printed] = await command("try", "shop", "say");
    expect([code, JSON.parse(printed)]).toMatchObject([0, { capability: "say", data: { said: true } }]);
    const [failed, reason] = await command("try", "shop", "say", '{"word":1}');
    expect([failed, JSON.parse(reason)]).toMatchObject([1, { error: { code: "invalid_options" } }]);
    expect(await team.remaining()).toBe(before);
  });

  test("check tries the examples of what only reads, and counts what works", async () => {
    const hits = upstream.hits("/say").length;
    expect(await command("check", "shop")).toEqual([
      1,
      "shop broken  FAILED  upstream_error: The provider answered with status 404.\n0 of 1 work.\n",
    ]);
    expect(upstream.hits("/say")).toHaveLength(hits);
    const [code, printed] = await command("check", "firecrawl");
    expect([code, printed]).toEqual([0, "firecrawl find-tools  ok\n1 of 1 work.\n"]);
  });
});

test("the audit log has a line for each call, without what was asked", async () => {
  await ask([shop("say"), shop("broken")], "audited");
  const lines = await world.app.audit.read({ teamId: team.teamId, count: 1000 });
  const events = lines.map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  expect(events.slice(-2)).toMatchObject([
    { kind: "tool", provider: "shop", capability: "say", creditsUsed: 3, outcome: "ok" },
    { kind: "tool", capability: "broken", creditsUsed: 0, outcome: "upstream_error" },
  ]);
  expect(events.at(-1)).not.toHaveProperty("options");
});

test("calls take places of their team; what scrapes takes those of its scrapes", async () => {
  const narrow = await makeTeam(world, {
    credits: 100,
    flags: { providerTools: true },
    limits: { concurrency: 1 },
  });
  most = 0;
  const both = ask([shop("wait"), shop("wait")], "places", narrow);
  for (const count of [1, 2]) {
    await expect.poll(() => answers.length).toBe(1);
    for (const answer of answers.splice(0)) answer();
    expect(count).toBeLessThanOrEqual(2);
  }
  expect((await both).body.data.creditsCost).toBe(6);
  expect(most).toBe(1);
  const url = world.site.page("/own", "<title>Own</title>");
  const own = { provider: "pergamon", capability: "page-metadata", options: { url } };
  expect((await ask([own, own], "own-places", narrow)).body.data).toMatchObject({
    alexandria: [{ data: { title: "Own" } }, { data: { title: "Own" } }],
  });
});

test("after a restart the same bytes are answered, and nothing is called or charged", async () => {
  const first = await ask(shop("say"), "kept");
  const hits = upstream.hits("/say").length;
  await world.close();
  world = await openWorld(settings);
  const again = await ask(shop("say"), "kept");
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(upstream.hits("/say")).toHaveLength(hits);
});
