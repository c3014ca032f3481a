import type { Duplex } from "node:stream";

import { WebSocketFrames } from "./web-socket-frames.ts";

/** A close frame (RFC 6455, section 5.5.1) with the code 1012: the service restarts. */
const RESTARTS = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

/** WebSockets of clients that another process has, and that go through this one. */
export class PassedSockets {
  readonly #closers = new Set<() => void>();

  /** Joins a client with the connection to the other process, until one of them ends. */
  join(client: Duplex, other: Duplex): void {
    const frames = new WebSocketFrames();
    other.on("data", (chunk: Buffer) => frames.read(chunk));
    client.pipe(other);
    other.pipe(client);
    const close = () => {
      other.unpipe(client);
      // Within a frame no message of our own can be sent.
      if (frames.isBetween) client.end(RESTARTS);
      else client.destroy();
      other.destroy();
    };
    this.#closers.add(close);
    client.once("close", () => this.#closers.delete(close));
  }

  /** Ends all of them: what is in the other process continues, and can be connected to again. */
  close(): void {
    for (const close of this.#closers) close();
  }
}
