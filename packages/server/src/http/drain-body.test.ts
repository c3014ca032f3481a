import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { UnauthorizedError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";

const MEBIBYTE = 1024 * 1024;
/** Long compared with the delays of a busy machine. */
const DRAIN = { sizeBytes: 20 * MEBIBYTE, timeMs: 6000, idleMs: 2000 };
const TOO_LARGE = '{"success":false,"error":"Payload Too Large"}';
const TOO_LONG = limits.bodyBytes + 5 * MEBIBYTE;
const TRIES = 20;

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer(
    (app) => {
      app.post("/v2/echo", async ({ body }) => ({ body }));
      const refuse = async () => {
        throw new UnauthorizedError("Unauthorized");
      };
      app.post("/v2/closed", { onRequest: refuse }, async () => "never");
    },
    { connectionLimits: { drain: DRAIN } },
  );
});

afterAll(() => server.close());

/**
 * Runs in a process of its own, as clients do: within this one, client and server take turns. Prints what each of so
 * many tries ended with. An error of the request is an error even after an answer, as it is for axios.
 */
const CLIENT = `
const { request } = await import("node:http");
const [url, client, sizeBytes, tries, headers] = JSON.parse(process.argv[1]);
const body = Buffer.alloc(sizeBytes, " ");
const clients = {
  fetch: async () => (await fetch(url, { method: "POST", body, headers })).text(),
  "node:http": () => new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, async (answer) => {
      resolve((await answer.toArray()).join(""));
    });
    sent.on("error", reject);
    sent.end(body);
  }),
};
const outcomes = {};
for (let count = 0; count < tries; count += 1) {
  const outcome = await clients[client]().catch((failure) => String(failure.cause ?? failure));
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
console.log(JSON.stringify(outcomes));
`;

interface Posting {
  readonly client: string;
  readonly path?: string;
  readonly sizeBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts bodies of spaces. @returns how often each outcome came. */
async function post({ client, path = "/v2/echo", sizeBytes = TOO_LONG, headers = {} }: Posting) {
  const order = JSON.stringify([server.url + path, client, sizeBytes, TRIES, headers]);
  const args = ["--input-type=module", "--eval", CLIENT, order];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as unknown;
}

describe("F1 a body that is too long gets its 413", { timeout: 60_000 }, () => {
  test.each(["fetch", "node:http"])("in 20 of 20 tries with %s", async (client) => {
    expect(await post({ client })).toEqual({ [TOO_LARGE]: TRIES });
  });

  test("and so does every answer that ends the connection before the body has come", async () => {
    const headers = { connection: "close" };
    const outcomes = await post({
      client: "node:http",
      path: "/v2/closed",
      sizeBytes: 9 * MEBIBYTE,
      headers,
    });
    expect(outcomes).toEqual({ '{"success":false,"error":"Unauthorized"}': TRIES });
  });

  test("when only what it decodes to is too long, too", async () => {
    const body = Buffer.concat([gzipSync(Buffer.alloc(TOO_LONG)), Buffer.alloc(MEBIBYTE)]);
    const answer = await server.ask("POST /v2/echo", { body, headers: { "content-encoding": "gzip" } });
    expect([answer.status, answer.text]).toEqual([413, TOO_LARGE]);
  });
});

describe("F1 what is taken in of such a body is bounded", () => {
  const head = (sizeBytes: number) =>
    `POST /v2/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${sizeBytes}\r\n\r\n`;

  async function open(sizeBytes: number) {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.write(head(sizeBytes));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*Payload Too Large/);
    const startMs = performance.now();
    const closed = new Promise<number>((resolve) => {
      socket.once("close", () => resolve(performance.now() - startMs));
    });
    return { socket, closed };
  }

  test("by its size", async () => {
    const { socket, closed } = await open(1000 * MEBIBYTE);
    const chunk = Buffer.alloc(MEBIBYTE);
    let sentBytes = 0;
    let isOver = false;
    while (!isOver && sentBytes < 200 * MEBIBYTE) {
      sentBytes += chunk.byteLength;
      isOver = await new Promise<boolean>((resolve) => socket.write(chunk, (failure) => resolve(!!failure)));
    }
    await closed;
    expect(sentBytes).toBeGreaterThan(DRAIN.sizeBytes);
    expect(sentBytes).toBeLessThan(DRAIN.sizeBytes + 20 * MEBIBYTE);
  });

  test("by time, for one that drips in", async () => {
    const { socket, closed } = await open(1000 * MEBIBYTE);
    const drip = setInterval(() => socket.write("x"), 50);
    const tookMs = await closed;
    clearInterval(drip);
    expect(tookMs).toBeGreaterThan(DRAIN.timeMs - 100);
    expect(tookMs).toBeLessThan(DRAIN.timeMs + 10_000);
  });

  test("by silence", async () => {
    const tookMs = await (await open(1000 * MEBIBYTE)).closed;
    expect(tookMs).toBeGreaterThan(DRAIN.idleMs - 100);
    expect(tookMs).toBeLessThan(DRAIN.timeMs - 100);
  });
});
