import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";

import { sha256 } from "../kit/hash.ts";
import { NODE_CALLER_HEADER, NODE_SECRET_HEADER } from "./node-requests.ts";
import { refuseUpgrade, type Upgrades } from "./upgrades.ts";

/** Requests that another process has passed on. */
const passed = new WeakSet<IncomingMessage>();

/** Whether a request came from another process, which has counted it, and cannot answer it. */
export function isPassedOn(request: IncomingMessage): boolean {
  return passed.has(request);
}

interface NodeListenerParts {
  readonly secret: string;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
}

/** The server for the other processes: what they pass on is answered as if it had come to this one. */
export function createNodeServer({ secret, handler, upgrades }: NodeListenerParts): Server {
  const isKnown = (request: IncomingMessage) => isSame(request.headers[NODE_SECRET_HEADER], secret);
  const server = createServer((request, response) => {
    if (!isKnown(request)) return void response.writeHead(403, { connection: "close" }).end();
    accept(request);
    handler(request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!isKnown(request) || !upgrades.wants(request)) return refuseUpgrade(socket, 403);
    accept(request);
    upgrades.take(request, socket, head);
  });
  return server;
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === "string" && timingSafeEqual(sha256(given), sha256(secret));
}

/** The caller of the other process is the caller here: addresses that keys allow are looked at again. */
function accept(request: IncomingMessage): void {
  passed.add(request);
  const caller = request.headers[NODE_CALLER_HEADER];
  delete request.headers[NODE_SECRET_HEADER];
  delete request.headers[NODE_CALLER_HEADER];
  if (typeof caller !== "string") return;
  // NOTE: each request that is passed on has a connection of its own.
  Object.defineProperty(request.socket, "remoteAddress", { value: caller, configurable: true });
}
