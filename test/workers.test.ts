import { readFile } from "node:fs/promises";
import { Agent, request as sendRequest } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, type SoakService, startSoakService } from "./service-process.ts";
import { build, builtProgram } from "./built.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const WORKERS = 3;
/** Each over a connection of its own: workers get connections in turn. */
const TIMES = 2 * WORKERS;
const SETTINGS = { WORKERS: String(WORKERS), LOG_LEVEL: "error" };

const folder = testFolder();
let site: Site;
let service: SoakService;
let headers: Record<string, string>;

beforeAll(async () => {
  await build();
  site = await openSite();
  service = await startSoakService({ command: builtProgram, dataDir: folder, settings: SETTINGS });
  const { apiKey } = await makeTeam(service.url, { name: "team", credits: 1000 });
  headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
}, 120_000);

afterAll(() => service.kill());

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request over a connection of its own. */
function ask(line: string, body?: object): Promise<Answer> {
  const [method, path = ""] = line.split(" ");
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const url = path.startsWith("http") ? path : `${service.url}${path}`;
    const sent = sendRequest(url, { method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** A member that is not there fails the test. */
interface JsonAnswer extends Readonly<Record<string, unknown>> {
  readonly status: unknown;
}

async function askJson(line: string, body?: object): Promise<JsonAnswer> {
  const answer = await ask(line, body);
  return { status: answer.status, ...(JSON.parse(answer.body) as object) };
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

test("workers share the port, and what one has been told holds in all", async () => {
  const url = site.page("/page", htmlPage("<main><h1>Page</h1></main>"));
  for (let time = 0; time < TIMES; time += 1) {
    expect(await askJson("POST /v2/scrape", { url })).toMatchObject({ status: 200, success: true });
  }
  const children = await childrenOf(service.pid);
  expect(children).toHaveLength(WORKERS);
});

test("a run that is kept in the memory of one worker is found over any", async () => {
  const urls = Array.from({ length: 3 }, (_, index) =>
    site.page(`/quiet/${index}`, htmlPage(`<main><h1>${index}</h1></main>`)),
  );
  const started = await askJson("POST /v2/batch/scrape", { urls, zeroDataRetention: true });
  expect(started).toMatchObject({ status: 200 });
  const id = String(started["id"]);
  await expect
    .poll(() => askJson(`GET /v2/batch/scrape/${id}`))
    .toMatchObject({ status: "completed", completed: 3 });
  for (let time = 0; time < TIMES; time += 1) {
    const answer = await askJson(`GET /v2/batch/scrape/${id}`);
    expect(answer).toMatchObject({ success: true, completed: 3 });
  }
});

test("a session is used, seen, connected to and ended over any worker", async () => {
  const opened = await askJson("POST /v2/browser", {});
  expect(opened).toMatchObject({ status: 200, id: expect.any(String) });
  const path = `/v2/browser/${String(opened["id"])}`;
  for (let time = 0; time < TIMES; time += 1) {
    expect(await askJson(`GET ${path}`)).toMatchObject({ status: "active", cdpUrl: opened["cdpUrl"] });
    const executed = await askJson(`POST ${path}/execute`, {
      code: `console.log("${time}")`,
      language: "node",
    });
    expect(executed).toMatchObject({ success: true, stdout: expect.stringContaining(String(time)) });
    const live = await ask(`GET ${String(opened["liveViewUrl"])}`);
    expect(live.status).toBe(200);
    expect(await versionOver(String(opened["cdpUrl"]))).toContain("Chrome");
  }
  expect((await ask(`GET ${String(opened["liveViewUrl"]).replace(/.$/, "_")}`)).status).toBe(404);
  expect(await askJson(`DELETE ${path}`)).toMatchObject({ success: true });
});

test("a session that an assistant has begun goes on over any worker", async () => {
  const scraped = await askJson("POST /v2/scrape", { url: site.url("/page") });
  const { scrapeId } = (scraped["data"] as { readonly metadata: { readonly scrapeId: string } }).metadata;
  const call = (name: string, more: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: { scrapeId, ...more } },
  });
  for (let time = 0; time < TIMES; time += 1) {
    const run = {
      code: `globalThis.times = (globalThis.times ?? 0) + 1; console.log(times)`,
      language: "node",
    };
    const answer = await ask("POST /mcp", call("interact", run));
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(`${time + 1}`)]);
    expect(answer.body).not.toContain('"isError":true');
  }
  expect((await ask("POST /mcp", call("interact_stop", {}))).body).not.toContain('"isError":true');
});

/** What the browser of a session says of itself over a WebSocket. */
async function versionOver(cdpUrl: string): Promise<string> {
  const socket = new WebSocket(cdpUrl);
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("open", () => socket.send(JSON.stringify({ id: 1, method: "Browser.getVersion" })));
      socket.on("message", (data: Buffer) => {
        const { result } = JSON.parse(data.toString()) as { result?: { product: string } };
        if (result) resolve(result.product);
      });
    });
  } finally {
    socket.terminate();
  }
}

test("a worker that dies is started again, and the others go on", async () => {
  const url = site.url("/page");
  const before = await childrenOf(service.pid);
  process.kill(before[0] as number, "SIGKILL");
  await expect
    .poll(async () => (await childrenOf(service.pid)).filter((pid) => !before.includes(pid)))
    .toHaveLength(1);
  await expect.poll(async () => (await ask("POST /v2/scrape", { url })).status).toBe(200);
});

test("what is under way is finished when the service is stopped", async () => {
  let arrived = 0;
  const url = site.page("/slow", (_request, response) => {
    arrived += 1;
    setTimeout(() => response.end(htmlPage("<main><h1>Slow</h1></main>")), 1000).unref();
  });
  const slow = Array.from({ length: WORKERS }, (_, index) =>
    ask("POST /v2/scrape", { url: `${url}?${index}`, maxAge: 0 }),
  );
  await expect.poll(() => arrived).toBe(WORKERS);
  await service.stop();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
});
