import { beforeAll, describe, expect, test } from "vitest";

import { KEYED, makeTeam, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { useWorld } from "../use-world.ts";

const world = useWorld({ ...KEYED, TEAM_QUEUE: "2" });
let url: string;

beforeAll(async () => {
  url = world.site.page("/page", htmlPage("<h1>Page</h1>"));
});

/** A page that answers when the test says so. */
function slowPage(path: string) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slowUrl = world.site.page(path, (_request, response) => {
    void opened.then(() => response.end(htmlPage("<h1>Slow</h1>")));
  });
  return { slowUrl, open };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("credits (contract, sections 4.1 and 5.1)", () => {
  test("of fifty scrapes at once with five credits, five are answered and paid", async () => {
    const team = await makeTeam(world, { credits: 5 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => team.scrape({ url })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of refused) {
      expect(status).toBe(402);
      expect(body).toEqual({
        success: false,
        code: "insufficient_credits",
        error: expect.stringMatching(/^Insufficient credits to perform this request\. /),
      });
    }
    expect(await team.remaining()).toBe(0);
    expect(await team.moves()).toEqual([
      "issuer → prepaid 5",
      ...Array.from({ length: 5 }, () => "prepaid → used 1"),
    ]);
  });

  test("metadata.creditsUsed is what the ledger says, under the id of the scrape", async () => {
    const team = await makeTeam(world, { credits: 100 });
    const { body } = await team.scrape({ url, maxAge: 0 });
    const { creditsUsed, scrapeId } = body.data.metadata;
    const ledger = await operate(world, `GET teams/${team.teamId}/ledger`);
    const entry = ledger.body.data.find(({ id }) => id === scrapeId);
    expect(entry).toMatchObject({ from: "prepaid", to: "used", amount: creditsUsed });
  });

  test("what fails costs nothing, but for what the contract names", async () => {
    const team = await makeTeam(world, { credits: 10 });
    await team.scrape({ url: "http://127.0.0.9:1/" });
    await team.scrape({ url, minAge: 1_000_000_000 });
    await team.scrape({ url: "not a url" });
    expect(await team.remaining()).toBe(10);
    const miss = await team.scrape({ url: world.site.url("/never"), lockdown: true });
    expect(miss.body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
    expect(await team.remaining()).toBe(9);
    await team.scrape({ url });
    const hit = await team.scrape({ url, lockdown: true });
    expect(hit.body.data.metadata.creditsUsed).toBe(5);
    expect(await team.remaining()).toBe(3);
  });

  test("a lockdown that could hit is refused when a hit could not be paid", async () => {
    const team = await makeTeam(world, { credits: 4 });
    expect((await team.scrape({ url, lockdown: true })).status).toBe(402);
    expect(await team.remaining()).toBe(4);
  });

  test("nothing left is told before the request is looked at", async () => {
    const team = await makeTeam(world, { credits: 0 });
    expect((await team.scrape({ wrong: true })).status).toBe(402);
    expect(
      (await operate(world, `POST teams/${team.teamId}/credits`, { add: 3 })).body.remainingCredits,
    ).toBe(3);
    expect((await team.scrape({ wrong: true })).status).toBe(400);
    expect((await team.scrape({ url })).status).toBe(200);
    expect(await team.remaining()).toBe(2);
  });

  test("an operator can make them endless again", async () => {
    const team = await makeTeam(world, { allowance: { credits: 0 } });
    expect((await team.scrape({ url })).status).toBe(402);
    const change = (changes: object) => operate(world, `PATCH teams/${team.teamId}`, changes);
    expect((await change({ isLimited: false, allowance: null })).status).toBe(200);
    expect((await team.scrape({ url })).status).toBe(200);
    expect((await change({ isLimited: true })).status).toBe(400);
    await operate(world, `POST teams/${team.teamId}/credits`, { add: 1 });
    expect((await team.scrape({ url })).status).toBe(200);
    expect((await team.scrape({ url })).status).toBe(402);
  });

  test("an allowance shows as a plan", async () => {
    const team = await makeTeam(world, { allowance: { credits: 20 } });
    await team.scrape({ url });
    const { body } = await world.get("/v2/team/credit-usage", team.headers);
    expect(body.data).toMatchObject({ remainingCredits: 19, planCredits: 20 });
  });

  test("a client that goes away pays nothing", async () => {
    const team = await makeTeam(world, { credits: 5 });
    const { slowUrl, open } = slowPage("/abandoned");
    const gone = new AbortController();
    const scrape = team.scrape({ url: slowUrl, maxAge: 0 }, gone.signal);
    await until(() => world.site.hits("/abandoned").length > 0);
    expect(await team.remaining()).toBe(4);
    gone.abort();
    await expect(scrape).rejects.toThrow("abort");
    open();
    await expect.poll(() => team.remaining()).toBe(5);
  });
});

describe("A56 the rate limit", () => {
  test("answers 429 with nothing but the error, and says when to come back", async () => {
    const team = await makeTeam(world, { limits: { requestsPerMinute: 2 } });
    const other = await makeTeam(world);
    // Two minutes may be touched, with two requests each.
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await team.scrape({ url }));
    expect(answers[0]?.status).toBe(200);
    const refused = answers.find(({ status }) => status === 429);
    expect(Object.keys(refused?.body ?? {})).toEqual(["error"]);
    expect(refused?.body.error).toMatch(
      /^Rate limit exceeded\. Consumed \(req\/min\): 3, Remaining \(req\/min\): 0\./,
    );
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await other.scrape({ url })).status).toBe(200);
    expect((await world.get("/v2/team/credit-usage", team.headers)).status).toBe(200);
  });
});

describe("A57 concurrency", () => {
  test("the second of two slow scrapes waits for its turn, and says how long", async () => {
    const team = await makeTeam(world, { limits: { concurrency: 1 } });
    const { slowUrl, open } = slowPage("/slow-pair");
    const first = team.scrape({ url: slowUrl, maxAge: 0 });
    await until(() => world.site.hits("/slow-pair").length === 1);
    const second = team.scrape({ url: `${slowUrl}?second`, maxAge: 0 });
    await expect
      .poll(async () => (await world.get("/v2/team/queue-status", team.headers)).body)
      .toMatchObject({ jobsInQueue: 2, activeJobsInQueue: 1, waitingJobsInQueue: 1, maxConcurrency: 1 });
    expect((await world.get("/v2/concurrency-check", team.headers)).body).toMatchObject({
      concurrency: 1,
      maxConcurrency: 1,
    });
    open();
    const metadata = [(await first).body.data.metadata, (await second).body.data.metadata];
    expect(metadata[0]).toMatchObject({ concurrencyLimited: false });
    expect(metadata[0]).not.toHaveProperty("concurrencyQueueDurationMs");
    expect(metadata[1]).toMatchObject({ concurrencyLimited: true });
    expect(metadata[1]?.concurrencyQueueDurationMs).toBeGreaterThan(0);
  });

  test("a wait that takes most of the timeout ends with 408, one too many to wait with 429", async () => {
    const team = await makeTeam(world, { limits: { concurrency: 1 }, credits: 10 });
    const other = await makeTeam(world);
    const { slowUrl, open } = slowPage("/slow-queue");
    const first = team.scrape({ url: slowUrl, maxAge: 0 });
    await until(() => world.site.hits("/slow-queue").length === 1);
    const waiting = [1, 2].map((count) =>
      team.scrape({ url: `${slowUrl}?${count}`, maxAge: 0, timeout: 1000 }),
    );
    await expect
      .poll(async () => (await world.get("/v2/team/queue-status", team.headers)).body)
      .toMatchObject({ waitingJobsInQueue: 2 });
    const refused = await team.scrape({ url: `${slowUrl}?3`, maxAge: 0 });
    expect([refused.status, refused.body]).toEqual([429, { error: "Concurrency limit reached" }]);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toMatchObject({ status: 408, body: { code: "CONCURRENCY_QUEUE_TIMEOUT" } });
    }
    expect((await other.scrape({ url })).body.data.metadata.concurrencyLimited).toBe(false);
    open();
    expect((await first).status).toBe(200);
    expect(await team.remaining()).toBe(9);
  });

  test("a client that goes away leaves the queue", async () => {
    const team = await makeTeam(world, { limits: { concurrency: 1 } });
    const { slowUrl, open } = slowPage("/slow-gone");
    const first = team.scrape({ url: slowUrl, maxAge: 0 });
    await until(() => world.site.hits("/slow-gone").length === 1);
    const gone = new AbortController();
    const second = team.scrape({ url: `${slowUrl}?gone`, maxAge: 0 }, gone.signal);
    const waiting = async () =>
      (await world.get("/v2/team/queue-status", team.headers)).body as unknown as {
        waitingJobsInQueue: number;
      };
    await expect.poll(waiting).toMatchObject({ waitingJobsInQueue: 1 });
    gone.abort();
    await expect(second).rejects.toThrow("abort");
    await expect.poll(waiting).toMatchObject({ waitingJobsInQueue: 0 });
    open();
    await first;
    expect(world.site.hits("/slow-gone?gone")).toEqual([]);
  });
});

describe("keys (contract, section 4.1)", () => {
  async function keyWith(restrictions: unknown) {
    const team = await makeTeam(world);
    const { body } = await operate(world, `POST teams/${team.teamId}/keys`, { name: "narrow", restrictions });
    return { authorization: `Bearer ${body.apiKey}`, keyId: body.keyId };
  }

  async function errorOf(headers: Readonly<Record<string, string>>, request: unknown = { url }) {
    const { status, body } = await world.scrape(request, headers);
    return [status, body.error];
  }

  test("are kept to their formats", async () => {
    const key = await keyWith({ formats: ["markdown", "links"] });
    expect(await errorOf(key, { url, formats: ["links", "html", "rawHtml"] })).toEqual([
      403,
      "Request blocked: this API key is restricted to the following formats: markdown, links. Requested formats not allowed: html, rawHtml.",
    ]);
    expect((await errorOf(key))[0]).toBe(200);
  });

  test("are kept to their endpoints", async () => {
    const key = await keyWith({ endpoints: ["account"] });
    expect(await errorOf(key)).toEqual([
      403,
      "Request blocked: this API key is restricted to the following endpoints: account.",
    ]);
    expect((await world.get("/v2/team/credit-usage", key)).status).toBe(200);
  });

  test("are kept to their addresses", async () => {
    const key = await keyWith({ allowedIps: ["10.0.0.0/8", "2001:db8::/32"] });
    expect(await errorOf(key)).toEqual([
      403,
      "Request blocked: IP address 127.0.0.1 is not on this team's allowed IP list.",
    ]);
    const local = await keyWith({ allowedIps: ["127.0.0.0/8"] });
    expect((await errorOf(local))[0]).toBe(200);
  });

  test("are kept to their credits, and shown with their last use", async () => {
    const key = await keyWith({ credits: 1 });
    expect((await errorOf(key))[0]).toBe(200);
    expect((await errorOf(key))[0]).toBe(402);
  });

  test.each([
    ["revoked", (_teamId: string, keyId: string) => `DELETE keys/${keyId}`],
    ["of a deleted team", (teamId: string) => `DELETE teams/${teamId}`],
  ])("that are %s end what runs and what waits on their account, free of charge", async (name, end) => {
    const team = await makeTeam(world, { limits: { concurrency: 1 }, credits: 10 });
    const other = await makeTeam(world);
    const path = `/under-way-${name.replaceAll(" ", "-")}`;
    const { slowUrl, open } = slowPage(path);
    const answers = [1, 2].map((count) => team.scrape({ url: `${slowUrl}?${count}`, maxAge: 0 }));
    const others = other.scrape({ url: `${slowUrl}?other`, maxAge: 0 });
    const hits = () => ["1", "2", "other"].map((which) => world.site.hits(`${path}?${which}`).length);
    await expect.poll(hits).toEqual([1, 0, 1]);
    const keys = (await operate(world, `GET teams/${team.teamId}/keys`)).body.data;
    await operate(world, end(team.teamId, String(keys[0]?.["keyId"])));
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.error]).toEqual([401, "Unauthorized: Invalid token"]);
    }
    open();
    expect((await others).status).toBe(200);
    expect(hits()).toEqual([1, 0, 1]);
    expect(await team.moves()).toEqual(["issuer → prepaid 10"]);
    const stored = (await operate(world, `GET requests?team=${team.teamId}`)).body.data;
    expect(stored).toHaveLength(name === "revoked" ? 1 : 0);
  });

  test("that are revoked are refused at once, and for good", async () => {
    const team = await makeTeam(world);
    const keys = async () => (await operate(world, `GET teams/${team.teamId}/keys`)).body.data;
    await team.scrape({ url });
    await expect.poll(async () => (await keys())[0]?.["lastUsedAt"]).toEqual(expect.any(String));
    const keyId = String((await keys())[0]?.["keyId"]);
    expect((await operate(world, `DELETE keys/${keyId}`)).status).toBe(200);
    expect((await team.scrape({ url })).body.error).toBe("Unauthorized: Invalid token");
    expect((await operate(world, `DELETE keys/${keyId}`)).status).toBe(404);
    expect((await keys())[0]?.["revokedAt"]).toEqual(expect.any(String));
  });
});

describe("the operator's interface", () => {
  test("finds requests by team, status and domain, page by page", async () => {
    const team = await makeTeam(world);
    await team.scrape({ url });
    await team.scrape({ url });
    await team.scrape({ url: "http://127.0.0.9:1/" });
    const found = (query: string) => operate(world, `GET requests?team=${team.teamId}${query}`);
    const failed = (await found("&status=failed")).body.data;
    expect(failed).toMatchObject([{ url: "http://127.0.0.9:1/", errorCode: "SCRAPE_ALL_ENGINES_FAILED" }]);
    expect((await found("&domain=127.0.0.1")).body.data).toHaveLength(2);
    expect((await found("&domain=127.0.0.9")).body.data).toHaveLength(1);
    expect((await found("&domain=7.0.0.1")).body.data).toHaveLength(0);
    expect((await found("&domain=2130706433")).body.data).toHaveLength(2);
    await team.scrape({ url: "http://127.0.0.9:1/?from=http://sub.other.test/" });
    expect((await found("&domain=other.test")).body.data).toHaveLength(0);
    const first = (await found("&limit=2")).body;
    const rest = (await found(`&limit=2&cursor=${String(first.cursor)}`)).body;
    expect([first.data.length, rest.data.length, rest.cursor]).toEqual([2, 2, null]);
  });

  test("a deleted team is gone with its keys and its history; its ledger stays without names", async () => {
    const team = await makeTeam(world, { credits: 9, name: "Secretive" });
    const { body } = await team.scrape({ url });
    const { scrapeId } = body.data.metadata;
    expect((await operate(world, `DELETE teams/${team.teamId}`)).status).toBe(200);
    expect((await team.scrape({ url })).status).toBe(401);
    expect((await operate(world, `GET requests?team=${team.teamId}`)).body.data).toEqual([]);
    expect(JSON.stringify((await operate(world, "GET teams")).body)).not.toContain("Secretive");
    const ledger = (await operate(world, `GET teams/${team.teamId}/ledger`)).body.data;
    expect(ledger.find(({ id }) => id === scrapeId)).toMatchObject({ amount: 1, keyId: null });
  });
});
