import { chmod } from "node:fs/promises";
import { createServer } from "node:http";

import { type WebSocket, WebSocketServer } from "ws";

import { MAX_MESSAGE_BYTES } from "./message-socket.ts";

/** A socket that clients connect to. */
export interface SocketDoor {
  close(): Promise<void>;
}

/** Everyone who can enter the folder of the socket; its clients may run as another user. */
const OPEN_TO_ALL = 0o666;

/** Takes WebSockets on a unix socket. @throws the system's error when it cannot be made */
export async function listenOnSocket(
  socketPath: string,
  take: (client: WebSocket) => void,
): Promise<SocketDoor> {
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
