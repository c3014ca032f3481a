import type { WebSocket } from "ws";

/** Service Restart (RFC 6455, registry of close codes): the client may come back. */
const RESTARTS = 1012;
/** A client that does not confirm the close within this time is cut off. */
const FAREWELL_MS = 1000;

/** Open WebSockets, which end with the service. */
export class OpenSockets {
  readonly #sockets = new Set<WebSocket>();

  add(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
  }

  /** Tells all clients that the service restarts and may be back soon. */
  close(): void {
    for (const socket of this.#sockets) {
      const late = setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
      socket.once("close", () => clearTimeout(late));
      socket.close(RESTARTS, "The service restarts.");
    }
  }
}
