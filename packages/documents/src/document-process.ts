import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";

import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { repeat, type Repetition } from "@pergamon-dev/kit/repeat";
import { DocumentError } from "./errors.ts";
import type { Question, ReadingAnswer, ReadingMessage } from "./messages.ts";
import type { OcrNews } from "./ocr-watch.ts";
import { descendants } from "@pergamon-dev/kit/process/descendants";

/** A process, and when it is ended. */
export interface ProcessOptions {
  /** As `startReading` makes it. */
  readonly child: ChildProcess;
  /** More resident memory than this ends the process, and fails what it works on. */
  readonly maxRssBytes: number;
  /** Called with what happened to a process that ended in the middle of its work. */
  readonly onCrash: (failure: Error) => void;
  /** Called with each use, but not when the caller has gone meanwhile: the outcome is unknown then. */
  readonly onUse?: (use: ReaderUse) => void;
}

/** What was used, and what came of it. */
interface ReaderUse {
  readonly reader: "documents" | "ocr";
  /** Which engine. */
  readonly target?: string;
  /** Why it did not work; undefined when it did. Nothing of the file is in it. */
  readonly problem?: string;
}

/** Measured often enough that memory that grows by 2 GB a second stays within what a small machine has. */
const WATCH_MS = 250;

/** After so much a new process costs less than what the old one holds. */
const RECYCLE_WORKS = 200;
const RECYCLE_RSS_BYTES = 400 * 1024 * 1024;

/** Characters; what Node writes when a program fails at its start. */
const MAX_COMPLAINT_LENGTH = 2000;

/** What a process wrote before its end can be of the file. */
const FIRST_SENTENCE = /^.*?\.(?= |$)/;

interface Pending {
  resolve(answer: ReadingAnswer): void;
  reject(failure: Error): void;
}

/** A process that reads documents. It does one thing at a time, and hostile files end nothing but it. */
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
  /** The last that it wrote on its standard error. */
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
   * Has the work done. Once `signal` is aborted the process is killed.
   * @param onOcr called when OCR begins, and when it ends
   * @throws DocumentError as the work throws it, and `reader-failed` when the process does not survive it.
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

  /** Ends it at once, with everything that it has started. */
  kill(reason = new Error("The process was not needed any more.")): void {
    this.#end(reason);
    killGroup(this.#child.pid);
    // Windows knows no groups.
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
    // A trap of WebAssembly leaves its memory in disorder.
    this.#isSpoilt = true;
    throw new Error(answer.message);
  }

  /** If the process that reads a file fails in any way, the file cannot be read. */
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
    return new DocumentError("reader-failed", cause.message, { cause });
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
 * Resident memory of a process or of one that came from it, whichever has most; 0 where that cannot be asked, as outside
 * Linux. The process that was started may be the one that holds a box.
 */
async function rssBytesOf(pid: number | undefined): Promise<number> {
  return Math.max(0, ...(await Promise.all(descendants(pid).map(rssOf))));
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
