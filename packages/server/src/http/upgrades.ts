import { IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A handler of WebSocket upgrades. */
export interface Upgrades {
  /** Whether the request is one of them; all others are answered as if they had not asked. */
  wants(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all of them: a server that closes waits for its connections. */
  close(): void;
}

/** One for all: a connection goes to the first that wants it. */
export function joinUpgrades(takers: readonly Upgrades[]): Upgrades {
  const takerOf = (request: IncomingMessage) => takers.find((taker) => taker.wants(request));
  return {
    wants: (request) => takerOf(request) !== undefined,
    take: (request, socket, head) => takerOf(request)?.take(request, socket, head),
    close() {
      for (const taker of takers) taker.close();
    },
  };
}

/**
 * Requests that ask for an upgrade: it counts only where it is accepted. Node does not ask once upgrades are accepted
 * at all, and clients ask for HTTP/2 (`Upgrade: h2c`) with any request.
 */
export function upgradableRequests(upgrades: Upgrades): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare asksForUpgrade: boolean;

    /** NOTE: Node sets it from the headers, before it asks. */
    set upgrade(asks: boolean) {
      this.asksForUpgrade = asks;
    }

    get upgrade(): boolean {
      return this.asksForUpgrade && upgrades.wants(this);
    }
  };
}

/** Hands connections over, once Node has read the request. */
export function listenForUpgrades(server: Server, upgrades: Upgrades): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    upgrades.take(request, socket, head);
  });
}

/** Answers, instead of upgrading, with a status and nothing else. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}
