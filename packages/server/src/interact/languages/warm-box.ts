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

/** Wait for the end mark. It never comes when the code has closed its output. */
const MARK_LIMIT_MS = 1000;
/** Exit code that shells report for a killed program. */
const KILLED = 137;
/** Limit of V8's heap. Buffers come on top, up to the limits of the box. */
const HEAP_MEGABYTES = 256;

export interface BoxEquipment {
  readonly sandbox: Sandbox;
  readonly mounts: readonly Mount[];
}

/** A box with its runner. It serves one session, whose browser listens at `socketPath`. */
export class WarmBox {
  readonly socketPath: string;
  readonly #box: Box;
  readonly #folder: BoxFolder;
  readonly #stdout: OutputUntilMark;
  readonly #stderr: OutputUntilMark;
  readonly #channel: BoxChannel;
  /** Starts before the first call. Undefined when the box ended before it was ready. */
  readonly #watch: Promise<BoxWatch | undefined>;
  #hasRun = false;
  #ended: string | undefined;
  /** Why the service killed it while code ran. */
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

  /** Whether it accepts calls. It does not once it is being killed. */
  get isAlive(): boolean {
    return this.#ended === undefined && this.#killedBecause === undefined;
  }

  /**
   * Prepares a further call, so that leftovers of the last one do not count against it.
   * @returns whether the box accepts calls.
   */
  async rouse(): Promise<boolean> {
    if (this.#hasRun) await (await this.#watch)?.beginCall();
    return this.isAlive;
  }

  /** Resolves when the box is gone. */
  get ended(): Promise<string> {
    return this.#box.ended;
  }

  /** Runs the code. When the time is over or the signal aborts, the box is killed with it. */
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

  /** Kills the box and removes its files. */
  async close(): Promise<void> {
    await this.#box.kill();
    await this.#folder.remove();
  }

  /** Outcome from the runner. Undefined when the box ended first. */
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

  /** The processes that exist when the runner is ready belong to the service, because code comes later. */
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

interface CollectedOutput {
  readonly text: string;
  readonly isTruncated: boolean;
}

/**
 * Reads a stream continuously, so that its writer never blocks. Keeps the text before a mark, up to a limit.
 */
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

  /** Discards earlier output. From now on output belongs to the next call. */
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
      // An earlier chunk contained the beginning of the mark.
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

/** A call takes one line, and a new box sends one more. Code may have written any others. */
const MAX_LINES_PER_CALL = 16;
/** Result and error in base64, with room for the rest of the message. */
const MAX_BYTES_PER_CALL = 3 * MAX_OUTPUT_BYTES;
const LINE_END = 0x0a;

/**
 * Connection to the runner of a box. All code in the box can write to it too, so lines and bytes are counted
 * before they are read, and nothing is parsed as JSON.
 */
class BoxChannel {
  /** Resolves when the runner has reported that it is ready. */
  readonly ready: Promise<void>;
  readonly #stream: Duplex;
  readonly #onTooMuch: () => void;
  #onReady: () => void = () => undefined;
  #onDone: (outcome: CodeOutcome) => void = () => undefined;
  #line: Buffer[] = [];
  #lines = 0;
  #bytes = 0;

  /** @param onTooMuch called when the box wrote more than a call can need. Later messages are ignored. */
  constructor(stream: Duplex, onTooMuch: () => void) {
    this.#stream = stream;
    this.#onTooMuch = onTooMuch;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** Resolves to the next outcome, or never when there is none. */
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
