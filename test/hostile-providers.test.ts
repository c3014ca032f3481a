import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SECRET = "hunter2-of-the-provider";
const TIMEOUT_MS = 2000;
/** What an answer may take beyond the time of its request. */
const GRACE_MS = 1500;
const CHUNK = Buffer.alloc(256 * 1024, "x");
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "), { level: 1 });

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

/** Writes as long as somebody reads: ten gigabytes and more. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

function drip(response: ServerResponse, text: string): void {
  const drop = setInterval(() => response.write(text), 50);
  response.on("close", () => clearInterval(drop));
}

const answerings: Readonly<Record<string, Answering>> = {
  endless: (response) => pour(response, CHUNK),
  bomb: (response) => response.setHeader("content-encoding", "gzip").end(BOMB),
  drip: (response) => drip(response, " "),
  "headers-only": (response) => response.flushHeaders(),
  page: (response) =>
    response.setHeader("content-type", "text/html").end(`<h1>Not what you want</h1>${SECRET}`),
  empty: (response) => response.end(),
  half: (response) => response.end('{"items":[1,'),
  deep: (response) => response.end("[".repeat(100_000)),
  breaks: (response) => {
    response.writeHead(200, { "content-length": "1000" }).write("{");
    setTimeout(() => response.destroy(), 20);
  },
  "no-http": (response) => response.socket?.end("220 mail.test ESMTP\r\n"),
};

/** Text that is JSON: larger than the main thread parses; with more values than anyone may send. */
const LARGE_JSON = JSON.stringify({ text: "x".repeat(2_000_000), list: [1, { b: null }] });
const MANY_VALUES = `[${"{},".repeat(1_000_000)}{}]`;

/** Servers that speak the Model Context Protocol well until a tool is called. */
const callings: Readonly<Record<string, Answering>> = {
  "mcp-endless": (response) => pour(response.setHeader("content-type", "application/json"), CHUNK),
  "mcp-flood": (response) =>
    pour(response, Buffer.from('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'.repeat(1000))),
  "mcp-no-end": (response) => pour(response, Buffer.from(`data: ${"x".repeat(1000)}\n`.repeat(100))),
  "mcp-drip": (response) => drip(response, ": still there\n\n"),
  "mcp-page": (response) => response.setHeader("content-type", "text/html").end("<h1>Proxy</h1>"),
  "mcp-twice": (response, request) => {
    void buffer(request);
    response.end(`data: ${resultOf("first")}\n\ndata: ${resultOf("second")}\n\n`);
  },
  "mcp-large": (response, request) => {
    void buffer(request);
    response.end(`data: ${resultOf(LARGE_JSON)}\n\n`);
  },
  "mcp-many-values": (response, request) => {
    void buffer(request);
    response.end(`data: ${resultOf(MANY_VALUES)}\n\n`);
  },
  "mcp-breaks": (response) => {
    response.write("data: {");
    setTimeout(() => response.destroy(), 20);
  },
};
let lastId = 0;

function resultOf(text: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: lastId, result: { content: [{ type: "text", text }] } });
}

/** @param answer how a call of a tool is answered, and whatever the server says by itself */
function speak(answer: Answering, listen: Answering) {
  return (request: IncomingMessage, response: ServerResponse) =>
    void (async () => {
      if (request.method !== "POST") return listen(response, request);
      const { id, method } = JSON.parse(String(await buffer(request))) as { id: number; method: string };
      lastId = id;
      const results: Readonly<Record<string, object>> = {
        initialize: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: {} },
        "tools/list": { tools: [{ name: "good", description: "x", inputSchema: { type: "object" } }] },
      };
      const result = results[method];
      if (result) return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method !== "tools/call") return response.writeHead(202).end();
      return answer(response.setHeader("content-type", "text/event-stream"), request);
    })();
}

const silent: Answering = (response) => response.writeHead(405).end();
/** Floods from the moment somebody listens, with calls answered as they should be. */
const listenings: Readonly<Record<string, Answering>> = {
  "mcp-notifies": (response) =>
    pour(
      response.setHeader("content-type", "text/event-stream"),
      Buffer.from('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'.repeat(1000)),
    ),
  "mcp-one-event": (response) =>
    pour(
      response.setHeader("content-type", "text/event-stream"),
      Buffer.from(`data: ${"x".repeat(1000)}\n`.repeat(100)),
    ),
};

let upstream: Site;
let world: World;

beforeAll(async () => {
  upstream = await openSite();
  const facts = { description: "For tests." };
  const base = upstream.url("");
  const answersWell: Answering = (response) => response.end(`data: ${resultOf("fine")}\n\n`);
  upstream.page("/good", (_request, response) => response.end('{"is":"good"}'));
  for (const [id, answer] of Object.entries(answerings))
    upstream.page(`/${id}`, (request, response) => answer(response, request));
  for (const [id, answer] of Object.entries(callings)) upstream.page(`/${id}`, speak(answer, silent));
  for (const [id, answer] of Object.entries(listenings)) upstream.page(`/${id}`, speak(answersWell, answer));
  const ids = ["good", ...Object.keys(answerings)];
  const http = {
    ...facts,
    id: "http",
    name: "HTTP",
    kind: "http",
    base,
    headers: { "x-key": { $secret: "KEY" } },
    capabilities: ids.map((id) => ({
      id,
      description: "x",
      creditsCost: 1,
      readOnly: true,
      options: { type: "object" },
      request: { path: `/${id}` },
    })),
  };
  const documents = Object.keys(answerings).map((id) => ({
    ...facts,
    id: `document-${id}`,
    name: id,
    kind: "openapi",
    document: `${base}/${id}`,
  }));
  const servers = [...Object.keys(callings), ...Object.keys(listenings)].map((id) => ({
    ...facts,
    id,
    name: id,
    kind: "mcp",
    url: `${base}/${id}`,
  }));
  const folder = testFolder();
  const file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify({ providers: [http, ...documents, ...servers] }));
  const settings = { PROVIDERS_FILE: file, PROVIDER_SECRETS: JSON.stringify({ KEY: SECRET }) };
  world = await openWorld(settings);
});

interface Result {
  readonly data?: unknown;
  readonly creditsCost: number;
  readonly error?: { readonly code: string; readonly message: string };
}

interface Results {
  readonly alexandria?: readonly Result[];
}

/** The result, or the body of a refusal. @throws when it took longer than it may. */
async function call(provider: string, capability: string): Promise<Result> {
  const startMs = performance.now();
  const answer = await fetch(`${world.baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ alexandria: { provider, capability, options: {} }, timeout: TIMEOUT_MS }),
  });
  const text = await answer.text();
  expect(text).not.toContain(SECRET);
  expect(performance.now() - startMs).toBeLessThan(TIMEOUT_MS + GRACE_MS);
  const {
    code,
    error,
    data,
    details = data,
  } = JSON.parse(text) as {
    readonly code: string;
    readonly error: string;
    readonly data?: Results;
    readonly details?: Results;
  };
  return details?.alexandria?.[0] ?? { creditsCost: 0, error: { code, message: error } };
}

async function expectTheRestUnharmed(): Promise<void> {
  await expect.poll(() => upstream.openSockets()).toBeLessThan(10);
  expect(await call("http", "good")).toMatchObject({ data: { is: "good" }, creditsCost: 1 });
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(300 * 1024 * 1024);
}

describe("an upstream", () => {
  test.each([
    ["endless", "response_too_large"],
    ["bomb", "response_too_large"],
    ["drip", "timeout"],
    ["headers-only", "timeout"],
    ["page", "upstream_error"],
    ["empty", "upstream_error"],
    ["half", "upstream_error"],
    ["deep", "upstream_error"],
    ["breaks", "upstream_unavailable"],
    ["no-http", "upstream_unavailable"],
  ])("that answers with %s is told as %s, in time and at no cost", async (capability, code) => {
    expect(await call("http", capability)).toMatchObject({ creditsCost: 0, error: { code } });
    await expectTheRestUnharmed();
  });
});

describe("a document", () => {
  test.each(Object.keys(answerings))("that is %s makes its provider unavailable, in time", async (id) => {
    expect(await call(`document-${id}`, "x")).toMatchObject({ error: { code: "provider_unavailable" } });
    await expectTheRestUnharmed();
  });
});

describe("a server of the Model Context Protocol", () => {
  test.each([
    ["mcp-endless", "response_too_large"],
    ["mcp-flood", "upstream_error"],
    ["mcp-no-end", "response_too_large"],
    ["mcp-drip", "timeout"],
    ["mcp-page", "outcome_unknown"],
    ["mcp-breaks", "outcome_unknown"],
  ])("%s: a call is told as %s, in time and at no cost", async (provider, code) => {
    expect(await call(provider, "good")).toMatchObject({ creditsCost: 0, error: { code } });
    await expectTheRestUnharmed();
  });

  test("mcp-twice: the first answer counts", async () => {
    expect(await call("mcp-twice", "good")).toMatchObject({ data: "first" });
  });

  test("mcp-large: a large text that is JSON becomes its value", async () => {
    expect(await call("mcp-large", "good")).toMatchObject({ data: JSON.parse(LARGE_JSON) as object });
  });

  test("mcp-many-values: JSON of a million values stays text", async () => {
    expect(await call("mcp-many-values", "good")).toMatchObject({ data: MANY_VALUES });
  });

  test.each(Object.keys(listenings))("%s: what it says by itself takes no memory", async (provider) => {
    await call(provider, "good");
    await expectTheRestUnharmed();
  });
});
