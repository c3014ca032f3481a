import type { WebSocket } from "ws";

import type { UnreadMessages } from "./unread-messages.ts";

/**
 * Bytes. Longer messages end the connection. A message of this size, such as a file of 12 MB in base64, costs
 * the main thread 170 ms: it is copied to the parsing thread and back, and serialized once.
 */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Reasons for ending a connection (RFC 6455, section 7.4.1). */
export const closeCodes = { goingAway: 1001, refused: 1008, tryAgainLater: 1013 } as const;

/** A connection that exchanges text messages, such as a WebSocket. */
export interface MessageSocket {
  send(text: string): void;
  onMessage(listen: (text: string) => void): void;
  onClose(listen: () => void): void;
  close(code?: number, reason?: string): void;
}

/**
 * Wraps a WebSocket. A client that does not read what it asked for loses its connection.
 * @param unread - unread messages of all clients of the session
 */
export function messageSocketOf(socket: WebSocket, unread: UnreadMessages): MessageSocket {
  // An error ends the connection. "close" reports it.
  socket.on("error", () => undefined);
  return {
    send: (text) => unread.send(socket, text),
    onMessage(listen) {
      socket.on("message", (data: Buffer) => listen(data.toString("utf8")));
    },
    onClose(listen) {
      socket.on("close", listen);
    },
    close: (code, reason) => socket.close(code, reason),
  };
}
