import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";

import type { DrainLimits } from "./drain-body.ts";
import { listenForUpgrades, type Upgrades, upgradableRequests } from "./upgrades.ts";

/** What one connection may take, and how many there may be. Times are kept to within a second. */
export interface ConnectionLimits {
  /** At once. One more is closed without an answer. */
  readonly connections: number;
  /** From the connection to its first byte. */
  readonly firstByteMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** The answer to the last one says so; further ones are answered 503. */
  readonly requests: number;
  readonly drain: DrainLimits;
}

export const usualConnectionLimits: ConnectionLimits = {
  connections: 10_000,
  firstByteMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 72_000,
  requests: 1000,
  drain: { sizeBytes: 100 * 1024 * 1024, timeMs: 20_000, idleMs: 2000 },
};

/** How often a server that is closing looks for connections that have become idle. */
const SWEEP_INTERVAL_MS = 100;
/** How often Node looks for requests that take too long. Its own default is 30 s. */
const CHECK_INTERVAL_MS = 1000;
/** Refused connections are logged once in this time. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;

/** The connections of the service, on however many addresses it listens. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onRefused: (maxConnections: number) => void;
  readonly #servers = new Set<Server>();
  /** Those that have not carried a request yet. */
  readonly #silent = new Map<Socket, NodeJS.Timeout>();
  #toldRefusalAtMs = Number.NEGATIVE_INFINITY;

  /** @param onRefused is called at most once a minute. */
  constructor(limits: ConnectionLimits, onRefused: (maxConnections: number) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /** A server for one address. */
  createServer(handler: RequestListener, upgrades?: Upgrades): Server {
    const { connections, headersMs, requestMs, idleMs, requests } = this.#limits;
    const server = createServer(
      {
        connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersMs),
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        keepAliveTimeout: idleMs,
        ...(upgrades && { IncomingMessage: upgradableRequests(upgrades) }),
      },
      handler,
    );
    if (upgrades) listenForUpgrades(server, upgrades);
    server.maxConnections = connections;
    server.maxRequestsPerSocket = requests;
    server.on("connection", (socket: Socket) => this.#awaitFirstByte(socket));
    server.on("drop", () => this.#tellRefusal());
    this.#servers.add(server);
    return server;
  }

  /**
   * Browsers and pools open connections ahead of their need. Node counts one that never carried a request as busy, and
   * would wait for it when the server closes.
   */
  closeUnused(): void {
    for (const socket of this.#silent.keys()) if (socket.bytesRead === 0) socket.destroy();
    for (const server of this.#servers) closeWhenIdle(server);
  }

  #awaitFirstByte(socket: Socket): void {
    const timer = setTimeout(() => {
      this.#silent.delete(socket);
      if (socket.bytesRead === 0) socket.destroy();
    }, this.#limits.firstByteMs).unref();
    this.#silent.set(socket, timer);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#silent.delete(socket);
    });
  }

  #tellRefusal(): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldRefusalAtMs < REFUSAL_LOG_INTERVAL_MS) return;
    this.#toldRefusalAtMs = nowMs;
    this.#onRefused(this.#limits.connections);
  }
}

/**
 * Node closes connections that are idle when a server begins to close. One whose answer ends a moment later is kept for
 * a next request, which will not be accepted.
 */
function closeWhenIdle(server: Server): void {
  if (!server.listening) return;
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  server.once("close", () => clearInterval(sweep));
}
