import type { WebSocket } from "ws";

/** What is sent to a client that does not read is kept up to this size; then the connection ends. */
const MAXIMUM_UNREAD_BYTES = 128 * 1024 * 1024;

/** Longer messages end the connection. */
export const MAXIMUM_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Why a connection ends (RFC 6455, section 7.4.1). */
export const closeCodes = { goingAway: 1001, refused: 1008, tryAgainLater: 1013 } as const;

/** A conversation in messages of text, such as a WebSocket. */
export interface MessageSocket {
  send(text: string): void;
  onMessage(listen: (text: string) => void): void;
  onClose(listen: () => void): void;
  close(code?: number, reason?: string): void;
}

/** A WebSocket as a conversation. A client that does not read what it asked for loses its connection. */
export function messageSocketOf(socket: WebSocket): MessageSocket {
  // What is wrong with a connection ends it; "close" tells.
  socket.on("error", () => undefined);
  return {
    send(text) {
      if (socket.bufferedAmount > MAXIMUM_UNREAD_BYTES) socket.terminate();
      else socket.send(text, () => undefined);
    },
    onMessage(listen) {
      socket.on("message", (data: Buffer) => listen(data.toString("utf8")));
    },
    onClose(listen) {
      socket.on("close", listen);
    },
    close: (code, reason) => socket.close(code, reason),
  };
}
