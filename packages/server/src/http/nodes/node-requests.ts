import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { PassedSockets } from "./passed-sockets.ts";
import { refuseUpgrade } from "../upgrades.ts";

/** Headers of forwarded requests: the secret that processes share, and the caller's address. */
export const NODE_SECRET_HEADER = "x-pergamon-node";
export const NODE_CALLER_HEADER = "x-pergamon-caller";

const OWN_HEADERS: ReadonlySet<string> = new Set([NODE_SECRET_HEADER, NODE_CALLER_HEADER]);
const CONNECT_LIMIT_MS = 5000;

/** The process that can answer a request. */
export interface NodeTarget {
  readonly url: string;
  readonly secret: string;
  /** Calls back once the process is gone without notice. @returns a function that ends the watch. */
  readonly whenGone: (end: () => void) => () => void;
}

const GONE = "The other process is gone.";

/** Headers that describe the connection, not the request. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  ...OWN_HEADERS,
]);

/**
 * Lets another process answer a request whose body has been read, as if it had come there.
 * @throws Error when that process cannot be reached.
 */
export async function passRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { url, secret, whenGone }: NodeTarget,
): Promise<FastifyReply> {
  const body = request.body === undefined || request.body === null ? "" : JSON.stringify(request.body);
  const headers = {
    ...withoutHops(request.headers),
    [NODE_SECRET_HEADER]: secret,
    [NODE_CALLER_HEADER]: request.raw.socket.remoteAddress ?? "",
    ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    // NOTE: the path stays unchanged. Resolved as a URL, a path that begins with // would name a host.
    const sent = sendRequest({
      hostname: hostname.replaceAll(/^\[|\]$/g, ""),
      port,
      path: request.raw.url ?? "/",
      method: request.method,
      headers,
      agent: false,
      timeout: CONNECT_LIMIT_MS,
    });
    // Only connecting has a time limit, because the other process limits the work.
    sent.on("socket", (socket) => socket.once("connect", () => sent.setTimeout(0)));
    sent.on("timeout", () => sent.destroy(new Error("The other process does not answer.")));
    sent.on("error", reject);
    sent.on("response", resolve);
    const endWatch = whenGone(() => sent.destroy(new Error(GONE)));
    sent.once("close", endWatch);
    reply.raw.once("close", () => sent.destroy());
    sent.end(body);
  });
  for (const [name, value] of Object.entries(withoutHops(answer.headers))) {
    if (value !== undefined) reply.header(name, value);
  }
  return reply.code(answer.statusCode ?? 502).send(answer);
}

interface PassedConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly passed: PassedSockets;
}

/** Connects a client, whose upgrade request has been read, to another process. */
export function passUpgrade(
  request: IncomingMessage,
  { socket, head, passed }: PassedConnection,
  { url, secret, whenGone }: NodeTarget,
): void {
  const { hostname, port } = new URL(url);
  const other = connect({ host: hostname.replaceAll(/^\[|\]$/g, ""), port: Number(port) });
  other.setTimeout(CONNECT_LIMIT_MS, () => other.destroy(new Error("The other process does not answer.")));
  let isConnected = false;
  other.on("error", () => (isConnected ? socket.destroy() : refuseUpgrade(socket, 502)));
  const endWatch = whenGone(() => other.destroy(new Error(GONE)));
  other.on("close", () => {
    endWatch();
    socket.destroy();
  });
  socket.on("close", () => other.destroy());
  other.on("connect", () => {
    isConnected = true;
    other.setTimeout(0);
    const extra = [NODE_SECRET_HEADER, secret, NODE_CALLER_HEADER, request.socket.remoteAddress ?? ""];
    other.write(requestHead(request, extra));
    other.write(head);
    passed.join(socket, other);
  });
}

/** Repeats the request as it was written, without headers that claim to be from another process. */
function requestHead({ method, url, rawHeaders }: IncomingMessage, extra: readonly string[]): string {
  const lines = [`${method ?? "GET"} ${url ?? "/"} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!OWN_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1] ?? ""}`);
  }
  for (let index = 0; index < extra.length; index += 2) lines.push(`${extra[index]}: ${extra[index + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
