import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { WebSocket, WebSocketServer } from "ws";

import type { Passing } from "../../http/passing.ts";
import { normalPath } from "../../http/request-path.ts";
import { refuseUpgrade, type Upgrades } from "../../http/upgrades.ts";
import { OpenSockets } from "../../http/open-sockets.ts";
import { findAccess, type FindSession, nothingAt, type SessionAccess, tokenIn } from "./session-tokens.ts";

/** Pasted text is the longest message of a live view. */
const MAX_INPUT_BYTES = 512 * 1024;
/** Idle time after which TCP checks whether a silent peer is still there. */
const KEEP_ALIVE_MS = 30_000;

/** The WebSockets of sessions: `/cdp/{token}` speaks CDP, `/live/{token}` shows the page. */
export function openSessionSockets(find: FindSession, passing?: Pick<Passing, "connect">): Upgrades {
  const sockets = new OpenSockets();
  let doors: Promise<Doors> | undefined;
  let isClosed = false;

  async function take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = normalPath(request.url ?? "");
    const access = isClosed ? undefined : findAccess(find, path);
    if (!access) {
      if (await passing?.connect(nothingAt(path), request, { socket, head })) return;
      return refuseUpgrade(socket, 404);
    }
    doors ??= openDoors();
    const { door, serve } = (await doors)[access.kind];
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    request.socket.setNoDelay(true);
    door.handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened);
      serve(opened, access);
    });
  }

  return {
    wants: ({ url = "", headers }) =>
      headers.upgrade?.toLowerCase() === "websocket" && tokenIn(normalPath(url)) !== undefined,
    take(request, socket, head) {
      take(request, socket, head).catch(() => socket.destroy());
    },
    close() {
      isClosed = true;
      sockets.close();
    },
  };
}

/** A WebSocket server, with the handler of its connections. */
interface Door {
  readonly door: WebSocketServer;
  readonly serve: (socket: WebSocket, access: SessionAccess) => void;
}

type Doors = Readonly<Record<SessionAccess["kind"], Door>>;

/** Loads the libraries with the first session. */
async function openDoors(): Promise<Doors> {
  const [{ WebSocketServer: Server }, { MAX_MESSAGE_BYTES, messageSocketOf }, { showTo }] = await Promise.all(
    [import("ws"), import("@pergamon-dev/browser/confined/message-socket"), import("./viewer.ts")],
  );
  const open = (maxPayload: number) => {
    const door = new Server({ noServer: true, maxPayload, perMessageDeflate: false });
    // `ws` reports invalid handshakes here.
    return door.on("wsClientError", (_failure, socket) => refuseUpgrade(socket, 400));
  };
  return {
    cdp: {
      door: open(MAX_MESSAGE_BYTES),
      serve: (socket, { session: { confined } }) => confined.attach(messageSocketOf(socket, confined.unread)),
    },
    live: {
      door: open(MAX_INPUT_BYTES),
      serve: (socket, { session: { screencast }, interactive }) =>
        showTo(socket, { screencast, isInteractive: interactive }),
    },
  };
}
