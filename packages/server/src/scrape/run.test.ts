import { beforeEach, describe, expect, test } from "vitest";

import { makeTeam, operate } from "../../../../test/operator.ts";
import { htmlPage } from "../../../../test/site.ts";
import { useWorld } from "../../../../test/use-world.ts";
import type { Caller } from "../accounts/callers.ts";
import { startJob } from "./request/job.ts";
import { type RunServices, runScrape } from "./run.ts";

const ADMIN_KEY = "operator-key-of-the-tests";

const world = useWorld({
  AUTH: "keys",
  ADMIN_KEY,
  RATE_LIMIT: "off",
  TEAM_CONCURRENCY: "1",
  TEAM_QUEUE: "1",
});
let services: RunServices;
let caller: Caller;
let teamId: string;
let keyId: string;
let counted: { readonly result: string; readonly cacheState: string }[];

beforeEach(async () => {
  const team = await makeTeam(world, { credits: 100 });
  ({ teamId } = team);
  const apiKey = team.headers.authorization.slice("Bearer ".length);
  caller = (await world.app.callers.byKey(apiKey)) as Caller;
  keyId = caller.keyId ?? "";
  counted = [];
  services = { ...world.app.services, countScrape: (outcome) => counted.push(outcome) };
});

/** A scrape in this process, as a crawl or a command would have it done. */
function run(body: Readonly<Record<string, unknown>>, isGone = new AbortController().signal) {
  const job = startJob(services.plan(body), { caller, linkBase: "https://service.test" });
  return runScrape(job, services, isGone);
}

/** A page that answers on command. */
function heldPage(path: string) {
  const answer = resolvers();
  const url = world.site.page(path, (_request, response) => {
    void answer.promise.then(() => response.end(htmlPage("<h1>Held</h1>")));
  });
  return { url, open: () => answer.resolve(undefined) };
}

function resolvers() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function used(): Promise<readonly number[]> {
  const { body } = await operate(world, `GET teams/${teamId}/ledger?limit=1000`);
  return body.data.filter(({ to }) => to === "used").map(({ amount }) => Number(amount));
}

async function recorded(): Promise<readonly unknown[]> {
  const { body } = await operate(world, `GET requests?team=${teamId}`);
  return body.data.map(({ status, errorCode, creditsUsed, cacheState }) => ({
    status,
    errorCode,
    creditsUsed,
    cacheState,
  }));
}

describe("a scrape without HTTP", () => {
  test("is answered, charged, recorded and counted once", async () => {
    const url = world.site.page("/once", htmlPage("<h1>Once</h1>"));
    const { answer, facts } = await run({ url });
    expect(answer.data(facts)).toMatchObject({ markdown: "# Once", metadata: { creditsUsed: 1 } });
    expect(await used()).toEqual([1]);
    expect(await recorded()).toEqual([
      { status: "completed", errorCode: null, creditsUsed: 1, cacheState: "miss" },
    ]);
    expect(counted).toEqual([{ result: "ok", cacheState: "miss" }]);
  });

  test("waits for the team's turn, and says how long", async () => {
    const { url, open } = heldPage("/first");
    const first = run({ url, maxAge: 0 });
    await until(() => world.site.hits("/first").length === 1);
    const next = run({ url: world.site.page("/next", htmlPage("<h1>Next</h1>")), maxAge: 0 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(world.site.hits("/next")).toEqual([]);
    open();
    await first;
    const { facts } = await next;
    expect(facts.concurrencyLimited).toBe(true);
    expect(facts.concurrencyQueueDurationMs).toBeGreaterThanOrEqual(20);
  });

  test("is refused when too many of the team wait already, and costs nothing", async () => {
    const { url, open } = heldPage("/flood");
    const running = run({ url, maxAge: 0 });
    await until(() => world.site.hits("/flood").length === 1);
    const waiting = run({ url, maxAge: 0 });
    await expect(run({ url, maxAge: 0 })).rejects.toThrow("Concurrency limit reached");
    open();
    await Promise.all([running, waiting]);
    expect(await used()).toEqual([1, 1]);
  });

  test("ends at its deadline; the failure is recorded, and its place is free again", async () => {
    const { url, open } = heldPage("/late");
    await expect(run({ url, maxAge: 0, timeout: 1000 })).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect(await recorded()).toEqual([
      { status: "failed", errorCode: "SCRAPE_TIMEOUT", creditsUsed: 0, cacheState: null },
    ]);
    expect(await used()).toEqual([]);
    expect(counted).toEqual([{ result: "SCRAPE_TIMEOUT", cacheState: "none" }]);
    open();
    await run({ url: world.site.page("/after", htmlPage("<h1>After</h1>")), maxAge: 0 });
  });

  test("ends when nobody waits for it any more, with the reason that was given", async () => {
    const { url, open } = heldPage("/gone");
    const gone = new AbortController();
    const running = run({ url, maxAge: 0 }, gone.signal);
    await until(() => world.site.hits("/gone").length === 1);
    gone.abort(new Error("the crawl was cancelled"));
    await expect(running).rejects.toThrow("the crawl was cancelled");
    expect(await used()).toEqual([]);
    open();
  });

  test("is not begun for somebody who has gone already", async () => {
    const url = world.site.page("/never", htmlPage("<h1>Never</h1>"));
    const gone = AbortSignal.abort(new Error("too late"));
    await expect(run({ url, maxAge: 0 }, gone)).rejects.toThrow("too late");
    expect(world.site.hits("/never")).toEqual([]);
  });

  test("ends when its key is revoked, and leaves its place to others", async () => {
    const { url, open } = heldPage("/revoked");
    const running = run({ url, maxAge: 0 });
    await until(() => world.site.hits("/revoked").length === 1);
    const ended = running.catch((failure: unknown) => failure);
    await operate(world, `DELETE keys/${keyId}`);
    expect(await ended).toMatchObject({ message: "Unauthorized: Invalid token" });
    expect(await recorded()).toMatchObject([{ status: "failed", errorCode: "SCRAPE_JOB_CANCELLED" }]);
    open();
  });

  test("is refused when the team cannot pay, before anything is fetched", async () => {
    const poor = await makeTeam(world, { credits: 0 });
    const apiKey = poor.headers.authorization.slice("Bearer ".length);
    caller = (await world.app.callers.byKey(apiKey)) as Caller;
    const url = world.site.page("/dear", htmlPage("<h1>Dear</h1>"));
    await expect(run({ url })).rejects.toMatchObject({ code: "insufficient_credits" });
    expect(world.site.hits("/dear")).toEqual([]);
  });
});

describe("an answer that is in memory", () => {
  /** A page that was fetched, and found in the cache once. */
  async function remember(path: string, body = htmlPage("<h1>Remembered</h1>")): Promise<string> {
    const url = world.site.page(path, body);
    await run({ url });
    await run({ url });
    return url;
  }

  test("takes no turn, and is charged, recorded and counted like any other", async () => {
    const url = await remember("/remembered");
    const { url: heldUrl, open } = heldPage("/in-the-way");
    const running = run({ url: heldUrl, maxAge: 0 });
    await until(() => world.site.hits("/in-the-way").length === 1);
    const { answer, facts } = await run({ url });
    expect(answer.data(facts)).toMatchObject({ markdown: "# Remembered", metadata: { cacheState: "hit" } });
    expect(facts.concurrencyLimited).toBe(false);
    open();
    await running;
    expect(await used()).toEqual([1, 1, 1, 1]);
    expect(await recorded()).toContainEqual({
      status: "completed",
      errorCode: null,
      creditsUsed: 1,
      cacheState: "hit",
    });
    expect(counted.filter(({ cacheState }) => cacheState === "hit")).toHaveLength(2);
    expect(world.site.hits("/remembered")).toHaveLength(1);
  });

  test("is written into the audit log before it is given, when it is asked for in somebody's name", async () => {
    const url = await remember("/audited");
    const body = { url, auditMetadata: { username: "ada" } };
    await run(body);
    await run(body);
    const lines = await world.app.audit.read({ teamId, count: 100 });
    const scrapes = lines.map(({ text }) => JSON.parse(text) as { kind: string; username: string });
    expect(scrapes.filter(({ kind, username }) => kind === "scrape" && username === "ada")).toHaveLength(2);
  });

  test("is not given to a team that cannot pay", async () => {
    const url = await remember("/paid");
    const poor = await makeTeam(world, { credits: 0 });
    const apiKey = poor.headers.authorization.slice("Bearer ".length);
    caller = (await world.app.callers.byKey(apiKey)) as Caller;
    await expect(run({ url })).rejects.toMatchObject({ code: "insufficient_credits" });
  });
});
