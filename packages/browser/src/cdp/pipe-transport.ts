import type { Readable, Writable } from "node:stream";

import { type CdpTransport, TOO_LARGE } from "./cdp-connection.ts";

/** Longer messages are a page's doing; no capture that we accept comes near. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Enough of a message to know which answer it is. */
const HEAD_BYTES = 40;
const END = 0;

/** Costs the page that wrote so much its answer, and others in the same browser nothing. */
function refusalOf(head: string): string {
  const id = /^\{"id":(\d+)/.exec(head)?.[1];
  const error = { message: TOO_LARGE };
  return JSON.stringify(id === undefined ? {} : { id: Number(id), error });
}

interface Pipe {
  /** What the browser reads. */
  readonly input: Writable;
  /** What the browser writes. */
  readonly output: Readable;
  readonly onMessage: (text: string) => void;
  readonly onClose: () => void;
}

/** Messages over two pipes, each ended by a zero byte (`--remote-debugging-pipe`). */
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
  // Both ends break when the browser ends; "close" tells.
  output.on("error", () => undefined);
  input.on("error", () => undefined);

  return {
    send(message) {
      if (input.writable) input.write(`${message}\0`);
    },
    close,
  };
}
