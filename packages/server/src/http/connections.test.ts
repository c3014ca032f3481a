import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { usualConnectionLimits } from "./connections.ts";

const LIMITS = { firstByteMs: 400, headersMs: 800, requestMs: 1600, requests: 3, connections: 12 };
/** A busy machine. */
const LATE_MS = 8000;

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer(
    (app) => {
      app.post("/v2/echo", async ({ body }) => ({ body }));
      app.get("/v2/things", async () => ({ success: true }));
    },
    { connectionLimits: LIMITS },
  );
});

afterAll(() => server.close());

interface Client {
  readonly socket: Socket;
  /** How long the connection lived, and what came. */
  readonly closed: Promise<{ readonly tookMs: number; readonly received: string }>;
}

async function open(sent = ""): Promise<Client> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, "connect");
  const startMs = performance.now();
  const closed = new Promise<{ tookMs: number; received: string }>((resolve) => {
    socket.once("close", () => resolve({ tookMs: performance.now() - startMs, received }));
  });
  if (sent !== "") socket.write(sent);
  return { socket, closed };
}

/** Sends a byte now and then until the connection ends. */
async function drip({ socket, closed }: Client, byte: string) {
  const timer = setInterval(() => socket.write(byte), 50);
  const end = await closed;
  clearInterval(timer);
  return end;
}

function expectTime(tookMs: number, limitMs: number): void {
  expect(tookMs).toBeGreaterThan(limitMs - 50);
  expect(tookMs).toBeLessThan(limitMs + LATE_MS);
}

describe("R9 a connection is closed", () => {
  test("when it sends nothing", async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => open()));
    for (const { closed } of clients) {
      const { tookMs, received } = await closed;
      expectTime(tookMs, LIMITS.firstByteMs);
      expect(received).toBe("");
    }
  });

  test("when its headers take too long", async () => {
    const { tookMs, received } = await drip(await open("GET /v2/things HTTP/1.1\r\nX-Slow: "), "x");
    expectTime(tookMs, LIMITS.headersMs);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("when its body takes too long", async () => {
    const head = "POST /v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
    const { tookMs, received } = await drip(await open(head), "x");
    expectTime(tookMs, LIMITS.requestMs);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("when its second request is the slow one", async () => {
    const client = await open("GET /v2/things HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(client.socket, "data");
    const { received } = await drip(client, "G");
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 40[08] /);
  });
});

test("R9 a connection carries so many requests, as the answer to the last one says, and no more", async () => {
  const request = "GET /v2/things HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const client = await open(request.repeat(LIMITS.requests + 1));
  let received = "";
  for await (const chunk of client.socket) {
    received += String(chunk);
    if (received.includes("HTTP/1.1 503")) break;
  }
  const answers = received.split("HTTP/1.1 ").slice(1);
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["200", "200", "200", "503"]);
  expect(/connection: close/i.test(answers[LIMITS.requests - 1] ?? "")).toBe(true);
});

test("R9 one that sends in time lives on", async () => {
  const { socket } = await open("GET /v2/things HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  await new Promise((resolve) => setTimeout(resolve, 2 * LIMITS.firstByteMs));
  socket.write("GET /v2/things HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test("R9 more connections than allowed are closed at once, which the log tells once", async () => {
  const clients = await Promise.all(Array.from({ length: LIMITS.connections + 3 }, () => open()));
  const ends = await Promise.all(clients.map(({ closed }) => closed));
  expect(ends.filter(({ tookMs }) => tookMs < LIMITS.firstByteMs - 50)).toHaveLength(3);
  const told = server.logged.filter(({ msg }) => String(msg).includes("MAX_CONNECTIONS"));
  expect(told).toMatchObject([{ level: 40, connections: LIMITS.connections }]);
  expect((await server.ask("GET /v2/things")).status).toBe(200);
});

test("R9 the usual limits are 10 s to the first byte, 10 s for headers, 30 s for a whole request", () => {
  expect(usualConnectionLimits).toMatchObject({ firstByteMs: 10_000, headersMs: 10_000, requestMs: 30_000 });
});
