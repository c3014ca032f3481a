import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Duplex, Readable } from "node:stream";

import { type Box, startBox } from "../../sandbox/box.ts";
import { type BoxFolder, makeBoxFolder } from "../../sandbox/box-folder.ts";
import { BoxWatch } from "../../sandbox/box-watch.ts";
import { BOX_FOLDER, type Mount, type Sandbox } from "../../sandbox/sandbox.ts";
import { type CodeOrder, type CodeOutcome, MAX_OUTPUT_BYTES, readMessage } from "../box/messages.ts";
import type { CodeResult } from "./code-runner.ts";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";

/** Output that its program has closed has no mark. */
const MARK_LIMIT_MS = 1000;
/** As shells say of a program that was killed. */
const KILLED = 137;
/** V8's share; buffers come on top, up to the limits of the box. */
const HEAP_MEGABYTES = 256;

/** What every box of this process is started with. */
export interface BoxEquipment {
  readonly sandbox: Sandbox;
  readonly mounts: readonly Mount[];
}

/** A box with the runner in it. It serves one session, whose browser is listened for at `socketPath`. */
export class WarmBox {
  readonly socketPath: string;
  readonly #box: Box;
  readonly #folder: BoxFolder;
  readonly #stdout: OutputUntilMark;
  readonly #stderr: OutputUntilMark;
  readonly #channel: BoxChannel;
  /** Begins before the first call. Undefined when the box ended before it was ready. */
  readonly #watch: Promise<BoxWatch | undefined>;
  #hasRun = false;
  #ended: string | undefined;
  /** Why it was ended by us while code ran. */
  #killedBecause: string | undefined;

  static async start({ sandbox, mounts }: BoxEquipment): Promise<WarmBox> {
    const folder = await makeBoxFolder(sandbox.account);
    const run = await folder.makeFolder("run");
    const launch = sandbox.driver.launch({
      system: sandbox.system,
      mountPoint: folder.mountPoint,
      mounts: [...mounts, { from: run, to: "/run/box" }],
      command: [
        `${BOX_FOLDER}/bin/node`,
        `--max-old-space-size=${HEAP_MEGABYTES}`,
        "--no-warnings",
        `${BOX_FOLDER}/runner.mjs`,
      ],
    });
    return new WarmBox(startBox(sandbox, launch), folder, join(run, "cdp.sock"));
  }

  private constructor(box: Box, folder: BoxFolder, socketPath: string) {
    this.#box = box;
    this.#folder = folder;
    this.socketPath = socketPath;
    this.#stdout = new OutputUntilMark(box.stdout, MAX_OUTPUT_BYTES);
    this.#stderr = new OutputUntilMark(box.stderr, MAX_OUTPUT_BYTES);
    this.#channel = new BoxChannel(box.channel, () => void this.#end("it printed too much"));
    this.#watch = Promise.race([this.#startWatch(), box.ended.then(() => undefined)]);
    void this.#noteEnd();
  }

  /** Whether it takes calls: not once it is to end. */
  get isAlive(): boolean {
    return this.#ended === undefined && this.#killedBecause === undefined;
  }

  /** Before a further call, which then does not pay for what the last has left. @returns whether it takes calls. */
  async rouse(): Promise<boolean> {
    if (this.#hasRun) await (await this.#watch)?.beginCall();
    return this.isAlive;
  }

  /** Settled once nothing of it is left. */
  get ended(): Promise<string> {
    return this.#box.ended;
  }

  /** Runs the code. When its time is over, or the signal is aborted, the box ends with it. */
  async run(order: Omit<CodeOrder, "endMark">, signal: AbortSignal): Promise<CodeResult> {
    signal.throwIfAborted();
    const endMark = `\0${randomUUID()}\0`;
    const marks = [this.#stdout.begin(endMark), this.#stderr.begin(endMark)];
    const abort = () => void this.#end("it was cancelled");
    signal.addEventListener("abort", abort, { once: true });
    const limit = setTimeout(() => void this.#end(`it exceeded its ${order.timeoutMs} ms`), order.timeoutMs);
    const watch = await this.#watch;
    try {
      await watch?.beginCall();
      this.#hasRun = true;
      const outcome = await this.#ask({ ...order, endMark });
      await Promise.race([Promise.all(marks), this.#box.ended, afterMs(MARK_LIMIT_MS)]);
      signal.throwIfAborted();
      return this.#resultOf(outcome);
    } finally {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      if (this.isAlive) await watch?.endCall();
    }
  }

  /** Ends it, and removes its files. */
  async close(): Promise<void> {
    await this.#box.kill();
    await this.#folder.remove();
  }

  /** The outcome that the runner tells; undefined when the box ended first. */
  #ask(order: CodeOrder): Promise<CodeOutcome | undefined> {
    if (!this.isAlive) return Promise.resolve(undefined);
    return Promise.race([this.#channel.ask(order), this.#box.ended.then(() => undefined)]);
  }

  #resultOf(outcome: CodeOutcome | undefined): CodeResult {
    const [stdout, stderr] = [this.#stdout.end(), this.#stderr.end()];
    const result = cut(outcome?.result ?? "");
    const error = outcome
      ? outcome.error
      : `The code was killed: ${this.#killedBecause ?? "its sandbox failed"}.`;
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      result: result.text,
      exitCode: outcome?.exitCode ?? KILLED,
      killed: outcome === undefined,
      truncated: [stdout, stderr, result].some((one) => one.isTruncated) || outcome?.truncated === true,
      ...(error !== undefined && { error: cut(error).text }),
    };
  }

  /** What there is when the runner is ready is ours: code comes later. */
  async #startWatch(): Promise<BoxWatch> {
    await this.#channel.ready;
    return new BoxWatch(this.#box, (reason) => void this.#end(reason));
  }

  async #noteEnd(): Promise<void> {
    this.#ended = await this.#box.ended;
    await (await this.#watch)?.stop();
  }

  async #end(reason: string): Promise<void> {
    this.#killedBecause ??= reason;
    await this.#box.kill();
  }
}

function cut(text: string): { readonly text: string; readonly isTruncated: boolean } {
  const bytes = Buffer.from(text);
  const isTruncated = bytes.byteLength > MAX_OUTPUT_BYTES;
  return { text: isTruncated ? bytes.subarray(0, MAX_OUTPUT_BYTES).toString("utf8") : text, isTruncated };
}

function afterMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs).unref());
}

/** What was printed, and whether more was. */
interface CollectedOutput {
  readonly text: string;
  readonly isTruncated: boolean;
}

/** Reads a stream all the time, so that its writer never blocks, and keeps what comes before a mark, up to a limit. */
class OutputUntilMark {
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

/** A call takes one line, and a new box has another to say. Code may have written the others. */
const MAX_LINES_PER_CALL = 16;
/** Result and error in base64, and room for what they come with. */
const MAX_BYTES_PER_CALL = 3 * MAX_OUTPUT_BYTES;
const LINE_END = 0x0a;

/**
 * The conversation with the runner of a box. All code in the box can write there too: lines and bytes are counted before
 * anything is read of them, and nothing of them is parsed as JSON.
 */
class BoxChannel {
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
    recordWork("box");
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
