import { chmod } from "node:fs/promises";
import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

import type { CdpConnection } from "../cdp/cdp-connection.ts";
import { ConfinedClient } from "./confined-client.ts";
import { closeCodes, MAX_MESSAGE_BYTES, type MessageSocket, messageSocketOf } from "./message-socket.ts";
import type { OwnTargets } from "./own-targets.ts";
import { UnreadMessages } from "./unread-messages.ts";

/** Maximum clients at once. Further clients are refused. */
const MAX_CLIENTS = 8;

/** One context of a browser that looks like a whole browser to its clients. They can reach nothing else. */
export interface ConfinedBrowser {
  /**
   * Attaches a client (the caller's WebSocket, the prompt, a page of our own) that speaks CDP as if to a
   * whole browser.
   */
  attach(client: MessageSocket): void;
  /**
   * Accepts clients on a unix socket, over the WebSocket protocol (`ws+unix:` of Playwright). A program that
   * may write to the socket may connect, so it belongs in a folder closed to others.
   */
  listen(socketPath: string): Promise<SocketDoor>;
  /** Messages that were sent to all WebSocket clients and not read yet. */
  readonly unread: UnreadMessages;
  /** Number of connected clients. */
  readonly clients: number;
  /** Time of the last command, in milliseconds of `performance.now()`; undefined before the first. */
  readonly lastCommandAtMs: number | undefined;
  /** Closes all connections. The browser continues. */
  close(): Promise<void>;
}

interface ConfinedBrowserParts {
  readonly connection: CdpConnection;
  readonly targets: OwnTargets;
}

export function openConfinedBrowser({ connection, targets }: ConfinedBrowserParts): ConfinedBrowser {
  const clients = new Set<ConfinedClient>();
  const doors = new Set<SocketDoor>();
  const unread = new UnreadMessages();
  let isClosed = false;
  let lastCommandAtMs: number | undefined;

  function attach(socket: MessageSocket): void {
    if (isClosed || connection.isLost) return socket.close(closeCodes.goingAway, "The session has ended.");
    if (clients.size >= MAX_CLIENTS) {
      return socket.close(closeCodes.tryAgainLater, `A session has at most ${MAX_CLIENTS} clients.`);
    }
    const client = new ConfinedClient({
      socket,
      connection,
      targets,
      onCommand: () => {
        lastCommandAtMs = performance.now();
      },
      onEnd: () => clients.delete(client),
    });
    clients.add(client);
    void client.open();
  }

  function sendAway(): void {
    for (const client of clients) client.close(closeCodes.goingAway, "The session has ended.");
  }

  connection.whenLost(sendAway);
  return {
    attach,
    unread,
    async listen(socketPath) {
      const door = await listenOnSocket(socketPath, (socket) => attach(messageSocketOf(socket, unread)));
      doors.add(door);
      return door;
    },
    get clients() {
      return clients.size;
    },
    get lastCommandAtMs() {
      return lastCommandAtMs;
    },
    async close() {
      isClosed = true;
      sendAway();
      await Promise.all([...doors].map((door) => door.close()));
    },
  };
}

interface SocketDoor {
  close(): Promise<void>;
}

/**
 * Grants access to all users who can enter the folder of the socket, as its clients may run as another user.
 */
const OPEN_TO_ALL = 0o666;

/** Accepts WebSockets on a unix socket. @throws the system's error when it cannot be made */
async function listenOnSocket(socketPath: string, take: (client: WebSocket) => void): Promise<SocketDoor> {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({
    server,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  sockets.on("connection", take);
  sockets.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  await chmod(socketPath, OPEN_TO_ALL);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
