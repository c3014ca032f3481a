/** Destination of lines. Nothing else may write to it. */
export interface LineTarget {
  /** @param done called later with the number of written bytes, and with the failure if any are missing. */
  write(bytes: Uint8Array, done: (failure: Error | undefined, writtenBytes: number) => void): void;
  /**
   * Writes at once as much as possible without waiting, at the end of the process. @throws when nothing more
   * can be written.
   */
  writeNow(bytes: Uint8Array): void;
}

interface LineSinkOptions {
  readonly target: LineTarget;
  /** Called once when lines can be written again, with the number of lost lines and the reason. */
  readonly onRecovered: (droppedLines: number, reason: string) => void;
  /** Maximum of waiting characters. Further lines are dropped. */
  readonly maxWaitingLength?: number;
}

/** Lines that are written together. */
interface Batch {
  readonly lineCount: number;
  readonly bytes: Buffer;
}

/** About 5,000 lines of JSON. */
const MAX_WAITING_LENGTH = 1024 * 1024;
/** Capacity of a pipe. */
const BATCH_LENGTH = 64 * 1024;
const RETRY_MS = 100;
/** Lines of this time share a write, which costs as much as ten lines. A killed process loses them. */
const GROUP_MS = 10;
/** Temporary failures, which pass when a reader continues. */
const PASSING = new Set(["EAGAIN", "EBUSY"]);

/**
 * Writes lines in order, in the background, and what waits when the process ends. Lines without a reader, or that cannot be written, are dropped
 * and counted, because a log must not stop the service.
 */
export class LineSink {
  readonly #options: LineSinkOptions;
  readonly #maxWaitingLength: number;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  #isFailing = false;
  /** True when a line was written in part. The next line must not continue it. */
  #isTorn = false;
  #dropped = 0;
  #reason = "";
  readonly #writeRest = (): void => this.#end();

  constructor(options: LineSinkOptions) {
    this.#options = options;
    this.#maxWaitingLength = options.maxWaitingLength ?? MAX_WAITING_LENGTH;
  }

  /** @param line with its end of line. */
  write(line: string): void {
    if (this.#waitingLength + line.length > this.#maxWaitingLength) {
      this.#drop(1, "the log is not read");
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#isWriting) return;
    this.#isWriting = true;
    process.on("exit", this.#writeRest);
    setTimeout(() => this.#next(), GROUP_MS).unref();
  }

  #next(): void {
    const batch = this.#takeBatch();
    if (batch) return this.#write(batch, 0);
    this.#isWriting = false;
    process.off("exit", this.#writeRest);
    if (!this.#isFailing) this.#tellDropped();
  }

  #takeBatch(): Batch | undefined {
    if (this.#waiting.length === 0) return undefined;
    let length = 0;
    const end = this.#waiting.findIndex((line) => (length += line.length) > BATCH_LENGTH);
    const lines = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
    const text = lines.join("");
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    this.#isTorn = false;
    this.#waitingLength -= text.length;
    return { lineCount: lines.length, bytes };
  }

  #write(batch: Batch, from: number): void {
    this.#options.target.write(batch.bytes.subarray(from), (failure, writtenBytes) => {
      const written = from + writtenBytes;
      if (failure && PASSING.has(codeOf(failure))) {
        setTimeout(() => this.#write(batch, written), RETRY_MS).unref();
        return;
      }
      if (!failure && written < batch.bytes.byteLength) return this.#write(batch, written);
      this.#isFailing = failure !== undefined;
      if (failure) {
        this.#isTorn = written > 0;
        this.#drop(batch.lineCount, codeOf(failure) || failure.message);
      }
      this.#next();
    });
  }

  #drop(lineCount: number, reason: string): void {
    this.#dropped += lineCount;
    this.#reason = reason;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#options.onRecovered(dropped, this.#reason);
  }

  /** Writes the rest when the process ends, because no more callbacks run then. */
  #end(): void {
    try {
      this.#options.target.writeNow(Buffer.from(this.#waiting.join("")));
    } catch {
      // There is nowhere left to report it.
    }
    this.#waiting = [];
  }
}

function codeOf(failure: Error): string {
  return "code" in failure ? String(failure.code) : "";
}
