import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";

import type { DrainLimits } from "./drain-body.ts";
import { beginInTurns } from "./pipelined.ts";
import { listenForUpgrades, type Upgrades, upgradableRequests } from "./upgrades.ts";

/** Limits of one connection, and of their number. Times are exact to within a second. */
export interface ConnectionLimits {
  /** Maximum of open connections. Further ones are closed without a response. */
  readonly connections: number;
  /** From the connection to its first byte. */
  readonly firstByteMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** Maximum per connection. The last response announces the close; further requests get 503. */
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

/** Interval at which a closing server looks for connections that have become idle. */
const SWEEP_INTERVAL_MS = 100;
/** Interval at which Node looks for requests that take too long. Node's default is 30 s. */
const CHECK_INTERVAL_MS = 1000;
/** Minimum interval between log entries about refused connections. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;

/** The connections of the service, over all addresses on which it listens. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onRefused: (maxConnections: number) => void;
  readonly #servers = new Set<Server>();
  /** Connections that have not carried a request yet. */
  readonly #silent = new Map<Socket, NodeJS.Timeout>();
  #toldRefusalAtMs = Number.NEGATIVE_INFINITY;

  /** @param onRefused is called at most once a minute. */
  constructor(limits: ConnectionLimits, onRefused: (maxConnections: number) => void) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /** Creates the server of one address. */
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
      beginInTurns(handler),
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
   * Browsers and pools open connections in advance. Node counts a connection that never carried a request as
   * busy, and would wait for it when the server closes.
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
 * Node closes idle connections when a server begins to close. A connection whose response ends a moment later
 * would stay open for a next request, which would not be accepted.
 */
function closeWhenIdle(server: Server): void {
  if (!server.listening) return;
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  server.once("close", () => clearInterval(sweep));
}
