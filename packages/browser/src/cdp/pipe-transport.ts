import type { Readable, Writable } from "node:stream";

import { type CdpTransport, TOO_LARGE } from "./cdp-connection.ts";

/** Only a page can cause longer messages; no capture that we accept comes near. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Enough bytes of a message to identify the answer. */
const HEAD_BYTES = 40;
const END = 0;

/** Fails only the answer for the page that wrote so much, and spares others in the same browser. */
function refusalOf(head: string): string {
  const id = /^\{"id":(\d+)/.exec(head)?.[1];
  const error = { message: TOO_LARGE };
  return JSON.stringify(id === undefined ? {} : { id: Number(id), error });
}

interface Pipe {
  /** Stream that the browser reads from. */
  readonly input: Writable;
  /** Stream that the browser writes to. */
  readonly output: Readable;
  readonly onMessage: (text: string) => void;
  readonly onClose: () => void;
}

/** Transports messages over two pipes, each message ended by a zero byte (`--remote-debugging-pipe`). */
export function openPipeTransport({ input, output, onMessage, onClose }: Pipe): CdpTransport {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  const close = () => {
    input.destroy();
    output.destroy();
  };
  const keep = (part: Buffer) => {
    sizeBytes += part.byteLength;
    if (sizeBytes <= MAX_MESSAGE_BYTES) parts.push(part);
    else parts = [Buffer.concat(parts.slice(0, 2)).subarray(0, HEAD_BYTES)];
  };
  const finish = () => {
    const message = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const isTooLarge = sizeBytes > MAX_MESSAGE_BYTES;
    parts = [];
    sizeBytes = 0;
    const text = message.toString("utf8");
    onMessage(isTooLarge ? refusalOf(text) : text);
  };

  output.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      keep(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.byteLength) keep(chunk.subarray(start));
  });
  output.on("close", onClose);
  // Both streams break when the browser ends. "close" reports it.
  output.on("error", () => undefined);
  input.on("error", () => undefined);

  return {
    send(message) {
      if (input.writable) input.write(`${message}\0`);
    },
    close,
  };
}
