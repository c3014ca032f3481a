import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";

import { sha256 } from "@pergamon-dev/kit/hash";
import { NODE_CALLER_HEADER, NODE_SECRET_HEADER } from "./node-requests.ts";
import { notePassedOn } from "../passing.ts";
import { refuseUpgrade, type Upgrades } from "../upgrades.ts";

interface NodeListenerParts {
  readonly secret: string;
  readonly handler: RequestListener;
  readonly upgrades: Upgrades;
}

/** Limit for connections without a request. */
const HEADERS_MS = 10_000;
const MAX_CONNECTIONS = 10_000;

/**
 * Creates the server for the other processes. It answers forwarded requests as if they had come to this
 * process.
 */
export function createNodeServer({ secret, handler, upgrades }: NodeListenerParts): Server {
  const isKnown = (request: IncomingMessage) => isSame(request.headers[NODE_SECRET_HEADER], secret);
  const server = createServer({ headersTimeout: HEADERS_MS }, (request, response) => {
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
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function isSame(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === "string" && timingSafeEqual(sha256(given), sha256(secret));
}

/** Takes over the original caller's address, because the address restrictions of keys are checked again. */
function accept(request: IncomingMessage): void {
  notePassedOn(request);
  const caller = request.headers[NODE_CALLER_HEADER];
  delete request.headers[NODE_SECRET_HEADER];
  delete request.headers[NODE_CALLER_HEADER];
  if (typeof caller !== "string") return;
  // NOTE: each forwarded request has a connection of its own.
  Object.defineProperty(request.socket, "remoteAddress", { value: caller, configurable: true });
}
