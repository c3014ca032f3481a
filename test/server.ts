import { connect } from "node:net";
import { Writable } from "node:stream";

import type { FastifyInstance } from "fastify";
import { pino } from "pino";

import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { openMetrics } from "../packages/server/src/operator/health/metrics.ts";
import { createServer } from "../packages/server/src/http/server.ts";

/** An answer as it came, with its body read. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; undefined when there is none. */
  readonly body: unknown;
}

/** The server that all routes share, listening on loopback with the routes of one test file. */
export interface TestServer {
  readonly url: string;
  readonly app: FastifyInstance;
  /** Lines of the log, oldest first. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  ask(line: string, options?: AskOptions): Promise<WireAnswer>;
  /** Sends bytes as they are. @returns what came until the connection ended, headers in lower case. */
  talk(bytes: string): Promise<string>;
  /** Lines of `/metrics` of one figure. */
  figures(name: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
}

type Needs = readonly [
  addRoutes: (app: FastifyInstance) => void,
  options?: Omit<Parameters<typeof createServer>[0], "log" | "metrics">,
];

/** Opens it until the end of the test file. A line to ask is `METHOD /path`. */
export async function openTestServer(...needs: Needs): Promise<TestServer> {
  return ofTestFile.add(await openLastingServer(...needs), (server) => server.close());
}

/** Opens it until somebody closes it. */
export async function openLastingServer(...[addRoutes, options]: Needs): Promise<TestServer> {
  const logged: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const metrics = openMetrics({ fetching: () => 0, waiting: () => 0 });
  const app = createServer({ log: pino({ level: "trace" }, sink), metrics, ...options });
  addRoutes(app);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    app,
    logged,
    async ask(line, { headers = {}, body } = {}) {
      const [method = "", path = ""] = line.split(" ");
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      });
      return read(response);
    },
    talk: (bytes) => talk(Number(new URL(url).port), bytes),
    async figures(name) {
      const { body } = await metrics.text();
      return body.split("\n").filter((line) => line.startsWith(name));
    },
    close: () => app.close(),
  };
}

async function read(response: Response): Promise<WireAnswer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}

function talk(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
}
