import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Piscina } from "piscina";

import type { MatchPatterns, Matching, MatchingTask } from "./pattern-matching.ts";
import type { CompareVersions, ComparisonTask, VersionComparison } from "./version-comparison.ts";
import type { PageTask, PageTaskResult } from "./worker.ts";

/**
 * How much may be ahead of a page, per thread, before it is better worked on elsewhere: some 200 ms of work, so that
 * nothing waits long behind a huge page. With an eighth of it, eight connections already sent pages back to the main
 * thread, and cached answers alongside them took 220 ms at the 95th percentile; without a bound they took 34.
 */
const ROOM_BYTES = 4 * 1024 * 1024;

/**
 * How long a thread without work is kept. One that has worked holds some 55 MB; a new one has to compile everything
 * again, which makes its first pages twice as dear.
 */
const IDLE_MS = 10 * 60_000;

/** Size of a thread's young generation. V8 fills its default of 48 MB, even if little of it is in use. */
const YOUNG_MEGABYTES = 24;

/** Threads that compute pages. The first one starts on demand. */
export interface PageThreads {
  /** Whether a page submitted now is processed immediately or soon. */
  readonly hasRoom: boolean;
  /** Starts a thread in the background, unless one is running. */
  start(): void;
  /**
   * Once `signal` is aborted, this rejects, and the thread is ended if the task has begun.
   * @throws what the views throw; Error when the thread dies.
   */
  compute(task: PageTask, signal: AbortSignal): Promise<PageTaskResult>;
  close(): Promise<void>;
}

/** Threads that compare versions of pages. */
export interface VersionThreads {
  /** Once `signal` is aborted, this rejects and the thread is ended. @throws Error when the thread dies. */
  readonly compareVersions: CompareVersions;
}

/** Threads that match URLs against patterns of callers. */
export interface PatternThreads {
  /** Once `signal` is aborted, this rejects and the thread is ended. @throws Error when the thread dies. */
  readonly matchPatterns: MatchPatterns;
}

interface ThreadOptions {
  readonly most: number;
  /** Called when an idle thread died, or a thread could not be started. */
  readonly onError: (failure: unknown) => void;
}

export function openPageThreads(options: ThreadOptions): PageThreads & VersionThreads & PatternThreads {
  return new PiscinaThreads(options);
}

class PiscinaThreads implements PageThreads, VersionThreads, PatternThreads {
  readonly #options: ThreadOptions;
  #pool: Piscina | undefined;
  #ready = 0;
  #bytesAhead = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get hasRoom(): boolean {
    return this.#bytesAhead < this.#ready * ROOM_BYTES;
  }

  start(): void {
    const pool = this.#opened();
    if (pool.threads.length === 0) pool.run(undefined, { name: "getReady" }).catch(this.#options.onError);
  }

  async compute(task: PageTask, signal: AbortSignal): Promise<PageTaskResult> {
    const { byteLength } = task.source.capture.body;
    this.#bytesAhead += byteLength;
    try {
      const { task: given, transferList } = withBodyToHandOver(task);
      return (await this.#opened().run(given, {
        name: "computeViews",
        signal,
        transferList,
      })) as PageTaskResult;
    } finally {
      this.#bytesAhead -= byteLength;
    }
  }

  readonly compareVersions = async (task: ComparisonTask, signal: AbortSignal): Promise<VersionComparison> =>
    (await this.#opened().run(task, { name: "compareVersions", signal })) as VersionComparison;

  readonly matchPatterns = async (task: MatchingTask, signal: AbortSignal): Promise<Matching> =>
    (await this.#opened().run(task, { name: "matchPatterns", signal })) as Matching;

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  #opened(): Piscina {
    this.#pool ??= this.#open();
    return this.#pool;
  }

  #open(): Piscina {
    const pool = new Piscina({
      filename: workerFile(),
      minThreads: 0,
      maxThreads: this.#options.most,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    pool.on("workerCreate", () => (this.#ready += 1));
    // One that ends before it was ready was never counted.
    pool.on("workerDestroy", () => (this.#ready = Math.max(0, this.#ready - 1)));
    // A thread that dies without work must not take the process with it.
    pool.on("error", this.#options.onError);
    return pool;
  }
}

/** A copy of the body to transfer to the thread; other message contents are copied several times. */
function withBodyToHandOver(task: PageTask): {
  readonly task: PageTask;
  readonly transferList: [ArrayBuffer];
} {
  const body = new Uint8Array(task.source.capture.body);
  const source = { ...task.source, capture: { ...task.source.capture, body } };
  return { task: { ...task, source }, transferList: [body.buffer] };
}

/** From a build the worker is a bundle next to this file; from sources it is TypeScript behind a loader. */
function workerFile(): string {
  const bundle = fileURLToPath(new URL("./page-worker.js", import.meta.url));
  const source = fileURLToPath(new URL("./worker-source.mjs", import.meta.url));
  return existsSync(bundle) ? bundle : source;
}
