import { readFile } from "node:fs/promises";
import { request as sendRequest } from "node:http";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { makeTeam, operate, type SoakService } from "../soak/service.ts";
import { readConfig } from "../src/config/config.ts";
import type { NodesAnswer } from "../src/contract/operator/nodes.ts";
import type { OverviewAnswer } from "../src/contract/operator/overview.ts";
import { findPostgres } from "../src/platform/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";
import { type Cluster, NODE_SECRET, openCluster } from "./cluster.ts";
import { RunClient } from "./runs.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const programs = findPostgres();
const LEASE = "/node/browser?program=shell&isolates=0&windows=0";
const SCRIPT = htmlPage(
  "<main><h1>Made</h1><p id=p></p><script>p.textContent = 'by a script'</script></main>",
);

/** A member that is not there fails the test. */
interface JsonAnswer extends Readonly<Record<string, unknown>> {
  readonly code: number;
}

const MAX_TRIES = 3;

describe.runIf(programs)("nodes with some of the roles", () => {
  let cluster: Cluster;
  let site: Site;
  let database: Client;
  let api: SoakService;
  let work: SoakService;
  let browse: SoakService;
  let headers: Record<string, string>;

  beforeAll(async () => {
    await build();
    cluster = await openCluster(programs ?? "", builtProgram);
    site = await openSite();
    [api, work, browse] = await Promise.all([
      cluster.start({ ROLES: "api" }),
      cluster.start({ ROLES: "work", WORKERS: "2" }),
      cluster.start({ ROLES: "browse", BROWSER_TABS: "32" }),
    ]);
    const { apiKey } = await makeTeam(api.url, { name: "team", credits: 1000 });
    headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    database = new Client({ connectionString: cluster.databaseUrl.replace(/&schema=.*/, "") });
    await database.connect();
    await database.query("SET search_path TO cluster");
  }, 120_000);

  afterAll(async () => {
    await database.end();
    await cluster.close();
    await site.close();
  });

  async function ask(line: string, body?: object) {
    const [method = "", path = ""] = line.split(" ");
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    return { ...answer, code: response.status } as JsonAnswer;
  }

  /** On a busy machine a lent browser may not be ready in time, which is answered so: clients ask again then. */
  async function insist(line: string, body: object) {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(line, body);
      if (answer.code === 200 || tries === MAX_TRIES) return answer;
    }
  }

  /** Where the node with the role browse listens to the others. */
  async function lendingUrls(): Promise<readonly string[]> {
    const { rows } = await database.query<{ url: string }>(
      "SELECT url FROM nodes WHERE facts LIKE '%\"browse\"%'",
    );
    return rows.map(({ url }) => url);
  }

  async function lendingUrl(): Promise<string> {
    const [url] = await lendingUrls();
    return url ?? "";
  }

  test("pages and sessions use browsers of the node that lends them, and jobs run where work is done", async () => {
    const url = site.page("/made", SCRIPT);
    const scraped = await insist("POST /v2/scrape", {
      url,
      waitFor: 1,
      formats: ["markdown", "screenshot"],
    });
    expect(scraped).toMatchObject({ code: 200, data: { markdown: expect.stringContaining("by a script") } });
    const opened = await insist("POST /v2/browser", {});
    expect(opened.code).toBe(200);
    const run = { code: `await page.goto("${url}"); console.log(await page.title())`, language: "node" };
    const session = `/v2/browser/${String(opened["id"])}`;
    expect(await ask(`POST ${session}/execute`, run)).toMatchObject({ code: 200, success: true });
    expect(await browsersOf(api)).toEqual([]);
    expect(await browsersOf(browse)).not.toEqual([]);
    expect(await ask(`DELETE ${session}`)).toMatchObject({ code: 200 });
    const runs = new RunClient({ baseUrl: api.url }, headers);
    const id = await runs.batch({ urls: [url, `${url}?2`], waitFor: 1, maxAge: 0 });
    expect(await runs.endedBatch(id)).toMatchObject({ status: "completed", completed: 2 });
    expect(await browsersOf(work)).toEqual([]);
  });

  test("nodes without the role api answer balancers, and tell clients where to go", async () => {
    for (const node of [work, browse]) {
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        const { status } = await fetch(`${node.url}${path}`, { headers });
        expect([path, status === 200 || path === "/metrics"]).toEqual([path, true]);
      }
      const refused = await fetch(`${node.url}/v2/scrape`, { method: "POST", headers, body: "{" });
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ error: expect.stringContaining("with the role api") });
      expect((await fetch(`${node.url}/admin/api/overview`, { headers })).status).toBe(503);
      expect(await statusOf(`${node.url}/v2/crawl/x`, {})).toBe(503);
      expect(await statusOf(`${node.url}${LEASE}`, { "x-pergamon-node": NODE_SECRET })).not.toBe(101);
    }
  });

  test("browsers are lent to those who know the secret alone, at their path alone", async () => {
    const url = await lendingUrl();
    const own = { "x-pergamon-node": NODE_SECRET };
    expect(await statusOf(`${url}${LEASE}`, {})).toBe(403);
    expect(await statusOf(`${url}${LEASE}`, { "x-pergamon-node": `${NODE_SECRET}x` })).toBe(403);
    expect(await statusOf(`${url}${LEASE}`, { "x-pergamon-node": "x".repeat(10_000) })).toBe(403);
    for (const path of ["/node/browser", `${LEASE}&x=1`, "/node/other", "/devtools/browser/x"])
      expect([path, await statusOf(`${url}${path}`, own)]).toEqual([path, 403]);
    const before = (await browsersOf(browse)).length;
    const socket = new WebSocket(`${url}${LEASE}`, { headers: own });
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("open", resolve));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.send(`{"id":1,"method":"Browser.getVersion","params":{"x":"${"x".repeat(70 * 1024 * 1024)}"}}`);
    await ended;
    const lent = async () => (await browsersOf(browse)).length;
    await expect.poll(lent).toBeLessThanOrEqual(before);
  });

  test("a row that was not signed with the secret gets neither requests nor the secret", async () => {
    let asked = 0;
    const trap = await openSite();
    trap.otherwise((_request, response) => {
      asked += 1;
      response.end();
    });
    const facts = `{"roles":["browse"],"isDraining":false,"browsers":{"most":99,"free":99,"programs":["shell"]}}`;
    await database.query(
      `INSERT INTO nodes (tag, process, url, seen_at, facts, proof)
       SELECT 'trap', 'trap', $1, seen_at + 20000, $2, proof FROM nodes LIMIT 1`,
      [trap.url(""), facts],
    );
    const url = site.page("/beside", SCRIPT);
    expect(await ask("POST /v2/scrape", { url, waitFor: 1, maxAge: 0 })).toMatchObject({ code: 200 });
    expect(asked + trap.connections()).toBe(0);
    await trap.close();
  });

  test("a page in a browser of a node that dies is made in one of another", async () => {
    const other = await cluster.start({ ROLES: "browse", BROWSER_TABS: "32" });
    await expect.poll(lendingUrls).toHaveLength(2);
    let arrived = 0;
    const url = site.page("/slow", (_request, response) => {
      arrived += 1;
      setTimeout(() => response.end(SCRIPT), 1500).unref();
    });
    const answering = ask("POST /v2/scrape", { url, waitFor: 1, maxAge: 0 });
    await expect.poll(() => arrived).toBeGreaterThan(0);
    const dying = (await browsersOf(browse)).length > 0 ? browse : other;
    await dying.kill();
    expect(await answering).toMatchObject({
      code: 200,
      data: { markdown: expect.stringContaining("by a script") },
    });
  });

  test("a node that is told to end goes on while balancers leave it, and ends WebSockets with 1012", async () => {
    const node = await cluster.start({ DRAIN_DELAY_SECONDS: "2" });
    const url = site.page("/while", htmlPage("<main><h1>While</h1></main>"));
    const slow = site.page("/crawled", (_request, response) => {
      setTimeout(() => response.end(htmlPage("<main>Slow</main>")), 10_000).unref();
    });
    const runs = new RunClient({ baseUrl: node.url }, headers);
    const id = await runs.batch({ urls: [slow] });
    const socket = new WebSocket(`${node.url.replace("http", "ws")}/v2/batch/scrape/${id}`, { headers });
    await new Promise((resolve) => socket.once("message", resolve));
    const closed = new Promise<number>((resolve) => socket.once("close", (code) => resolve(code)));
    const ended = node.stop();
    await expect.poll(async () => (await fetch(`${node.url}/readyz`)).status, { interval: 50 }).toBe(503);
    const body = JSON.stringify({ url });
    const late = await fetch(`${node.url}/v2/scrape`, { method: "POST", headers, body });
    expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
    expect(await closed).toBe(1012);
    await ended;
  });

  test("figures of the overview are those of all nodes", async () => {
    const { nodes } = ((await operate(api.url, "nodes")) as NodesAnswer).data;
    expect(nodes.filter(({ isThisOne }) => isThisOne).map(({ roles }) => roles)).toEqual([["api"]]);
    expect(nodes.filter(({ roles }) => roles.includes("work"))).toHaveLength(2);
    const { concurrency } = readConfig({}).scraping;
    const limitOfAll = async () =>
      ((await operate(api.url, "overview")) as OverviewAnswer).data.now.fetchingLimit;
    await expect.poll(limitOfAll).toBeGreaterThanOrEqual(3 * concurrency);
  });
});

/** The browsers that a service has started. */
async function browsersOf({ pid }: SoakService): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const pids = text.trim().split(" ").filter(Boolean);
  const lines = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes("--remote-debugging-pipe"));
}

/** The status that a request to upgrade is answered with. */
function statusOf(url: string, more: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" };
    const headers = { connection: "Upgrade", upgrade: "websocket", ...key, ...more };
    const sent = sendRequest(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}
