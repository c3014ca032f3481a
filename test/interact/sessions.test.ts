import { once } from "node:events";
import { WebSocket } from "ws";
import { beforeAll, describe, expect, test, vi } from "vitest";

import {
  type ScriptedModel,
  startScriptedModel,
} from "../../packages/server/src/interact/prompt/scripted-model.suite.ts";
import { uuidV7 } from "../../packages/kit/src/uuid.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";
import { ask, type SessionAnswer } from "./session-client.ts";

let world: World;
let model: ScriptedModel;
let team: TestTeam;

beforeAll(async () => {
  model = await startScriptedModel();
  world = await openWorld({
    ...KEYED,
    LLM_BASE_URL: model.url,
    LLM_MODEL: "scripted",
    LLM_API: "openai",
    INTERACT_SESSIONS: "4",
  });
  team = await makeTeam(world);
});

const shop = () =>
  world.site.page(
    "/shop",
    htmlPage(`<h1>Shop</h1><p id="seen">0</p><button onclick="seen.textContent++">More</button>
      <script>document.cookie = "visited=1"; localStorage.setItem("last", "shop");</script>`),
  );

async function scrape(body: object, by: TestTeam = team): Promise<string> {
  const answer = await by.scrape(body);
  expect(answer.body.error).toBeUndefined();
  return answer.body.data.metadata.scrapeId;
}

function interact(id: string, body: object, by: TestTeam = team): Promise<SessionAnswer> {
  return ask(world, `POST /v2/scrape/${id}/interact`, body, by.headers);
}

function stop(id: string, by: TestTeam = team): Promise<SessionAnswer> {
  return ask(world, `DELETE /v2/scrape/${id}/interact`, undefined, by.headers);
}

const seen = { tool: "done", answer: /heading "Shop"[^]*?paragraph\n\s*(\d+)/, success: true };
const more = { tool: "click", on: /button "More"/ };
const look = { prompt: "What does it say?" };

describe("what is asked is checked before anything is opened", () => {
  test.each([
    ["neither code nor prompt", {}],
    ["empty code", { code: "" }],
    ["code of 100,001 characters", { code: "x".repeat(100_001) }],
    ["a language that is none", { code: "1", language: "perl" }],
    ["a timeout of 301 seconds", { code: "1", timeout: 301 }],
    ["a life of 29 seconds", { code: "1", ttl: 29 }],
    ["no object", []],
  ])("%s is a bad request", async (_what, body) => {
    const [status, answer] = await interact(uuidV7(), body);
    expect([status, answer]).toMatchObject([400, { success: false, code: "BAD_REQUEST" }]);
  });

  test("what is missing is said in words", async () => {
    const [, { error }] = await interact(uuidV7(), { language: "node" });
    expect(error).toBe("Either 'code' or 'prompt' must be provided.");
  });

  test.each(["POST", "DELETE"])("A58: %s of what is no id is a bad request", async (method) => {
    const [status, { error }] = await ask(world, `${method} /v2/scrape/nowhere/interact`, look, team.headers);
    expect([status, error]).toEqual([400, "Invalid job ID format. Job ID must be a valid UUID."]);
  });

  test("A58: a scrape that nobody made, or another team, is not found", async () => {
    const other = await makeTeam(world);
    for (const id of [uuidV7(), await scrape({ url: shop() }, other)]) {
      expect(await interact(id, look)).toEqual([404, { success: false, error: "Job not found." }]);
      expect(await stop(id)).toEqual([404, { success: false, error: "Browser session not found." }]);
    }
  });

  test("A53: without retention, of a document, or of a page that never came, nothing can be opened again", async () => {
    const zdr = await makeTeam(world, { flags: { zeroDataRetention: "allowed" } });
    const url = shop();
    const id = await scrape({ url, zeroDataRetention: true }, zdr);
    const refusal = "Replay context is unavailable for this scrape job. Please rerun the scrape.";
    expect((await interact(id, look, zdr))[1].error).toBe(refusal);
    expect((await interact(id, look, zdr))[0]).toBe(409);
    const pdf = world.site.page("/a.pdf", (_request, response) => {
      response.writeHead(200, { "content-type": "application/pdf" });
      response.end("%PDF-1.4\n%%EOF");
    });
    const document = await scrape({ url: pdf, parsers: [] });
    expect((await interact(document, look))[1].error).toBe(refusal);
    // Another team is told nothing of either.
    expect((await interact(id, look))[0]).toBe(404);
  });
});

describe("A58: a session", () => {
  test("opens the page again as the scrape did, keeps its state from call to call, and ends once", async () => {
    const url = shop();
    const actions = [
      { type: "click", selector: "button" },
      { type: "click", selector: "button" },
    ];
    const id = await scrape({ url, headers: { "x-mine": "yes" }, actions });
    model.play([seen]);
    const [status, first] = await interact(id, look);
    expect([status, first]).toMatchObject([200, { success: true, output: "2", exitCode: 0, killed: false }]);
    expect(world.site.hits("/shop").at(-1)?.headers["x-mine"]).toBe("yes");
    expect(first.result).toContain(url);
    expect(first.cdpUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/cdp\/[\w-]{43}$/);
    expect(first.liveViewUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/live\/[\w-]{43}$/);
    const tokens = [first.cdpUrl, first.liveViewUrl, first.interactiveLiveViewUrl].map((link) =>
      link.split("/").at(-1),
    );
    expect(new Set(tokens).size).toBe(3);
    model.play([more, seen]);
    const [, second] = await interact(id, look);
    expect(second).toMatchObject({ output: "3", sessionId: first.sessionId, cdpUrl: first.cdpUrl });

    const [ended, end] = await stop(id);
    expect([ended, end]).toMatchObject([200, { success: true, creditsBilled: 7, cleanupQueued: true }]);
    expect(end.sessionDurationMs).toBeGreaterThan(0);
    expect(await stop(id)).toEqual([404, { success: false, error: "Browser session not found." }]);
    const [gone, { error }] = await interact(id, look);
    expect([gone, error]).toEqual([410, "Browser session has been destroyed."]);
    expect(world.app.interact.find(tokens[0] ?? "")).toBeUndefined();
  });

  test("serves calls that come together one after the other, in one browser", async () => {
    const id = await scrape({ url: shop() });
    model.play([more, more, more, seen, seen, seen]);
    const answers = await Promise.all([interact(id, look), interact(id, look), interact(id, look)]);
    const ids = new Set(answers.map(([, { sessionId }]) => sessionId));
    expect([ids.size, answers.map(([status]) => status)]).toEqual([1, [200, 200, 200]]);
    expect(answers.map(([, { output }]) => output)).toEqual(["3", "3", "3"]);
    await stop(id);
  });

  test("can be called by its id, and by no other team", async () => {
    const id = await scrape({ url: shop() });
    model.play([seen]);
    const [, { sessionId }] = await interact(id, look);
    model.play([seen]);
    expect((await interact(id, { ...look, existingSessionId: sessionId }))[0]).toBe(200);
    const other = await makeTeam(world);
    const own = await scrape({ url: shop() }, other);
    expect((await interact(own, { ...look, existingSessionId: sessionId }, other))[0]).toBe(404);
    expect((await interact(id, look, other))[0]).toBe(404);
    expect((await stop(id, other))[0]).toBe(404);
    expect((await ask(world, `GET /v2/browser/${sessionId}`, undefined, other.headers))[0]).toBe(404);
    await stop(id);
    const [status] = await interact(id, { ...look, existingSessionId: sessionId });
    expect(status).toBe(410);
  });

  test("whose page does not come again is told, and costs nothing", async () => {
    const url = world.site.page("/soon-gone", htmlPage("<h1>Here</h1>"));
    const payer = await makeTeam(world, { credits: 50 });
    const id = await scrape({ url, actions: [{ type: "click", selector: "h1" }] }, payer);
    world.site.page("/soon-gone", htmlPage("<p>There is nothing to click</p>"));
    const before = await payer.remaining();
    for (const _try of [1, 2]) {
      const [status, { error }] = await interact(id, look, payer);
      expect([status, error]).toEqual([
        409,
        "Failed to initialize browser session from the original scrape context. Please rerun the scrape and try again.",
      ]);
    }
    expect(await payer.remaining()).toBe(before);
  });
});

test("a host that the team's policy blocks is asked nothing, whichever page asks", async () => {
  const url = shop();
  const careful = await makeTeam(world, { threatPolicy: { mode: "manual-only", blacklist: ["127.0.0.1"] } });
  const [, { id }] = await ask(world, "POST /v2/browser", {}, careful.headers);
  const code = `const reach = (opened, url) => opened.goto(url).then(() => "there", () => "refused");
    const blocked = ${JSON.stringify(url)};
    [await reach(page, blocked), await reach(await context.newPage(), blocked),
      await reach(await context.newPage(), blocked.replace("127.0.0.1", "localhost"))].join(" ")`;
  const [, { result }] = await ask(world, `POST /v2/browser/${id}/execute`, { code }, careful.headers);
  expect(result).toBe("refused refused there");
  await ask(world, `DELETE /v2/browser/${id}`, undefined, careful.headers);
});

describe("credits", () => {
  test("are set aside for the next minute, and charged once, at the end", async () => {
    const payer = await makeTeam(world, { credits: 10 });
    const id = await scrape({ url: shop() }, payer);
    model.play([seen]);
    await interact(id, look, payer);
    expect(await payer.remaining()).toBe(2);
    const [, { creditsBilled }] = await stop(id, payer);
    expect([creditsBilled, await payer.remaining()]).toEqual([7, 2]);
    expect(await payer.moves()).toContain("prepaid → used 7");
    expect((await payer.moves()).filter((move) => move.includes("used"))).toHaveLength(2);
  });

  test("that are short open no session", async () => {
    const payer = await makeTeam(world, { credits: 3 });
    const id = await scrape({ url: shop() }, payer);
    const [status, { code }] = await interact(id, look, payer);
    expect([status, code]).toEqual([402, "insufficient_credits"]);
    expect((await ask(world, "GET /v2/browser", undefined, payer.headers))[1].sessions).toEqual([]);
    const [opened, { id: own }] = await ask(world, "POST /v2/browser", {}, payer.headers);
    expect(opened).toBe(200);
    expect((await ask(world, `DELETE /v2/browser/${own}`, undefined, payer.headers))[1].creditsBilled).toBe(
      2,
    );
  });
});

describe("a team's sessions", () => {
  test("count as its jobs, beyond which none is opened", async () => {
    const busy = await makeTeam(world, { limits: { concurrency: 1 } });
    const [, { id }] = await ask(world, "POST /v2/browser", {}, busy.headers);
    const response = await fetch(`${world.baseUrl}/v2/browser`, { method: "POST", headers: busy.headers });
    expect(response.status).toBe(429);
    const body = (await response.json()) as object;
    expect(body).toEqual({
      error: expect.stringMatching(
        /^You have reached the maximum number of concurrent jobs \(1\)\./,
      ) as string,
    });
    await ask(world, `DELETE /v2/browser/${id}`, undefined, busy.headers);
    const [status, again] = await ask(world, "POST /v2/browser", {}, busy.headers);
    expect(status).toBe(200);
    await ask(world, `DELETE /v2/browser/${again.id}`, undefined, busy.headers);
  });

  test("leave half of those of this process to others, who are told when it has no more", async () => {
    const [one, other, third] = [await makeTeam(world), await makeTeam(world), await makeTeam(world)];
    const open = async (by: TestTeam) => ({
      by,
      answer: await ask(world, "POST /v2/browser", {}, by.headers),
    });
    const opened = await Promise.all([one, other, one, other, one, other].map(open));
    expect(opened.map(({ answer: [status] }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
    const [status, { error }] = (await open(third)).answer;
    expect(status).toBe(503);
    expect(error).toMatch(/^All 4 browser sessions of this service are in use/);
    const running = opened.filter(({ answer: [code] }) => code === 200);
    await Promise.all(
      running.map(({ by, answer: [, { id }] }) =>
        ask(world, `DELETE /v2/browser/${id}`, undefined, by.headers),
      ),
    );
  });

  test("end when it is banned", async () => {
    const banned = await makeTeam(world);
    const [, { id, cdpUrl }] = await ask(world, "POST /v2/browser", {}, banned.headers);
    expect(id).toEqual(expect.any(String));
    const client = new WebSocket(cdpUrl);
    await once(client, "open");
    const closed = once(client, "close");
    await operate(world, `PATCH teams/${banned.teamId}`, { flags: { banned: true } });
    await closed;
  });

  test("end with the key that they were opened with", async () => {
    const keyed = await makeTeam(world);
    const [, { id }] = await ask(world, "POST /v2/browser", {}, keyed.headers);
    const made = await operate(world, `POST teams/${keyed.teamId}/keys`, { name: "second" });
    const other = { authorization: `Bearer ${made.body.apiKey}` };
    const keys = await operate(world, `GET teams/${keyed.teamId}/keys`);
    const first = keys.body.data.find(({ keyId }) => keyId !== made.body.keyId)?.["keyId"];
    expect((await operate(world, `DELETE keys/${String(first)}`)).status).toBe(200);
    await vi.waitFor(
      async () => {
        const [, session] = await ask(world, `GET /v2/browser/${id}`, undefined, other);
        expect(session).toMatchObject({ status: "destroyed", cdpUrl: "" });
      },
      { timeout: 20_000, interval: 100 },
    );
  });
});

const NO_SESSION = { success: false, error: "Browser session not found." };

/** What clients that look for a recording of their session are told, which others are not. */
async function expectNoRecordings(session: string, owner: TestTeam): Promise<void> {
  for (const line of [`GET ${session}/replay`, `GET ${session}/replay/2?x=1`]) {
    const error = expect.stringMatching(/^Browser sessions are not recorded, .*liveViewUrl/) as string;
    const refused = { success: false, code: "NOT_IMPLEMENTED", error };
    expect(await ask(world, line, undefined, owner.headers)).toEqual([501, refused]);
    expect(await ask(world, line, undefined, team.headers)).toEqual([404, NO_SESSION]);
  }
  expect((await ask(world, `GET ${session}/replay`, undefined, {}))[0]).toBe(401);
}

describe.each(["/v2/browser", "/v2/interact"])("a session of its own (%s)", (path) => {
  test("is opened, listed, looked at and ended", async () => {
    const owner = await makeTeam(world);
    const request = (line: string, body?: unknown) => ask(world, line, body, owner.headers);
    const [status, opened] = await request(`POST ${path}`, { ttl: 60, streamWebView: false });
    expect([status, opened.success]).toEqual([200, true]);
    expect(Date.parse(opened.expiresAt) - Date.now()).toBeGreaterThan(40_000);
    const { id } = opened;
    await expectNoRecordings(`${path}/${id}`, owner);
    const shown = { id, status: "active", streamWebView: false, cdpUrl: opened.cdpUrl };
    expect((await request(`GET ${path}/${id}`))[1]).toMatchObject(shown);
    expect((await request(`GET ${path}?status=active`))[1].sessions).toMatchObject([shown]);
    expect((await request(`GET ${path}?status=destroyed`))[1].sessions).toEqual([]);
    const [ended, end] = await request(`DELETE ${path}/${id}`);
    expect([ended, end]).toMatchObject([200, { success: true, status: "destroyed", creditsBilled: 2 }]);
    expect((await request(`DELETE ${path}/${id}`))[0]).toBe(404);
    expect((await request(`POST ${path}/${id}/execute`, { code: "1" }))[0]).toBe(410);
    expect((await request(`GET ${path}?status=destroyed`))[1].sessions).toMatchObject([{ id, cdpUrl: "" }]);
  });

  test.each(["nowhere", uuidV7()])("%s is none", async (id) => {
    expect((await ask(world, `GET ${path}/${id}`, undefined, team.headers))[0]).toBe(404);
    expect((await ask(world, `DELETE ${path}/${id}`, undefined, team.headers))[0]).toBe(404);
    expect((await ask(world, `POST ${path}/${id}/execute`, { code: "1" }, team.headers))[0]).toBe(404);
    expect(await ask(world, `GET ${path}/${id}/replay`, undefined, team.headers)).toEqual([404, NO_SESSION]);
  });
});

describe("A55: a profile", () => {
  const profile = { name: "shop", saveChanges: true };

  test("is saved when the session stops, and read by the next", async () => {
    const owner = await makeTeam(world);
    const id = await scrape({ url: shop(), profile }, owner);
    model.play([seen]);
    await interact(id, look, owner);
    await stop(id, owner);
    const shown = world.site.page(
      "/what-is-kept",
      htmlPage(
        `<h1>Kept</h1><p id="kept"></p><script>kept.textContent = document.cookie + " " + localStorage.last</script>`,
      ),
    );
    const answer = await owner.scrape({ url: shown, profile: { ...profile, saveChanges: false } });
    expect(answer.body.data.markdown).toContain("visited=1 shop");
  });

  test("has one writer at a time, and any number of readers", async () => {
    const owner = await makeTeam(world);
    const [, writer] = await ask(world, "POST /v2/browser", { profile }, owner.headers);
    const [status, { error }] = await ask(world, "POST /v2/browser", { profile }, owner.headers);
    expect([status, error]).toEqual([
      409,
      "Another session is currently writing to this profile. Only one writer is allowed at a time. You can still access it with saveChanges: false, or try again later.",
    ]);
    const reading = { profile: { ...profile, saveChanges: false } };
    const [, reader] = await ask(world, "POST /v2/browser", reading, owner.headers);
    await ask(world, `DELETE /v2/browser/${reader.id}`, undefined, owner.headers);
    const [locked] = await ask(world, "DELETE /v2/browser/profiles/shop", undefined, owner.headers);
    expect(locked).toBe(409);
    await ask(world, `DELETE /v2/browser/${writer.id}`, undefined, owner.headers);
    const [again, { id }] = await ask(world, "POST /v2/browser", { profile }, owner.headers);
    expect(again).toBe(200);
    await ask(world, `DELETE /v2/browser/${id}`, undefined, owner.headers);
  });
});
