import { NetworkError } from "./network-error.ts";

/** Collects the chunks of a body, up to a limit. */
interface ByteCollector {
  /** @throws NetworkError of kind `too-large` when the chunk exceeds the limit. */
  add(chunk: Uint8Array): void;
  bytes(): Uint8Array;
}

export function collectBytes(maxBytes: number): ByteCollector {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    add(chunk) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    },
    bytes() {
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    },
  };
}

export function tooLarge(maxBytes: number): NetworkError {
  return new NetworkError("too-large", `The answer is larger than ${maxBytes} bytes.`);
}

/** Types of endless streams: events for scripts, pictures of cameras. */
const ENDLESS_TYPE = /^\s*(?:text\/event-stream|multipart\/x-mixed-replace)\b/i;

/** @throws NetworkError of kind `endless` when a body of this type and length never ends. */
export function refuseEndless(contentType: string | undefined, contentLength: string | undefined): void {
  if (contentLength !== undefined || !ENDLESS_TYPE.test(contentType ?? "")) return;
  throw new NetworkError("endless", "The answer is a stream without an end.");
}
