import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { runTools } from "../packages/server/src/tools/run-tools.ts";
import { processIdentity } from "../packages/kit/src/process/process-identity.ts";
import { leaseClockOf } from "../packages/server/src/storage/coordination/lease-clock.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { expectDeclared } from "./declared.ts";
import { KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SECRET = "hunter2-of+the/provider";
const FIND = { provider: "firecrawl", capability: "find-tools" };

/** Text options, as the interface's users declare them. */
const WORD = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};

let upstream: Site;
let world: World;
let team: TestTeam;
let file: string;

function providers(base: string): object {
  const shared = { kind: "http", base, description: "For tests." };
  const capability = (id: string, path: string, more: object = {}) => ({
    id,
    description: `Answers ${id}.`,
    options: WORD,
    request: { path },
    ...more,
  });
  return {
    providers: [
      {
        ...shared,
        id: "echo",
        name: "Echo",
        domains: ["echo.test", "127.0.0.1"],
        cohorts: ["sounds"],
        headers: { "x-api-key": { $secret: "ECHO" } },
        capabilities: [
          capability("say", "/say/{word}", {
            creditsCost: 2,
            response: { pick: { said: "deep.words.*.text" } },
          }),
          capability("half", "/say/{word}", {
            creditsCost: 0.5,
            options: { ...WORD, anyOf: [{ required: ["word"] }, { required: ["id"] }] },
          }),
          capability("list", "/list", {
            creditsCost: 1,
            perRecord: true,
            maxRecords: 5,
            response: { records: "items" },
          }),
          capability("slow", "/slow", { readOnly: true }),
          capability("stop", "/stop"),
          capability("stall", "/stall", { readOnly: true }),
          capability("broken", "/broken"),
          capability("huge", "/huge"),
          capability("away", "/away"),
          capability("post", "/post", { request: { method: "POST", path: "/post", body: ["word"] } }),
        ],
      },
      {
        ...shared,
        id: "licensed",
        name: "Licensed",
        domains: ["licensed.test"],
        terms: { text: "Be kind.", version: "1" },
        capabilities: [capability("say", "/say/{word}")],
      },
      {
        ...shared,
        id: "inside",
        name: "Inside",
        base: "http://10.0.0.1",
        capabilities: [capability("say", "/say/{word}")],
      },
      {
        ...shared,
        id: "rare",
        name: "Rare",
        rate: { perSecond: 0.01 },
        capabilities: [capability("say", "/say/{word}")],
      },
      { kind: "off", id: "crossref" },
    ],
  };
}

beforeAll(async () => {
  upstream = await openSite();
  const json = (path: string, value: unknown) =>
    upstream.page(path, (_request, response) => response.end(JSON.stringify(value)));
  json("/say/hello", { deep: { words: [{ text: "hello" }, { text: "you" }], secret: SECRET } });
  json("/say/a%2F..%2Fb", { isEncoded: true });
  upstream.page("/say/mirror", ({ headers }, response) => {
    const sent = String(headers["x-api-key"]);
    const basic = `Basic ${Buffer.from(`user:${sent}`).toString("base64")}`;
    const next = `/list?after=1&apikey=${encodeURIComponent(sent)}`;
    response.end(JSON.stringify({ sent, text: `You said ${sent}!`, next, basic, [sent]: 1 }));
  });
  json("/list", { items: [1, 2, 3] });
  upstream.page("/slow", (_request, response) => setTimeout(() => response.end('{"isSlow":true}'), 700));
  upstream.page("/stop", () => undefined);
  upstream.page("/stall", (_request, response) => {
    if (upstream.hits("/stall").length > 1) response.end('{"isStall":true}');
  });
  upstream.page("/broken", (_request, response) => response.writeHead(500).end(SECRET));
  upstream.page("/huge", (_request, response) => response.end(JSON.stringify("x".repeat(4 * 1024 * 1024))));
  upstream.page("/away", (_request, response) =>
    response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  );
  upstream.page("/post", (request, response) => void request.pipe(response));
  const folder = testFolder();
  file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify(providers(upstream.url("/").slice(0, -1))));
  const settings = { ...KEYED, PROVIDERS_FILE: file, PROVIDER_SECRETS: JSON.stringify({ ECHO: SECRET }) };
  world = await openWorld(settings);
  team = await makeTeam(world, { credits: 1000, flags: { providerTools: true } });
});

interface ToolAnswer {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
  readonly body: {
    readonly code: string;
    readonly error: string;
    readonly chargeId: string;
    readonly requiresAction: boolean;
    readonly details: { readonly version: string };
    readonly scrape_id: string;
    readonly data: { readonly alexandria: readonly Result[]; readonly creditsCost: number };
  };
}

interface Result {
  readonly data: Readonly<Record<string, unknown>> & { readonly items: readonly Item[] };
  readonly error: { readonly code: string; readonly message: string; readonly status?: number };
  readonly creditsCost: number;
}

interface Item {
  readonly id: string;
  readonly name: string;
}

async function post(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  who = team,
): Promise<ToolAnswer> {
  const answer = await fetch(`${world.baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { ...who.headers, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const requestId = answer.headers.get("x-request-id");
  return { status: answer.status, text, requestId, body: JSON.parse(text) as ToolAnswer["body"] };
}

/** Any form in which the secret can be read. */
function leakIn(text: string): string | undefined {
  const ofUser = Buffer.from(`user:${SECRET}`).toString("base64");
  return [SECRET, encodeURIComponent(SECRET), ofUser].find((form) => text.includes(form));
}

const echo = (capability: string, word: unknown = "hello") => ({
  provider: "echo",
  capability,
  options: { word },
});

async function result(call: object): Promise<Result> {
  const { body } = await post({ alexandria: call });
  const [first] = body.data.alexandria;
  if (!first) throw new Error("There is no result.");
  return first;
}

describe("A59 the body", () => {
  test.each([
    ["null", { alexandria: null }],
    ["no call", { alexandria: [] }],
    ["eleven calls", { alexandria: Array.from({ length: 11 }, () => FIND) }],
    ["a call without capability", { alexandria: { provider: "firecrawl" } }],
    ["a name of 201 characters", { alexandria: { ...FIND, provider: "x".repeat(201) } }],
    ["options that are a list", { alexandria: { ...FIND, options: [] } }],
    ["a version", { alexandria: { ...FIND, version: "1.0.0" } }],
    ["a timeout that is too short", { alexandria: FIND, timeout: 999 }],
    ["a timeout that is too long", { alexandria: FIND, timeout: 300_001 }],
    ["an address beside it", { alexandria: FIND, url: "https://a.test" }],
    ["formats beside it", { alexandria: FIND, formats: ["markdown"] }],
  ])("%s is a bad request", async (_what, body) => {
    const answer = await post(body);
    expect([answer.status, answer.body]).toMatchObject([400, { success: false, code: "BAD_REQUEST" }]);
  });

  test("options of more than 256 KB are refused in words", async () => {
    const { status, body } = await post({ alexandria: echo("say", "x".repeat(256 * 1024)) });
    expect([status, body.error]).toEqual([400, "Provider options exceed 256 KB."]);
  });

  test.each(["a b", "x".repeat(129), "é"])("the id %j is refused", async (id) => {
    const answer = await post({ alexandria: FIND }, { "x-request-id": id });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining("Invalid x-request-id"),
    ]);
  });

  test("one call and a list of ten are answered alike, in their order", async () => {
    const one = await post({
      alexandria: FIND,
      origin: "js-sdk@4.42.0",
      integration: null,
      timeout: 300_000,
    });
    expect([one.status, one.body.data.alexandria.length]).toEqual([200, 1]);
    const ten = await post({
      alexandria: Array.from({ length: 10 }, (_, index) => (index === 3 ? FIND : echo("say"))),
    });
    const names = ten.body.data.alexandria.map(
      (entry) => (entry as unknown as { capability: string }).capability,
    );
    expect(names).toEqual(Array.from({ length: 10 }, (_, index) => (index === 3 ? "find-tools" : "say")));
    expect(ten.body.data.creditsCost).toBe(18);
  });
});

test("no tool has to be called alone: all kinds answer beside each other", async () => {
  const licensed = { provider: "licensed" };
  const url = world.site.page("/alone", "<p>Alone</p>");
  const { status, body } = await post({
    alexandria: [
      FIND,
      { provider: "firecrawl", capability: "terms/show", options: licensed },
      { provider: "pergamon", capability: "page-links", options: { url } },
      echo("say"),
      echo("list"),
    ],
  });
  expect([status, body.data.alexandria.map(({ error }) => error)]).toEqual([200, Array(5).fill(undefined)]);
});

describe("who may not is told so, and nothing is executed:", () => {
  /** Calls of the provider so far. */
  const said = () => upstream.hits("/say/hello").length;

  test("whoever has no key", async () => {
    const before = said();
    const nobody = { ...team, headers: {} as TestTeam["headers"] };
    const { status, body } = await post({ alexandria: echo("say") }, {}, nobody);
    expect([status, body.error, said()]).toEqual([401, "Unauthorized", before]);
  });

  test("a team without the flag", async () => {
    const { status, body } = await post({ alexandria: FIND }, {}, await makeTeam(world, { credits: 10 }));
    expect([status, body]).toMatchObject([403, { code: "THIRD_PARTY_DATA_TERMS_REQUIRED" }]);
    expect(body.error).toContain("not enabled for this team");
  });

  test("a team of which nothing may be kept", async () => {
    const flags = { zeroDataRetention: "forced", providerTools: true } as const;
    const { status, body } = await post(
      { alexandria: FIND },
      {},
      await makeTeam(world, { credits: 10, flags }),
    );
    expect([status, body]).toMatchObject([403, { code: "THIRD_PARTY_DATA_TERMS_REQUIRED" }]);
    expect(body.error).toBe("Provider tools do not support zero data retention.");
  });

  test.each([
    [{ provider: "weather", capability: "find-tools" }],
    [{ provider: "firecrawl", capability: "forecast" }],
    [{ provider: "constructor", capability: "name" }],
  ])("whoever calls %j, even beside what there is", async (call) => {
    const before = upstream.hits("/say/hello").length;
    const { status, body } = await post({ alexandria: [echo("say"), call] });
    expect([status, body]).toMatchObject([404, { success: false, code: "unknown_provider" }]);
    expect(upstream.hits("/say/hello")).toHaveLength(before);
  });

  test("a team with too few credits; the same id works once it has more", async () => {
    const poor = await makeTeam(world, { credits: 1, flags: { providerTools: true } });
    const headers = { "x-request-id": "poor" };
    const { status, body } = await post({ alexandria: echo("say") }, headers, poor);
    expect([status, body]).toMatchObject([402, { code: "insufficient_credits" }]);
    expect(body.error).toBe("This request needs up to 2 credits reserved. No provider was executed.");
    expect((await post({ alexandria: echo("half") }, headers, poor)).status).toBe(200);
    expect(await poor.remaining()).toBe(0);
  });

  test("a team that has not accepted the terms, until it has", async () => {
    const call = { provider: "licensed", capability: "say", options: { word: "hello" } };
    const refused = await post({ alexandria: call }, { "x-request-id": "terms" });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        code: "THIRD_PARTY_DATA_TERMS_REQUIRED",
        requiresAction: true,
        details: { type: "accept_terms", version: "1" },
      },
    ]);
    const show = { provider: "firecrawl", capability: "terms/show", options: { provider: "licensed" } };
    const { data } = await result(show);
    expect(data).toMatchObject({ text: "Be kind.", version: "1" });
    const accept = (digest: unknown) => ({
      provider: "firecrawl",
      capability: "terms/accept",
      options: { provider: "licensed", version: "1", digest, confirmed: true },
    });
    expect((await result(accept("0".repeat(64)))).error.code).toBe("terms_changed");
    expect((await result(accept(data["digest"]))).data).toMatchObject({ provider: "licensed", version: "1" });
    expect((await post({ alexandria: call }, { "x-request-id": "terms" })).status).toBe(200);
    const other = await makeTeam(world, { credits: 9, flags: { providerTools: true } });
    expect((await post({ alexandria: call }, {}, other)).status).toBe(403);
    const trusted = await makeTeam(world, {
      credits: 9,
      flags: { providerTools: true, termsAccepted: true },
    });
    expect((await post({ alexandria: call }, {}, trusted)).status).toBe(200);
  });

  test("whoever calls a provider that the operator has turned off, even beside others", async () => {
    const before = said();
    const call = { provider: "crossref", capability: "search", options: { query: "Pergamon" } };
    const headers = { "x-request-id": "turned-off" };
    const { status, body } = await post({ alexandria: [echo("say"), call] }, headers);
    expect([status, body]).toMatchObject([403, { code: "THIRD_PARTY_DATA_TERMS_REQUIRED" }]);
    expect(body.error).toContain("turned this provider off");
    expect(body).not.toHaveProperty("requiresAction");
    expect(said()).toBe(before);
    const { data } = await result({ ...FIND, options: { providers: ["crossref"] } });
    expect(data.items).toEqual([]);
    expect((await post({ alexandria: echo("say") }, headers)).status).toBe(200);
  });

  test.each([
    [
      "terms cannot be looked up",
      "ALTER TABLE provider_terms RENAME TO away",
      "ALTER TABLE away RENAME TO provider_terms",
    ],
    [
      "the quote cannot be written down",
      "CREATE TRIGGER broken BEFORE UPDATE OF quote ON tool_requests BEGIN SELECT RAISE(ABORT, 'broken'); END",
      "DROP TRIGGER broken",
    ],
  ])("anybody while %s; the same id works afterwards", async (what, breaking, mending) => {
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    const [left, before, headers] = [
      await team.remaining(),
      said(),
      { "x-request-id": what.replaceAll(" ", "-") },
    ];
    const licensed = { provider: "licensed", capability: "say", options: { word: "hello" } };
    await database.prepared(breaking).run();
    const { status, body } = await post({ alexandria: [echo("say"), licensed] }, headers);
    await database.prepared(mending).run();
    await database.close();
    expect([status, body]).toMatchObject([503, { success: false, code: "provider_unavailable" }]);
    expect([await team.remaining(), said()]).toEqual([left, before]);
    expect((await post({ alexandria: echo("say") }, headers)).status).toBe(200);
  });

  test("anybody while credits cannot be set aside, or nothing written down; the same id works afterwards", async () => {
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    const [left, hits] = [await team.remaining(), upstream.hits("/say/hello").length];
    const headers = { "x-request-id": "unwritable" };
    for (const [table, code] of [
      ["ledger_holds", "billing_unavailable"],
      ["tool_requests", "provider_unavailable"],
    ]) {
      await database
        .prepared(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`)
        .run();
      const { status, body } = await post({ alexandria: echo("say") }, headers);
      await database.prepared("DROP TRIGGER broken").run();
      expect([status, body]).toMatchObject([503, { success: false, code }]);
    }
    await database.close();
    expect([await team.remaining(), upstream.hits("/say/hello").length]).toEqual([left, hits]);
    expect((await post({ alexandria: echo("say") }, headers)).status).toBe(200);
  });

  test("anybody whose time was over before; the same id works afterwards", async () => {
    const { tools, callers } = world.app;
    const request = {
      caller: await callers.ofTeam(team.teamId),
      requestId: "late",
      calls: [echo("say")],
      timeoutMs: 5000,
      linkBase: "",
    };
    const [left, hits] = [await team.remaining(), upstream.hits("/say/hello").length];
    let looks = 0;
    // An hour goes by while it waits for its credits.
    const clock = () => Date.now() + ((looks += 1) > 1 ? 3_600_000 : 0);
    await expect(runTools(request, { ...tools, clock })).rejects.toMatchObject({ code: "deadline_exceeded" });
    expect([await team.remaining(), upstream.hits("/say/hello").length]).toEqual([left, hits]);
    expect(JSON.parse(await runTools(request, tools))).toMatchObject({ data: { creditsCost: 2 } });
  });
});

describe("A59 a request is done once", () => {
  test("and answered again byte for byte, at no cost, as long as it is the same", async () => {
    const headers = { "x-request-id": "once.1:a_B-" };
    const before = { left: await team.remaining(), hits: upstream.hits("/say/hello").length };
    const first = await post({ alexandria: [echo("say")], timeout: 5000 }, headers);
    const again = await post({ alexandria: echo("say"), origin: "other", timeout: 9000 }, headers);
    expect(first.status).toBe(200);
    expect(again).toEqual(first);
    expect(first.requestId).toBe(headers["x-request-id"]);
    expect(first.body.scrape_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await team.remaining()).toBe(before.left - 2);
    expect(upstream.hits("/say/hello")).toHaveLength(before.hits + 1);
    const other = await post({ alexandria: echo("say", "else") }, headers);
    expect([other.status, other.body]).toMatchObject([409, { code: "duplicate_request" }]);
    expect(other.requestId).toBe(headers["x-request-id"]);
  });

  test("however many ask for it at the same time", async () => {
    const headers = { "x-request-id": "twenty" };
    const before = { left: await team.remaining(), hits: upstream.hits("/slow").length };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post({ alexandria: echo("slow") }, headers)),
    );
    const good = answers.filter(({ status }) => status === 200);
    const others = answers.filter(({ status }) => status !== 200);
    expect(good.length).toBeGreaterThan(0);
    for (const { status, body } of others) {
      expect([status, body]).toMatchObject([
        409,
        { code: "request_in_flight", chargeId: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      ]);
    }
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    expect(upstream.hits("/slow")).toHaveLength(before.hits + 1);
    expect(await team.remaining()).toBe(before.left - 1);
  });

  test("a different request with the id of one under way is told the same", async () => {
    const headers = { "x-request-id": "busy" };
    const running = post({ alexandria: echo("slow") }, headers);
    await expect
      .poll(async () => (await post({ alexandria: echo("say") }, headers)).body.code)
      .toBe("request_in_flight");
    expect((await running).status).toBe(200);
  });

  test("ids belong to their team", async () => {
    const other = await makeTeam(world, { credits: 9, flags: { providerTools: true } });
    const headers = { "x-request-id": "shared" };
    const mine = await post({ alexandria: echo("say") }, headers);
    const theirs = await post({ alexandria: echo("half") }, headers, other);
    expect(theirs.status).toBe(200);
    expect(theirs.body.scrape_id).not.toBe(mine.body.scrape_id);
  });

  test.each([
    ["elsewhere, and its lease is over", "elsewhere", 0],
    ["on this machine", "here", 10_000],
    ["perhaps, but its lease is not over", "elsewhere", 10_000],
  ])("one whose process has ended %s", async (_what, where, leaseMs) => {
    const headers = { "x-request-id": `lost-${where}-${leaseMs}` };
    await post({ alexandria: echo("say") }, headers);
    // As it was named in an earlier life of this number.
    const identity = (await processIdentity())?.replace(/[^/]*$/, "0");
    const owner = `holds ${where === "here" ? identity : "other"}#${leaseMs}`;
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    await database
      .prepared(
        `UPDATE tool_requests SET state = 'running', response = NULL, owner = ?, deadline_at = ?
         WHERE scrape_id = (SELECT max(scrape_id) FROM tool_requests)`,
      )
      .run(owner, Date.now() + 60_000);
    await database
      .prepared("INSERT INTO leases (name, holder, held_until) VALUES (?, 'x', ?)")
      .run(owner, leaseClockOf(database)() + leaseMs);
    await database.close();
    const { status, body } = await post({ alexandria: echo("say") }, headers);
    const isKnown = where === "here" || leaseMs === 0;
    expect([status, body.code]).toEqual(isKnown ? [503, "request_unresolved"] : [409, "request_in_flight"]);
  });

  test("one that timed out is unresolved instead of a result, and made again if that does no harm", async () => {
    const headers = { "x-request-id": "timed-out" };
    const left = await team.remaining();
    const first = await post({ alexandria: [echo("stop")], timeout: 1000 }, headers);
    expect([first.status, first.body.code]).toEqual([503, "request_unresolved"]);
    const again = await post({ alexandria: [echo("stop")], timeout: 1000 }, headers);
    expect([again.status, again.body.code]).toEqual([503, "request_unresolved"]);
    expect(upstream.hits("/stop")).toHaveLength(1);
    const reading = { "x-request-id": "stalled" };
    const stalled = await post({ alexandria: [echo("stall")], timeout: 1000 }, reading);
    expect([stalled.status, stalled.body.code]).toEqual([503, "request_unresolved"]);
    expect(await team.remaining()).toBe(left);
    const read = await post({ alexandria: [echo("stall")], timeout: 1000 }, reading);
    expect([read.status, read.body.data.alexandria[0]?.data]).toEqual([200, { isStall: true }]);
  });

  test("one whose process died is unresolved, and made again only if that does no harm", async () => {
    await post({ alexandria: echo("say") }, { "x-request-id": "lost-write" });
    await post({ alexandria: echo("slow") }, { "x-request-id": "lost-read" });
    const before = upstream.hits("/say/hello").length;
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    const longAgo = Date.now() - 120_000;
    await database
      .prepared(
        "UPDATE tool_requests SET state = 'running', response = NULL, deadline_at = ? WHERE team_id = ?",
      )
      .run(longAgo, team.teamId);
    const left = await team.remaining();
    const lost = await post({ alexandria: echo("say") }, { "x-request-id": "lost-write" });
    expect([lost.status, lost.body]).toMatchObject([503, { code: "request_unresolved" }]);
    expect(lost.body.chargeId).toMatch(/^[0-9a-f]{64}$/);
    const read = await post({ alexandria: echo("slow") }, { "x-request-id": "lost-read" });
    expect([read.status, read.body.data.alexandria[0]?.data]).toEqual([200, { isSlow: true }]);
    // It was charged before, under the same id.
    expect(await team.remaining()).toBe(left);
    await database.prepared("UPDATE tool_requests SET created_at = ?").run(Date.now() - 25 * 3_600_000);
    await database.close();
    const given = await post({ alexandria: echo("say") }, { "x-request-id": "lost-write" });
    expect([given.status, given.body.data.alexandria[0]?.error.code]).toEqual([200, "outcome_unknown"]);
    expect(upstream.hits("/say/hello")).toHaveLength(before);
  });
});

describe("a call", () => {
  test("sends the secret, returns what was picked, and tells its price", async () => {
    expect(await result(echo("say"))).toMatchObject({
      creditsCost: 2,
      data: { said: ["hello", "you"] },
      upstreamStatus: 200,
      recordedAt: expect.stringMatching(/^20.*Z$/) as string,
    });
    expect(upstream.hits("/say/hello").at(-1)?.headers["x-api-key"]).toBe(SECRET);
  });

  test("never tells the secret, whatever the provider repeats of it, and keeps it nowhere", async () => {
    const answer = await post({ alexandria: echo("half", "mirror") }, { "x-request-id": "mirror" });
    const shown = answer.body.data.alexandria[0]?.data;
    expect(shown).toMatchObject({ sent: "***", text: "You said ***!", next: "/list?after=1&apikey=***" });
    expect(Object.keys(shown ?? {})).toContain("***");
    expect(leakIn(answer.text)).toBeUndefined();
    const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
    const rows = await database
      .prepared<{ readonly response: string | null }>("SELECT response FROM tool_requests")
      .all();
    await database.close();
    expect(rows).not.toEqual([]);
    expect(leakIn(rows.map(({ response }) => response).join())).toBeUndefined();
    const again = await post({ alexandria: echo("half", "mirror") }, { "x-request-id": "mirror" });
    expect(again.text).toBe(answer.text);
  });

  test("with half a character as a part of its path is refused", async () => {
    const { body } = await post(
      '{"alexandria":{"provider":"echo","capability":"say","options":{"word":"\\ud800"}}}',
    );
    expect(body.data.alexandria[0]?.error).toEqual({
      code: "invalid_options",
      message: "word contains half of a surrogate pair.",
    });
  });

  test("goes over a connection that an earlier call has made", async () => {
    const ports = new Set<number | undefined>();
    upstream.page("/say/kept", ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end("{}");
    });
    for (let calls = 0; calls < 5; calls += 1) await result(echo("half", "kept"));
    expect(ports.size).toBeLessThan(5);
  });

  test("of a price per record costs what came; parts of a credit are one for the whole request", async () => {
    expect(await result(echo("list"))).toMatchObject({ records: 3, creditsCost: 3 });
    const { body } = await post({ alexandria: [echo("half"), echo("half"), echo("half")] });
    expect(body.data.creditsCost).toBe(2);
  });

  test("sends its options as JSON where the provider wants them so", async () => {
    expect((await result(echo("post", "ä"))).data).toEqual({ word: "ä" });
  });

  test("keeps an option within its segment of the path", async () => {
    expect((await result(echo("half", "a/../b"))).data).toEqual({ isEncoded: true });
    expect((await result(echo("half", ".."))).error.code).toBe("invalid_options");
  });

  test.each([
    [{ word: 1 }, /word: must be string/],
    [{}, /required property 'word'/],
    [{ word: "a", url: "http://10.0.0.1/" }, /additional properties \(url\)/],
  ])("with options %j fails alone, at no cost", async (options, words) => {
    const { body, status } = await post({ alexandria: [{ ...echo("say"), options }, echo("half")] });
    expect(status).toBe(200);
    expect(body.data.alexandria[0]?.error).toEqual({
      code: "invalid_options",
      message: expect.stringMatching(words) as string,
    });
    expect(body.data.creditsCost).toBe(1);
  });

  test("with an option named after the prototype does without it", async () => {
    const options = '{"word":"hello","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const { body } = await post(`{"alexandria":{"provider":"echo","capability":"say","options":${options}}}`);
    expect(body.data.alexandria[0]?.error.message).toContain("additional properties (constructor)");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    ["broken", "upstream_error"],
    ["huge", "response_too_large"],
    ["away", "upstream_unavailable"],
  ])("to what is %s fails with %s, and tells no secret", async (capability, code) => {
    const failed = await result(echo(capability));
    expect(failed).toMatchObject({ creditsCost: 0, error: { code } });
    expect(JSON.stringify(failed)).not.toContain(SECRET);
  });

  test("to an address within is refused by the guard", async () => {
    const failed = await result({ provider: "inside", capability: "say", options: { word: "a" } });
    expect(failed.error.code).toBe("upstream_unavailable");
  });

  test("beyond the provider's rate is refused", async () => {
    const call = { provider: "rare", capability: "say", options: { word: "hello" } };
    await result(call);
    expect((await result(call)).error.code).toBe("rate_limited");
  });

  test("ends with the time of its request", async () => {
    const { body } = await post({ alexandria: [echo("stop"), echo("half")], timeout: 1000 });
    expect(body.data.alexandria).toMatchObject([{ error: { code: "timeout" } }, { creditsCost: 0.5 }]);
  });

  test("of our own scrapes a page in the team's name", async () => {
    const url = world.site.page("/own", '<title>Own</title><a href="/x">x</a>');
    const links = await result({ provider: "pergamon", capability: "page-links", options: { url } });
    expect(links.data).toEqual({ links: [world.site.url("/x")] });
    const facts = await result({ provider: "pergamon", capability: "page-metadata", options: { url } });
    expect(facts.data).toMatchObject({ title: "Own" });
    const tx = await result({
      provider: "pergamon",
      capability: "page-links",
      options: { url: "http://10.0.0.1/" },
    });
    expect(tx.error.code).toBe("upstream_error");
  });
});

describe("discovery", () => {
  const find = async (options: object) => (await result({ ...FIND, options })).data;

  test("leads from providers to a call that works", async () => {
    const { items } = await find({});
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(["firecrawl", "wikipedia", "echo"]));
    const { next } = items.find(({ id }) => id === "echo") as unknown as { readonly next: object };
    const tools = (await result(next)).data.items as unknown as readonly { readonly execute: object }[];
    expect(await result({ ...tools[0]?.execute, options: { word: "hello" } })).toMatchObject({
      creditsCost: 2,
    });
  });

  test.each([
    [{ query: "weather forecast" }, "open-meteo/forecast"],
    [{ query: "Broken echo" }, "echo/broken"],
    [{ urls: ["https://de.wikipedia.org/wiki/Pergamon"] }, "wikipedia/summary"],
    [{ groups: ["weather"], level: "tools" }, "open-meteo/forecast"],
    [{ capabilities: ["terms/show"] }, "firecrawl/terms/show"],
  ])("%j finds %s first", async (options, id) => {
    const { items } = await find(options);
    expect(items[0]?.id).toBe(id);
  });

  test("goes page by page, and tells parts that are asked for", async () => {
    const first = await find({ level: "tools", limit: 2 });
    expect(first.items).toHaveLength(2);
    const second = (await result(first["next"] as object)).data;
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id);
    const { items } = await find({
      capabilities: ["say", "half"],
      providers: ["echo"],
      expand: ["options", "examples"],
    });
    expect(items).toMatchObject([
      {
        options: [{ name: "word", type: "string", required: true }],
        examples: { curl: expect.any(String) as string },
      },
      { requiresOneOf: [["word", "id"]] },
    ]);
    expect(items[0]).not.toHaveProperty("requiresOneOf");
  });

  test.each([{ limit: 51 }, { limit: 0 }, { level: "all" }, { typo: 1 }])(
    "options %j are refused",
    async (options) => {
      expect((await result({ ...FIND, options })).error.code).toBe("invalid_options");
    },
  );

  test("A59 the official client finds tools and calls one", async () => {
    const apiKey = team.headers.authorization.slice("Bearer ".length);
    const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey });
    const found = await client.findTools({ providers: ["echo"], level: "tools" });
    expect(JSON.stringify(found)).toContain("echo/say");
    const called = await client.scrape({ alexandria: echo("say") } as never);
    expect(JSON.stringify(called)).toContain("hello");
  });
});

describe("domainTools", () => {
  const scrape = async (options: object, who = team) => {
    const url = world.site.page("/tools", "<h1>Tools</h1>");
    const { status, body } = await who.scrape({ url, domainTools: true, ...options });
    return { status, code: body.code, error: body.error, tools: body.data?.tools ?? [] };
  };

  test("lists tools of the page's domain, free of charge", async () => {
    const { status, tools } = await scrape({});
    expect(status).toBe(200);
    expect(tools).toHaveLength(10);
    expect(tools[0]).toMatchObject({
      provider: "echo",
      capability: "say",
      creditsCost: 2,
      matchedBy: ["domain"],
    });
    expect(tools[0]).not.toHaveProperty("options");
    const [told] = (await result((tools[0] as unknown as { readonly next: object }).next)).data.items;
    expect(told).toMatchObject({ id: "echo/say", options: [{ name: "word" }] });
  });

  test("tells as much as was asked for", async () => {
    const compact = await scrape({ toolDetail: "compact" });
    expect(compact.tools[0]).toEqual({ provider: "echo", capability: "say", description: "Answers say." });
    const full = await scrape({ toolDetail: "full" });
    expect(full.tools[0]).toMatchObject({ options: [{ name: "word", required: true }] });
  });

  test.each([
    ["a team without the flag", "is not enabled for this team", {}, {}],
    [
      "a request of which nothing may be kept",
      "do not support zero data retention",
      { zeroDataRetention: true },
      { providerTools: true },
    ],
    [
      "a request that leaves nothing because it asks the cache alone",
      "do not support zero data retention",
      { lockdown: true },
      { providerTools: true },
    ],
    [
      "a team of which nothing may be kept",
      "do not support zero data retention",
      {},
      { providerTools: true, zeroDataRetention: "forced" as const },
    ],
  ])("is refused to %s", async (_who, words, options, flags) => {
    const other = await makeTeam(world, { credits: 9, flags });
    expect(await scrape(options, other)).toMatchObject({
      status: 403,
      code: "THIRD_PARTY_DATA_TERMS_REQUIRED",
      error: expect.stringContaining(words) as unknown,
    });
  });
});

test("domainTools needs accepted terms, of those who know about the page", async () => {
  const other = await makeTeam(world, { credits: 9, flags: { providerTools: true } });
  const body = { url: "http://licensed.test/", domainTools: true };
  const refused = await other.scrape(body);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    {
      code: "THIRD_PARTY_DATA_TERMS_REQUIRED",
      requiresAction: true,
      details: { type: "accept_terms", terms: "licensed" },
    },
  ]);
  expect(await other.remaining()).toBe(9);
  const path = "/v2/exchange/provider-terms";
  const terms = await (await fetch(`${world.baseUrl}${path}?provider=licensed`, other)).json();
  const { version, digest } = terms as { readonly version: string; readonly digest: string };
  const acceptance = JSON.stringify({ provider: "licensed", version, digest, confirmed: true });
  await fetch(`${world.baseUrl}${path}/accept`, { method: "POST", headers: other.headers, body: acceptance });
  expect((await other.scrape(body)).body.code).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
});

describe("the exchange", () => {
  const ask = async (path: string, body?: object, who = team) => {
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await fetch(world.baseUrl + path, { headers: who.headers, ...init });
    const { status } = answer;
    const value: unknown = await answer.json();
    expectDeclared({
      method: body ? "POST" : "GET",
      path: path.replace(/^(?!\/v2)/, "/v2"),
      status,
      body: value,
    });
    return { status, body: value };
  };

  test.each(["/v2/exchange/discover", "/exchange/discover"])(
    "%s tells which kinds of data there are",
    async (path) => {
      const { body } = await ask(path);
      expect(body).toMatchObject({
        cohorts: expect.arrayContaining([{ cohort: "weather", about: "Open-Meteo" }]) as unknown,
      });
    },
  );

  test("shows terms and takes their acceptance", async () => {
    const path = "/v2/exchange/provider-terms";
    const { body } = await ask(`${path}?provider=licensed`);
    const { version, digest } = body as { readonly version: string; readonly digest: string };
    const acceptance = { provider: "licensed", version, digest, confirmed: true, origin: "cli" };
    expect(await ask(`${path}/accept`, acceptance)).toMatchObject({
      status: 200,
      body: { success: true, digest },
    });
    const stale = await ask(`${path}/accept`, { ...acceptance, version: "0" });
    expect(stale).toMatchObject({ status: 409, body: { code: "terms_changed" } });
    expect((await ask(`${path}/accept`, { ...acceptance, confirmed: false })).status).toBe(400);
    expect((await ask(`${path}?provider=nobody`)).status).toBe(404);
    const unable = await makeTeam(world, { credits: 9 });
    expect((await ask(`${path}?provider=licensed`, undefined, unable)).status).toBe(403);
  });
});

test("a file with a mistake stops the start, whole, and says where", async () => {
  await writeFile(`${file}.bad`, JSON.stringify({ providers: [{ id: "a b", kind: "http" }] }));
  await expect(openWorld({ PROVIDERS_FILE: `${file}.bad` })).rejects.toThrow(/contains errors/);
  await expect(openWorld({ PROVIDERS_FILE: file })).rejects.toThrow("PROVIDER_SECRETS has no ECHO");
});
