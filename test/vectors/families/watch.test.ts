import { once } from "node:events";

import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { uuidV7 } from "../../../packages/kit/src/uuid.ts";
import { KEYED, makeTeam } from "../../operator.ts";
import { type RunAnswer, RunClient, type RunDocument } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { openWorld, type World } from "../../world.ts";

let world: World;
let keyed: World;
let runs: RunClient;

beforeAll(async () => {
  world = await openWorld({ HOST_CONCURRENCY: "50" });
  keyed = await openWorld({ ...KEYED });
  runs = new RunClient(world);
});

function somePages(count: number, afterMs = 0): string[] {
  return Array.from({ length: count }, (_, index) =>
    world.site.page(`/p/${afterMs}/${index}`, (_request, response) => {
      setTimeout(() => response.end(htmlPage(`<main><h1>Page ${index}</h1></main>`)), afterMs);
    }),
  );
}

interface Message {
  readonly type: string;
  readonly data: RunAnswer & RunDocument;
}

interface Watched {
  readonly protocol: string;
  readonly messages: readonly Message[];
  readonly code: number;
  readonly reason: unknown;
}

interface WatchOptions {
  readonly protocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: Pick<World, "baseUrl">;
}

/** Watches until the connection ends. */
async function watch(
  path: string,
  { protocol, headers = {}, at = world }: WatchOptions = {},
): Promise<Watched> {
  const url = at.baseUrl.replace(/^http/, "ws") + path;
  const socket = new WebSocket(url, protocol === undefined ? [] : [protocol], { headers });
  const messages: Message[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code, reason) =>
      resolve({ protocol: socket.protocol, messages, code, reason: parsed(String(reason)) }),
    );
  });
}

/** There is no reason where there was no connection. */
function parsed(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

const documentsOf = ({ messages }: Watched) => [
  ...(messages[0]?.data.data ?? []),
  ...messages.filter(({ type }) => type === "document").map(({ data }) => data),
];

test("F-55 ws: a running batch", async () => {
  const id = await runs.batch({ urls: somePages(5, 300), maxConcurrency: 1 });
  const watched = await watch(`/v2/batch/scrape/${id}`, { protocol: "fc-any" });
  expect(watched.protocol).toBe("fc-any");
  const [first] = watched.messages;
  const last = watched.messages.at(-1);
  expect(first).toMatchObject({ type: "catchup", data: { success: true, status: "scraping", total: 5 } });
  expect(first?.data).not.toHaveProperty("next");
  expect(documentsOf(watched)).toEqual((await runs.endedBatch(id)).data);
  expect(last).toMatchObject({ type: "done", data: { status: "completed", completed: 5, total: 5 } });
  expect(last?.data).not.toHaveProperty("data");
  expect([watched.code, watched.reason]).toEqual([1000, { type: "done" }]);
});

test("F-56 ws: a finished job of 105", async () => {
  const id = await runs.batch({ urls: somePages(105) });
  await runs.endedBatch(id);
  const watched = await watch(`/v2/batch/scrape/${id}`);
  expect(documentsOf(watched)).toEqual(await runs.all(`/v2/batch/scrape/${id}`));
  const ended = watched.messages.map(({ data }) => data.status !== undefined && data.status !== "scraping");
  expect(ended.indexOf(true)).toBe(watched.messages.length - 1);
  expect(watched.messages.at(-1)?.type).toBe("done");
});

test("F-57 ws: cancel", async () => {
  const id = await runs.batch({ urls: [world.site.page("/hanging", () => undefined)] });
  const watching = watch(`/v2/batch/scrape/${id}`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  const watched = await watching;
  expect(watched.messages.at(-1)).toMatchObject({ type: "status", data: { status: "cancelled", data: [] } });
  expect(watched.messages.map(({ type }) => type)).not.toContain("done");
  expect([watched.code, watched.reason]).toEqual([1000, { type: "done" }]);
});

describe("F-58 ws: refusals", () => {
  test("unknown and bad ids", async () => {
    for (const id of [uuidV7(), "x"]) {
      const { code, reason, messages } = await watch(`/v2/batch/scrape/${id}`);
      expect([code, messages]).toEqual([1008, []]);
      expect(reason).toEqual({
        type: "error",
        error: expect.stringMatching(/^(Job not found|Invalid job ID)/),
      });
    }
  });

  test("other teams, wrong keys; the right one by header and by protocol", async () => {
    const [team, others] = [await makeTeam(keyed, { credits: 9 }), await makeTeam(keyed)];
    const client = new RunClient(keyed, team.headers);
    const id = await client.batch({ urls: [keyed.site.page("/page", htmlPage("<h1>Page</h1>"))] });
    const path = `/v2/batch/scrape/${id}`;
    const at = keyed;
    expect((await watch(path, { at, headers: others.headers })).code).toBe(1008);
    const wrong = await watch(path, { at, protocol: "fc-wrong" });
    expect([wrong.code, wrong.reason]).toEqual([
      3000,
      { type: "error", error: "Unauthorized: Invalid token" },
    ]);
    expect((await watch(path, { at })).code).toBe(3000);
    expect((await watch(path, { at, headers: team.headers })).code).toBe(1000);
    const protocol = team.headers.authorization.slice("Bearer ".length);
    expect(await watch(path, { at, protocol })).toMatchObject({ code: 1000, protocol });
  });

  test("beyond the rate there is no WebSocket", async () => {
    const team = await makeTeam(keyed, { credits: 9, limits: { requestsPerMinute: 1 } });
    const ask = () => watch(`/v2/batch/scrape/${uuidV7()}`, { at: keyed, headers: team.headers });
    const asked = await Promise.allSettled(Array.from({ length: 80 }, ask));
    const [passed, refused] = [
      asked.flatMap((one) => (one.status === "fulfilled" ? [one.value.code] : [])),
      asked.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : [])),
    ];
    // One more passes each 1.2 seconds.
    expect(passed.length).toBeGreaterThanOrEqual(50);
    expect(new Set(passed)).toEqual(new Set([1008]));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toContain("429");
  });
});

describe("F-59 ws: the JavaScript watcher", () => {
  async function watchByClient(id: string, client: Firecrawl) {
    const watcher = client.watcher(id, { kind: "batch", pollInterval: 1 });
    const documents: unknown[] = [];
    const ends: { readonly status: string }[] = [];
    watcher.on("document", (document: unknown) => documents.push(document));
    watcher.on("done", (end: { readonly status: string }) => ends.push(end));
    await watcher.start();
    return { documents, ends };
  }

  const client = () => new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });

  test("has every document once, and the end", async () => {
    const id = await runs.batch({ urls: somePages(105) });
    const { documents, ends } = await watchByClient(id, client());
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(documents).toHaveLength(105);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  test("tells that a job was cancelled", async () => {
    const id = await runs.batch({ urls: [world.site.page("/hanging", () => undefined)] });
    const watching = watchByClient(id, client());
    await new Promise((resolve) => setTimeout(resolve, 200));
    await runs.ask(`DELETE /v2/batch/scrape/${id}`);
    expect((await watching).ends).toMatchObject([{ status: "cancelled" }]);
  });

  test("has the same by polling, where there are no WebSockets", async () => {
    const id = await runs.batch({ urls: somePages(3, 100) });
    const { WebSocket: original } = globalThis;
    const fails = () => {
      throw new Error("There are none.");
    };
    Object.assign(globalThis, { WebSocket: fails });
    try {
      const { documents, ends } = await watchByClient(id, client());
      expect(documents).toHaveLength(3);
      expect(ends).toMatchObject([{ status: "completed" }]);
    } finally {
      Object.assign(globalThis, { WebSocket: original });
    }
  });
});

test("F-60 ws: v1 path", async () => {
  const id = await runs.batch({ urls: somePages(1) });
  const watched = await watch(`/v1/batch/scrape/${id}`);
  expect(watched.messages.at(-1)?.type).toBe("done");
  expect([watched.code, watched.reason]).toEqual([1000, { type: "closed" }]);
});

test("a team has 100 watchers, and another team has its own", async () => {
  const [team, other] = [await makeTeam(keyed), await makeTeam(keyed)];
  const client = new RunClient(keyed, team.headers);
  const urls = [keyed.site.page("/never", () => undefined)];
  const id = await client.batch({ urls });
  const url = `${keyed.baseUrl.replace(/^http/, "ws")}/v2/batch/scrape/${id}`;
  const open = async () => {
    const socket = new WebSocket(url, { headers: team.headers });
    await once(socket, "open");
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 100 }, open));
  await expect(open()).rejects.toThrow("429");
  const others = await watch(`/v2/batch/scrape/${id}`, { headers: other.headers, at: keyed });
  expect(others.code).toBe(1008);
  sockets[0]?.terminate();
  await expect.poll(() => open().then(() => "open", String)).toBe("open");
  await client.ask(`DELETE /v2/batch/scrape/${id}`);
});
