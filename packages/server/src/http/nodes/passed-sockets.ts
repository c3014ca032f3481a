import type { Duplex } from "node:stream";

/** A close frame (RFC 6455, section 5.5.1) with the code 1012: the service restarts. */
const RESTARTS = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

/** WebSockets of clients that go through this process to another one. */
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
      // Within a frame, no message of our own can be sent.
      if (frames.isBetween) client.end(RESTARTS);
      else client.destroy();
      other.destroy();
    };
    this.#closers.add(close);
    client.once("close", () => this.#closers.delete(close));
  }

  /** Ends all of them. The sessions in the other process continue, and clients can reconnect. */
  close(): void {
    for (const close of this.#closers) close();
  }
}

const HEAD_END = "\r\n\r\n";
/** Maximum size of a handshake response. A longer head is invalid. */
const MAX_HEAD_BYTES = 16 * 1024;
const MEDIUM_LENGTH = 126;
const LARGE_LENGTH = 127;

/** Tracks a WebSocket server's output by the heads of its frames alone (RFC 6455, section 5.2). */
export class WebSocketFrames {
  /** Received bytes of a head; undefined within a frame. */
  #head = Buffer.alloc(0);
  #isOpen = false;
  #leftBytes = 0;

  /** True when the handshake is over, and no frame is incomplete. */
  get isBetween(): boolean {
    return this.#isOpen && this.#leftBytes === 0 && this.#head.byteLength === 0;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.byteLength > 0) {
      const skipped = Math.min(this.#leftBytes, rest.byteLength);
      this.#leftBytes -= skipped;
      rest = rest.subarray(skipped);
      if (rest.byteLength > 0) rest = this.#isOpen ? this.#readHead(rest) : this.#readHandshake(rest);
    }
  }

  #readHandshake(chunk: Buffer): Buffer {
    const text = Buffer.concat([this.#head, chunk]);
    const end = text.indexOf(HEAD_END);
    this.#isOpen = end >= 0;
    this.#head = this.#isOpen ? Buffer.alloc(0) : text.subarray(0, MAX_HEAD_BYTES);
    return this.#isOpen ? text.subarray(end + HEAD_END.length) : Buffer.alloc(0);
  }

  #readHead(chunk: Buffer): Buffer {
    const text = Buffer.concat([this.#head, chunk.subarray(0, 10)]);
    const short = (text[1] ?? 0) & LARGE_LENGTH;
    const headBytes = short === LARGE_LENGTH ? 10 : short === MEDIUM_LENGTH ? 4 : 2;
    if (text.byteLength < headBytes) {
      this.#head = text;
      return Buffer.alloc(0);
    }
    if (short === LARGE_LENGTH) this.#leftBytes = Number(text.readBigUInt64BE(2));
    else this.#leftBytes = short === MEDIUM_LENGTH ? text.readUInt16BE(2) : short;
    const readBytes = headBytes - this.#head.byteLength;
    this.#head = Buffer.alloc(0);
    return chunk.subarray(readBytes);
  }
}
