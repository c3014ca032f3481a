import type { Duplex } from "node:stream";

import { noteWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { MAX_OUTPUT_BYTES, type CodeOrder, type CodeOutcome, readMessage } from "../box/messages.ts";

/** A call takes one line, and a new box has another to say. Code may have written the others. */
const MAX_LINES_PER_CALL = 16;
/** Result and error in base64, and room for what they come with. */
const MAX_BYTES_PER_CALL = 3 * MAX_OUTPUT_BYTES;
const LINE_END = 0x0a;

/**
 * The conversation with the runner of a box. All code in the box can write there too: lines and bytes are counted before
 * anything is read of them, and nothing of them is parsed as JSON.
 */
export class BoxChannel {
  /** Settled once the runner has said that it is ready. */
  readonly ready: Promise<void>;
  readonly #stream: Duplex;
  readonly #onTooMuch: () => void;
  #onReady: () => void = () => undefined;
  #onDone: (outcome: CodeOutcome) => void = () => undefined;
  #line: Buffer[] = [];
  #lines = 0;
  #bytes = 0;

  /** @param onTooMuch called when more was said than a call takes. Nothing is heard any more then. */
  constructor(stream: Duplex, onTooMuch: () => void) {
    this.#stream = stream;
    this.#onTooMuch = onTooMuch;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** The outcome that comes next. Never settled when none does. */
  ask(order: CodeOrder): Promise<CodeOutcome> {
    this.#lines = 0;
    this.#bytes = 0;
    return new Promise((resolve) => {
      this.#onDone = resolve;
      this.#stream.write(`${JSON.stringify(order)}\n`);
    });
  }

  #take(chunk: Buffer): void {
    if (this.#isTooMuch) return;
    noteWork("box");
    this.#bytes += chunk.byteLength;
    let start = 0;
    for (
      let end = chunk.indexOf(LINE_END);
      end >= 0 && !this.#isTooMuch;
      end = chunk.indexOf(LINE_END, start)
    ) {
      this.#lines += 1;
      this.#hear(Buffer.concat([...this.#line.splice(0), chunk.subarray(start, end)]));
      start = end + 1;
    }
    this.#line.push(chunk.subarray(start));
    if (!this.#isTooMuch) return;
    this.#line = [];
    this.#onTooMuch();
  }

  get #isTooMuch(): boolean {
    return this.#lines > MAX_LINES_PER_CALL || this.#bytes > MAX_BYTES_PER_CALL;
  }

  #hear(line: Buffer): void {
    const message = readMessage(line.toString("latin1"));
    if (message?.kind === "ready") this.#onReady();
    if (message?.kind === "done") this.#onDone(message);
  }
}
