import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";

import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import { DocumentError } from "./errors.ts";
import type { Question, ReadingAnswer, ReadingMessage } from "./messages.ts";
import type { OcrNews } from "./ocr-watch.ts";
import { descendants } from "@pergamon-dev/kit/process/descendants";

export interface ProcessOptions {
  /** As `startReading` makes it. */
  readonly child: ChildProcess;
  /** Resident memory in bytes. Above this, the process is killed and its work fails. */
  readonly maxRssBytes: number;
  /** Called with the reason if the process ends during its work. */
  readonly onCrash: (failure: Error) => void;
  /** Called after each use, but not if the caller has gone meanwhile, as the outcome is then unknown. */
  readonly onUse?: (use: ReaderUse) => void;
}

interface ReaderUse {
  readonly reader: "documents" | "ocr";
  /** Name of the engine. */
  readonly target?: string;
  /** Why it failed; undefined on success. Contains nothing of the file. */
  readonly problem?: string;
}

/** Frequent enough that memory growing by 2 GB a second stays within a small machine. */
const WATCH_MS = 250;

/** After this much, a new process costs less than the memory that the old one holds. */
const RECYCLE_WORKS = 200;
const RECYCLE_RSS_BYTES = 400 * 1024 * 1024;

/** In characters. Holds what Node writes when a program fails to start. */
const MAX_COMPLAINT_LENGTH = 2000;

/** Keeps only the first sentence, as later output of a process may contain file content. */
const FIRST_SENTENCE = /^.*?\.(?= |$)/;

/**
 * How a process ends, or work fails, for lack of memory or stack: killed by its watch, aborted by V8 or a native
 * library (a sandbox gives the signal as a status), or with an error of JavaScript.
 */
const EXHAUSTED =
  /^The process (?:took \d+ bytes of memory|ended \((?:SIGABRT|134)\))|^RangeError: (?:Maximum call stack|Invalid (?:string|array) length|Array buffer allocation)/;

interface Pending {
  resolve(answer: ReadingAnswer): void;
  reject(failure: Error): void;
}

/** A process that reads documents, one at a time. A hostile file can crash only this process. */
export class DocumentProcess {
  readonly #child: ChildProcess;
  readonly #options: ProcessOptions;
  readonly #ready: Promise<void>;
  #pending: Pending | undefined;
  #ended: Error | undefined;
  #onOcr: ((isRunning: boolean) => void) | undefined;
  #works = 0;
  #rssBytes = 0;
  #isSpoilt = false;
  /** The last output on its standard error. */
  #complaint = "";

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#child = options.child;
    this.#ready = new Promise((resolve, reject) => {
      this.#child.on("message", (message: ReadingMessage) => {
        recordWork("document");
        if (message.kind === "ready") resolve();
        else if (message.kind === "ocr") this.#hear(message.news);
        else this.#settle(message);
      });
      const end = (failure: Error) => {
        reject(failure);
        this.#end(failure);
      };
      this.#child.on("error", end);
      this.#child.on("exit", (code, signal) =>
        end(new Error(`The process ended (${signal ?? code}). ${this.#complaint}`)),
      );
    });
    this.#ready.catch(() => undefined);
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#complaint = (this.#complaint + text.toString()).slice(-MAX_COMPLAINT_LENGTH);
    });
  }

  /** False once it must not be used again. */
  get isUsable(): boolean {
    return (
      this.#ended === undefined &&
      !this.#isSpoilt &&
      this.#works < RECYCLE_WORKS &&
      this.#rssBytes < RECYCLE_RSS_BYTES
    );
  }

  /**
   * Does the work in the process. Aborting `signal` kills the process.
   * @param onOcr called when OCR begins, and when it ends
   * @throws DocumentError as the work throws it, and `reader-…` if the process does not survive it.
   * @throws the signal's reason.
   */
  async run(question: Question, signal: AbortSignal, onOcr?: (isRunning: boolean) => void): Promise<unknown> {
    signal.throwIfAborted();
    this.#works += 1;
    this.#onOcr = onOcr;
    const kill = () => this.kill(signal.reason as Error);
    signal.addEventListener("abort", kill, { once: true });
    const watch = this.#watchMemory();
    try {
      await this.#ready;
      const result = this.#resultOf(await this.#ask(question));
      this.#options.onUse?.({ reader: "documents" });
      return result;
    } catch (failure) {
      if (signal.aborted) throw signal.reason;
      throw this.#explained(failure);
    } finally {
      this.#onOcr = undefined;
      onOcr?.(false);
      await watch.stop();
      signal.removeEventListener("abort", kill);
    }
  }

  /** Kills the process and all its children at once. */
  kill(reason = new Error("The process was not needed any more.")): void {
    this.#end(reason);
    killGroup(this.#child.pid);
    // Windows has no process groups.
    this.#child.kill("SIGKILL");
  }

  #ask(question: Question): Promise<ReadingAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#pending = { resolve, reject };
      this.#child.send(question, (failure) => failure && this.kill(failure));
    });
  }

  #resultOf(answer: ReadingAnswer): unknown {
    this.#rssBytes = answer.rssBytes;
    if (answer.kind === "done") return answer.result;
    if (answer.kind === "refused") throw new DocumentError(answer.code, answer.reason);
    // A WebAssembly trap leaves its memory in an undefined state.
    this.#isSpoilt = true;
    throw new Error(answer.message);
  }

  /** Any failure of the process that reads a file means that the file cannot be read. */
  #explained(failure: unknown): unknown {
    const { onUse } = this.#options;
    if (failure instanceof DocumentError) {
      onUse?.({ reader: "documents" });
      return failure;
    }
    const cause = this.#ended ?? (failure as Error);
    const problem = this.#ended ? FIRST_SENTENCE.exec(cause.message)?.[0] : undefined;
    onUse?.({ reader: "documents", problem: problem ?? "The process failed in its work." });
    this.#options.onCrash(cause);
    const code = EXHAUSTED.test(cause.message) ? "reader-exhausted" : "reader-failed";
    return new DocumentError(code, cause.message, { cause });
  }

  #hear(news: OcrNews): void {
    this.#onOcr?.(news.isRunning);
    if (news.isRunning) return;
    const { engine: target, problem } = news;
    this.#options.onUse?.({ reader: "ocr", target, ...(problem !== undefined && { problem }) });
  }

  #settle(answer: ReadingAnswer): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(answer);
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(this.#ended);
  }

  #watchMemory(): Repetition {
    const { maxRssBytes, onCrash } = this.#options;
    const check = async () => {
      const rssBytes = await rssBytesOf(this.#child.pid);
      if (rssBytes > maxRssBytes) this.kill(new Error(`The process took ${rssBytes} bytes of memory.`));
    };
    return repeat(WATCH_MS, check, (failure) => onCrash(failure as Error));
  }
}

/**
 * Largest resident memory among the process and its descendants; 0 where it is unknown, as outside Linux. The
 * started process may be only the sandbox around the reader.
 */
async function rssBytesOf(pid: number | undefined): Promise<number> {
  return Math.max(0, ...(await Promise.all(descendants(pid).map(rssOf))));
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
