import type { Readable } from "node:stream";

/** What was printed, and whether more was. */
export interface CollectedOutput {
  readonly text: string;
  readonly isTruncated: boolean;
}

/** Reads a stream all the time, so that its writer never blocks, and keeps what comes before a mark, up to a limit. */
export class OutputUntilMark {
  readonly #maxBytes: number;
  #kept: Buffer[] = [];
  #sizeBytes = 0;
  #mark: Buffer | undefined;
  #tail = Buffer.alloc(0);
  #onMark: () => void = () => undefined;

  constructor(stream: Readable, maxBytes: number) {
    this.#maxBytes = maxBytes;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** Forgets what was there. What comes from now on belongs to the next call. */
  begin(mark: string): Promise<void> {
    this.#kept = [];
    this.#sizeBytes = 0;
    this.#tail = Buffer.alloc(0);
    this.#mark = Buffer.from(mark);
    return new Promise((resolve) => {
      this.#onMark = resolve;
    });
  }

  end(): CollectedOutput {
    this.#mark = undefined;
    const bytes = Buffer.concat(this.#kept).subarray(0, Math.min(this.#sizeBytes, this.#maxBytes));
    return { text: bytes.toString("utf8"), isTruncated: this.#sizeBytes > this.#maxBytes };
  }

  #take(chunk: Buffer): void {
    if (!this.#mark) return;
    const recent = Buffer.concat([this.#tail, chunk]);
    const at = recent.indexOf(this.#mark);
    if (at >= 0) {
      this.#keep(chunk.subarray(0, Math.max(0, at - this.#tail.byteLength)));
      // The beginning of the mark came with an earlier chunk.
      this.#sizeBytes += Math.min(0, at - this.#tail.byteLength);
      this.#mark = undefined;
      this.#onMark();
      return;
    }
    this.#keep(chunk);
    this.#tail = recent.subarray(Math.max(0, recent.byteLength - this.#mark.byteLength + 1));
  }

  #keep(chunk: Buffer): void {
    if (this.#sizeBytes < this.#maxBytes) this.#kept.push(chunk);
    this.#sizeBytes += chunk.byteLength;
  }
}
