import { IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export interface Upgrades {
  /** Says whether it handles this upgrade. All other requests are answered as if they had not asked. */
  wants(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all of its connections, because a closing server waits for them. */
  close(): void;
}

/** Joins handlers. The first one that wants a connection gets it. */
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
 * Upgrade requests, which count only where the upgrade is accepted. Once any upgrades are accepted, Node no
 * longer asks, and clients ask for HTTP/2 (`Upgrade: h2c`) with any request.
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

/** Hands connections over once Node has read the request. */
export function listenForUpgrades(server: Server, upgrades: Upgrades): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    upgrades.take(request, socket, head);
  });
}

/** Responds with only a status instead of upgrading. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}
