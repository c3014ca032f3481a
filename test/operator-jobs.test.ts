import { createServer, type Server } from "node:http";

import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import type { Delivery } from "../packages/server/src/jobs/operator/deliveries.ts";
import type { HeatAnswer } from "../packages/server/src/jobs/operator/heat.ts";
import type { JobAnswer, JobEntry, JobPage } from "../packages/server/src/jobs/operator/show-job.ts";
import type { Program } from "../packages/server/src/cli/program.ts";
import { addWebhooksCommand } from "../packages/server/src/jobs/command/webhooks.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";
import type { AddressInfo } from "node:net";

const UNKNOWN = "019a1feb-a30f-7a27-af2c-143e82602e53";

const world = useWorld({ ...KEYED, HOST_CONCURRENCY: "50", WEBHOOK_RETRY_SECONDS: "1" });
let team: TestTeam;
let runs: RunClient;
/** Ends what `held` pages wait for. */
let release: () => void;
let released: Promise<void>;
let receiver: Server;
let receiverStatus = 200;
const received: { readonly webhookId: string; readonly type: string }[] = [];

beforeAll(async () => {
  team = await makeTeam(world, { name: "Research", flags: { zeroDataRetention: "allowed" } });
  runs = new RunClient(world, team.headers);
  released = new Promise<void>((resolve) => (release = resolve));
  world.site.page("/held", (_request, response) => {
    void released.then(() => response.end(htmlPage("<h1>At last</h1>")));
  });
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      received.push(JSON.parse(text) as (typeof received)[number]);
      response.writeHead(receiverStatus, { "content-type": "text/plain" }).end("Unknown order");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  release();
  receiver.close();
});

function page(path: string): string {
  return world.site.page(path, htmlPage(`<main><h1>${path}</h1></main>`));
}

function hook(): string {
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=secret`;
}

async function data<Data>(line: string): Promise<Data> {
  const { status, body } = await operate(world, line);
  expect([line, status]).toEqual([line, 200]);
  return body.data as unknown as Data;
}

const pagesOf = (id: string, query = "") => data<readonly JobPage[]>(`GET jobs/${id}/pages${query}`);

async function waitFor<Value>(
  look: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("a job that runs", () => {
  let id: string;

  beforeAll(async () => {
    const gone = "http://reader:pass@127.0.0.1:9/gone?api_key=secret";
    const urls = [page("/one"), page("/two"), gone, world.site.url("/held")];
    id = await runs.batch({ urls, formats: ["markdown"], timeout: 60_000 });
    const job = () => data<JobAnswer["data"]>(`GET jobs/${id}`);
    await waitFor(job, ({ job: { completed, failed } }) => completed === 2 && failed === 1);
  });

  test("is listed with its progress and the URL that it is recognised by", async () => {
    const [listed] = await data<readonly JobEntry[]>("GET jobs?state=scraping");
    expect(listed).toMatchObject({
      id,
      teamId: team.teamId,
      kind: "batch_scrape",
      state: "scraping",
      isPrivate: false,
      total: 4,
      completed: 2,
      failed: 1,
      running: 1,
      creditsUsed: 2,
      endedAt: null,
    });
    expect(listed?.firstUrl).toMatch(new RegExp(`^${world.site.url("/")}(?:one|two)$`));
  });

  test("tells what became of each page, without credentials", async () => {
    const states = (await pagesOf(id)).map(({ state, statusCode }) => [state, statusCode]);
    expect(states).toEqual([
      ["done", 200],
      ["done", 200],
      ["failed", null],
      ["running", null],
    ]);
    const [failed] = await pagesOf(id, "?state=failed");
    expect(failed).toMatchObject({ code: expect.stringMatching(/^SCRAPE_/), requestId: null });
    expect(failed?.url).toBe("http://127.0.0.1:9/gone?api_key=***");
    const { causes } = await data<JobAnswer["data"]>(`GET jobs/${id}`);
    expect(causes).toEqual([{ code: failed?.code, count: 1, message: failed?.error }]);
  });

  test("counts its pages by host, and those of them that failed", async () => {
    const { hosts } = await data<HeatAnswer["data"]>(`GET jobs/${id}/heat`);
    const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0);
    expect(hosts.map(({ host, pages, failed }) => [host, sum(pages), sum(failed)])).toEqual([
      ["127.0.0.1", 3, 1],
    ]);
  });

  test("lists its pages in parts", async () => {
    const seen: (string | null)[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await operate(world, `GET jobs/${id}/pages?limit=1${query}`);
      seen.push(...(body.data as unknown as JobPage[]).map(({ url }) => url));
      ({ cursor } = body);
    }
    expect(seen).toEqual((await pagesOf(id)).map(({ url }) => url));
  });

  test("is cancelled, and stays so", async () => {
    expect(await data<JobEntry>(`DELETE jobs/${id}`)).toMatchObject({ state: "cancelled", completed: 2 });
    expect(await data<JobEntry>(`DELETE jobs/${id}`)).toMatchObject({ state: "cancelled" });
    expect((await pagesOf(id)).map(({ state }) => state)).toEqual(["done", "done", "failed", "cancelled"]);
    // What has made nothing yet is called by what it was to make.
    const early = await runs.batch({ urls: [world.site.url("/held"), page("/one")] });
    const cancelled = await data<JobEntry>(`DELETE jobs/${early}`);
    expect(cancelled).toMatchObject({ completed: 0, firstUrl: world.site.url("/held") });
  });

  test("tells what was asked, to be run again", async () => {
    const { request } = await data<JobAnswer["data"]>(`GET jobs/${id}`);
    expect(request).toEqual({ body: { formats: ["markdown"], timeout: 60_000 }, masked: [] });
  });
});

test("jobs are found by team, kind and state, newest first, page by page", async () => {
  const other = await makeTeam(world, { name: "Other" });
  const theirs = new RunClient(world, other.headers);
  const first = await theirs.batch({ urls: [page("/first")] });
  const second = await theirs.batch({ urls: [page("/second")] });
  await theirs.endedBatch(second);
  await theirs.endedBatch(first);
  expect(await operate(world, `DELETE jobs/${first}`)).toEqual({
    status: 409,
    body: { success: false, error: "The job is completed already." },
  });
  const idsOf = async (query: string) =>
    (await data<readonly JobEntry[]>(`GET jobs?${query}`)).map(({ id }) => id);
  expect(await idsOf(`team=${other.teamId}`)).toEqual([second, first]);
  expect(await idsOf(`team=${other.teamId}&kind=batch_scrape&state=completed`)).toEqual([second, first]);
  expect(await idsOf(`team=${other.teamId}&kind=crawl`)).toEqual([]);
  expect(await idsOf(`team=${other.teamId}&state=failed`)).toEqual([]);
  const { body } = await operate(world, `GET jobs?team=${other.teamId}&limit=1`);
  expect(body.data).toMatchObject([{ id: second }]);
  expect(await idsOf(`team=${other.teamId}&limit=1&cursor=${body.cursor}`)).toEqual([first]);
});

test("of a crawl, what it has found and not visited is told", async () => {
  world.site.page("/robots.txt", "User-agent: *\nDisallow: /crawl/secret");
  const links = ["held", "last", "secret"].map((name) => `<a href="/crawl/${name}">${name}</a>`);
  const url = world.site.page("/crawl/", htmlPage(`<main><h1>Start</h1>${links.join(" ")}</main>`));
  world.site.page("/crawl/held", (_request, response) => void released.then(() => response.end()));
  page("/crawl/last");
  const { body } = await runs.ask("POST /v2/crawl", { url, limit: 10, maxConcurrency: 1, sitemap: "skip" });
  const pages = await waitFor(
    () => pagesOf(body.id),
    // The record of a page, with its address, is written a moment after its document.
    (all) => all.length === 4 && all.some(({ state }) => state === "running") && all.every((one) => one.url),
  );
  expect(pages.map(({ url: found, state }) => [found, state])).toEqual([
    [url, "done"],
    [world.site.url("/crawl/secret"), "blocked"],
    [world.site.url("/crawl/held"), "running"],
    [world.site.url("/crawl/last"), "waiting"],
  ]);
  const { body: first } = await operate(world, `GET jobs/${body.id}/pages?state=unfinished&limit=1`);
  expect(first.data).toMatchObject([{ state: "running" }]);
  const rest = await pagesOf(body.id, `?state=unfinished&cursor=${encodeURIComponent(first.cursor ?? "")}`);
  expect(rest).toMatchObject([{ state: "waiting" }]);
  expect(await data<JobEntry>(`DELETE jobs/${body.id}`)).toMatchObject({ kind: "crawl", firstUrl: url });
});

test("of a job with zero data retention, figures are told, and nothing of its pages", async () => {
  const id = await runs.batch({ urls: [page("/private")], zeroDataRetention: true, webhook: hook() });
  const job = () => data<JobAnswer["data"]>(`GET jobs/${id}`);
  const { job: ended, receiver: told } = await waitFor(job, (now) => now.job.state === "completed");
  expect(ended).toMatchObject({ isPrivate: true, firstUrl: null, completed: 1 });
  expect(told).toBeNull();
  const listed = await data<readonly JobEntry[]>(`GET jobs?team=${team.teamId}`);
  expect(listed.filter((entry) => entry.id === id)).toEqual([ended]);
  for (const line of [
    `GET jobs/${id}/pages`,
    `GET jobs/${id}/heat`,
    `GET jobs/${id}/steps`,
    `GET deliveries?job=${id}`,
    `POST jobs/${id}/resend`,
  ])
    expect([line, (await operate(world, line)).status]).toEqual([line, 403]);
});

test.each([
  "GET jobs/ID",
  "GET jobs/ID/pages",
  "GET jobs/ID/heat",
  "GET jobs/ID/steps",
  "DELETE jobs/ID",
  "GET deliveries?job=ID",
  "POST jobs/ID/resend",
])("%s of a job that there is not is answered 404", async (line) => {
  for (const id of [UNKNOWN, "x"]) {
    const { status, body } = await operate(world, line.replace("ID", id));
    expect([status, body.error]).toEqual([404, expect.stringMatching(/^Job not found/)]);
  }
});

describe("webhooks", () => {
  const deliveriesOf = (id: string, query = "") =>
    data<readonly Delivery[]>(`GET deliveries?job=${id}${query}`);

  test("that nobody took are sent again, one by one and all at once, and keep their ids", async () => {
    receiverStatus = 500;
    const id = await runs.batch({ urls: [page("/told")], webhook: hook() });
    await waitFor(
      () => deliveriesOf(id),
      (all) => all.length === 3 && all.every(({ state }) => state === "dead"),
    );
    const [completed, told, started] = await deliveriesOf(id, "&state=dead");
    expect([started, told, completed].map((event) => event?.type)).toEqual([
      "batch_scrape.started",
      "batch_scrape.page",
      "batch_scrape.completed",
    ]);
    expect(completed).toMatchObject({ attempts: 2, lastStatus: 500, nextAt: null });
    const { receiver: before } = await data<JobAnswer["data"]>(`GET jobs/${id}`);
    expect(before).toMatchObject({
      origin: new URL(hook()).origin,
      counts: { waiting: 0, handed: 0, delivered: 0, dead: 3 },
      failuresInARow: 6,
      lastStatus: 500,
    });
    receiverStatus = 200;
    received.length = 0;
    const { body, answer } = await data<Record<"body" | "answer", string>>(`GET deliveries/${started?.id}`);
    expect(answer).toBe("Unknown order");
    expect(JSON.parse(body)).toMatchObject({ type: started?.type, webhookId: started?.id, data: [] });
    expect(await data(`POST deliveries/${started?.id}/resend`)).toEqual({ resent: 1 });
    await waitFor(
      () => deliveriesOf(id, "&state=delivered"),
      (all) => all.length === 1,
    );
    expect(await data(`POST jobs/${id}/resend`)).toEqual({ resent: 2 });
    await waitFor(
      () => deliveriesOf(id, "&state=delivered"),
      (all) => all.length === 3,
    );
    const ids = [started, told, completed].map((event) => event?.id);
    expect(new Set(received.map(({ webhookId }) => webhookId))).toEqual(new Set(ids));
    expect(received).toHaveLength(ids.length);
    expect(await data(`POST jobs/${id}/resend`)).toEqual({ resent: 0 });
    expect((await operate(world, `POST deliveries/${UNKNOWN}/resend`)).status).toBe(404);
  });

  test("are signed with a secret that is shown and can be changed", async () => {
    const line = `teams/${team.teamId}/webhook-secret`;
    const first = await data<{ readonly secret: string }>(`GET ${line}`);
    expect(first.secret).toMatch(/^whsec_/);
    expect(await data(`GET ${line}`)).toEqual(first);
    const second = await data<{ readonly secret: string }>(`POST ${line}`);
    expect(second.secret).not.toBe(first.secret);
    expect(await data(`GET ${line}`)).toEqual(second);
    for (const method of ["GET", "POST"])
      expect((await operate(world, `${method} teams/x/webhook-secret`)).status).toBe(404);
  });

  test("are looked after on the command line, too", async () => {
    const { families, team: defaultTeam } = world.app;
    const { webhooks } = families.runs;
    const bench = { webhooks, defaultTeamId: defaultTeam.id, close: async () => undefined };
    const run = async (...parameters: readonly string[]) => {
      const cli = new Command().exitOverride();
      addWebhooksCommand(cli, () => ({ openWebhooks: async () => bench }) as unknown as Program);
      let printed = "";
      const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
        printed += String(text);
        return true;
      });
      await cli.parseAsync(["webhooks", ...parameters], { from: "user" }).finally(() => out.mockRestore());
      return printed;
    };
    const before = await run("secret", "--team", team.teamId);
    expect(before).toMatch(/^whsec_\S+\n$/);
    const after = await run("secret", "--team", team.teamId, "--rotate");
    expect(after).not.toBe(before);
    expect(await run("secret", "--team", team.teamId)).toBe(after);
    expect(await run("secret")).not.toBe(after);
    await expect(run("secret", "--team", "x")).rejects.toThrow(/not found/i);

    receiverStatus = 200;
    const id = await runs.batch({ urls: [page("/by-command")], webhook: hook() });
    const [event] = await waitFor(
      () => deliveriesOf(id, "&state=delivered"),
      (all) => all.length === 3,
    );
    received.length = 0;
    expect(await run("resend", event?.id ?? "")).toMatch(/^1 webhook to resend/);
    await waitFor(
      async () => received,
      ([first]) => first?.webhookId === event?.id,
    );
    await expect(run("resend", id)).rejects.toThrow("Nothing to resend");
  });
});
