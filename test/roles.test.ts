import { request as sendRequest } from "node:http";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import type { NodesAnswer } from "../packages/server/src/operator/nodes.ts";
import type { OverviewAnswer } from "../packages/server/src/operator/overview.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { findPostgres } from "../packages/server/src/storage/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { RunClient } from "./runs.ts";
import { makeTeam, operate, type SoakService } from "./service-process.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const programs = findPostgres();
const SCRIPT = htmlPage(
  "<main><h1>Made</h1><p id=p></p><script>p.textContent = 'by a script'</script></main>",
);

/** A member that is not there fails the test. */
interface JsonAnswer extends Readonly<Record<string, unknown>> {
  readonly code: number;
}

describe.runIf(programs)("nodes with some of the roles", () => {
  let cluster: Cluster;
  let site: Site;
  let api: SoakService;
  let work: SoakService;
  let headers: Record<string, string>;

  beforeAll(async () => {
    await build();
    cluster = await openCluster(programs ?? "", builtProgram);
    site = await openSite();
    [api, work] = await Promise.all([
      cluster.start({ ROLES: "api" }),
      cluster.start({ ROLES: "work", WORKERS: "2" }),
    ]);
    const { apiKey } = await makeTeam(api.url, { name: "team", credits: 1000 });
    headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  }, 120_000);

  afterAll(async () => {
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

  test("jobs run where work is done", async () => {
    const url = site.page("/made", SCRIPT);
    const scraped = await ask("POST /v2/scrape", { url, formats: ["markdown"] });
    expect(scraped).toMatchObject({ code: 200, data: { markdown: expect.stringContaining("Made") } });
    const runs = new RunClient({ baseUrl: api.url }, headers);
    const id = await runs.batch({ urls: [url, `${url}?2`], maxAge: 0 });
    expect(await runs.endedBatch(id)).toMatchObject({ status: "completed", completed: 2 });
  });

  test("a node without the role api answers balancers, and tells clients where to go", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      const { status } = await fetch(`${work.url}${path}`, { headers });
      expect([path, status === 200 || path === "/metrics"]).toEqual([path, true]);
    }
    const refused = await fetch(`${work.url}/v2/scrape`, { method: "POST", headers, body: "{" });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining("with the role api") });
    expect((await fetch(`${work.url}/admin/api/overview`, { headers })).status).toBe(503);
    expect(await statusOf(`${work.url}/v2/crawl/x`, {})).toBe(503);
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
