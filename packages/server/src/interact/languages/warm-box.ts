import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { type Box, startBox } from "../../sandbox/box.ts";
import { type BoxFolder, makeBoxFolder } from "../../sandbox/box-folder.ts";
import { BoxWatch } from "../../sandbox/box-watch.ts";
import { BOX_FOLDER, type Mount, type Sandbox } from "../../sandbox/sandbox.ts";
import { MAX_OUTPUT_BYTES, type CodeOrder, type CodeOutcome } from "../box/messages.ts";
import { BoxChannel } from "./box-channel.ts";
import type { CodeResult } from "./code-runner.ts";
import { OutputUntilMark } from "./output-until-mark.ts";

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
