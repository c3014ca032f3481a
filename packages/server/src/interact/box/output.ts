import { MAX_OUTPUT_BYTES } from "./messages.ts";

type Write = typeof process.stdout.write;

/**
 * Bounds what code prints in this process: more would only wait in memory, because the service keeps no more.
 * Programs that it starts write by themselves.
 */
export class PrintedOutput {
  readonly #stream: NodeJS.WriteStream;
  readonly #write: Write;
  #leftBytes = MAX_OUTPUT_BYTES;
  isTruncated = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...more: readonly unknown[]) => {
      const done = more.find((one) => typeof one === "function");
      this.#take(Buffer.from(chunk as string));
      done?.();
      return true;
    };
  }

  begin(): void {
    this.#leftBytes = MAX_OUTPUT_BYTES;
    this.isTruncated = false;
  }

  /** Says where the output of the code ends. */
  end(mark: string): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#stream.writable) resolve();
      else this.#write(mark, () => resolve());
    });
  }

  #take(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#leftBytes);
    if (kept.byteLength < bytes.byteLength) this.isTruncated = true;
    this.#leftBytes -= kept.byteLength;
    if (kept.byteLength > 0) this.#write(kept);
  }
}
