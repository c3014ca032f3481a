import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { WebSocketServer } from "ws";

import type { BrowserLender } from "../../platform/browser/lease/browser-lender.ts";
import { readLeaseTarget } from "../../platform/browser/lease/lease-order.ts";
import { OpenSockets } from "../open-sockets.ts";
import { refuseUpgrade, type Upgrades } from "../upgrades.ts";

/** Commands of another node: scripts, cookies and forms, not pages. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The WebSockets over which other nodes speak to browsers of this one. For the listener of nodes alone. */
export function openLeaseSockets(lender: BrowserLender, onError: (failure: unknown) => void): Upgrades {
  const sockets = new OpenSockets();
  let door: Promise<WebSocketServer> | undefined;
  let isClosed = false;

  async function take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const order = readLeaseTarget(request.url ?? "");
    if (!order) return refuseUpgrade(socket, 404);
    if (isClosed) return refuseUpgrade(socket, 503);
    const lent = await lender.lend(order);
    if (lent === "all-lent") return refuseUpgrade(socket, 503);
    if (lent === "no-such-browser") return refuseUpgrade(socket, 404);
    socket.once("close", () => void lent.close());
    if (socket.destroyed) return void lent.close();
    door ??= openDoor();
    (await door).handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened);
      lent.serve(opened);
    });
  }

  return {
    wants: ({ url = "", headers }) =>
      headers.upgrade?.toLowerCase() === "websocket" && readLeaseTarget(url) !== undefined,
    take(request, socket, head) {
      take(request, socket, head).catch((failure: unknown) => {
        onError(failure);
        refuseUpgrade(socket, 500);
      });
    },
    close() {
      isClosed = true;
      sockets.close();
    },
  };
}

async function openDoor(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  const door = new Server({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  return door.on("wsClientError", (_failure, socket) => refuseUpgrade(socket, 400));
}
