import { DocumentProcess, type ProcessOptions } from "./document-process.ts";
import { DocumentError } from "./errors.ts";
import { type ReadingPrograms, startReading } from "./start-reading.ts";
import type { OrderOf, ResultOf, WorkName } from "./works.ts";

/** Processes that read documents. The first one starts when it is needed. */
export interface ProcessPool {
  /**
   * Runs work in a process as soon as one is free.
   * @throws DocumentError as the work throws it; `overloaded` if too much work is waiting; the signal's
   * reason.
   */
  run<Name extends WorkName>(task: PoolTask<Name>, signal: AbortSignal): Promise<ResultOf<Name>>;
  close(): Promise<void>;
}

interface PoolTask<Name extends WorkName> {
  readonly work: Name;
  readonly order: OrderOf<Name>;
  /** True for work that no caller waits for. It runs after all other work. */
  readonly isBackground?: boolean;
  /** Called when the OCR of a picture begins, and when it ends. */
  readonly onOcr?: ((isRunning: boolean) => void) | undefined;
}

export interface ProcessPoolOptions extends ReadingPrograms, Pick<ProcessOptions, "onCrash" | "onUse"> {
  readonly maxProcesses: number;
  readonly maxRssBytes?: number;
}

/** Twice the measured memory for a file of 50 MB. */
const MAX_RSS_BYTES = 768 * 1024 * 1024;

/** Limits memory, as each waiting task may hold a body of 50 MB. */
const MAX_WAITING = 32;

/** How long idle processes besides the first one are kept. */
const IDLE_MS = 30_000;

export function openProcessPool(options: ProcessPoolOptions): ProcessPool {
  return new ForkedPool(options);
}

class ForkedPool implements ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #turns: TurnQueue;
  readonly #idle: { readonly process: DocumentProcess; readonly sinceMs: number }[] = [];
  /** All processes, with their folders. */
  readonly #all = new Map<DocumentProcess, string>();
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
    this.#turns = new TurnQueue(options.maxProcesses, {
      most: MAX_WAITING,
      overflow: () => new DocumentError("overloaded", `${MAX_WAITING} wait already`),
    });
  }

  async run<Name extends WorkName>(
    { work, order, isBackground = false, onOcr }: PoolTask<Name>,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    const release = await this.#turns.enter(signal, isBackground);
    try {
      const process = await this.#take();
      try {
        return (await process.run({ work, order }, signal, onOcr)) as ResultOf<Name>;
      } finally {
        await this.#giveBack(process);
      }
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all.keys()].map((process) => this.#drop(process)));
  }

  async #take(): Promise<DocumentProcess> {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (last.process.isUsable) return last.process;
      await this.#drop(last.process);
    }
    const { processes, maxRssBytes = MAX_RSS_BYTES, onCrash, onUse } = this.#options;
    const folder = await processes.makeFolder("documents");
    const process = new DocumentProcess({
      child: await startReading(folder, this.#options),
      maxRssBytes,
      onCrash,
      ...(onUse && { onUse }),
    });
    this.#all.set(process, folder);
    if (!this.#isClosed) return process;
    await this.#drop(process);
    throw new DocumentError("overloaded", "the pool is closed");
  }

  async #giveBack(process: DocumentProcess): Promise<void> {
    if (!process.isUsable || this.#isClosed) return this.#drop(process);
    this.#idle.push({ process, sinceMs: Date.now() });
    if (this.#idle.length > 1) setTimeout(() => this.#thinOut(), IDLE_MS).unref();
  }

  /** Keeps the most recently used process. */
  #thinOut(): void {
    while (this.#idle.length > 1 && Date.now() - (this.#idle[0]?.sinceMs ?? 0) >= IDLE_MS) {
      const oldest = this.#idle.shift();
      if (oldest) void this.#drop(oldest.process);
    }
  }

  async #drop(process: DocumentProcess): Promise<void> {
    process.kill();
    const folder = this.#all.get(process);
    this.#all.delete(process);
    if (folder !== undefined) await this.#options.processes.removeFolder(folder);
  }
}

/** Frees the place. */
type Release = () => void;

interface Waiting {
  readonly start: () => void;
  readonly isBackground: boolean;
}

/** A semaphore, first come first served; background work comes last. */
export class TurnQueue {
  readonly #waiting: Waiting[] = [];
  readonly #queue: { readonly most: number; readonly overflow: () => Error };
  #free: number;

  /** @param queue maximum waiting callers, and the error for one more. */
  constructor(places: number, queue: { readonly most: number; readonly overflow: () => Error }) {
    this.#free = places;
    this.#queue = queue;
  }

  /** @throws what `overflow` makes; the signal's reason if it is aborted while waiting. */
  async enter(signal: AbortSignal, isBackground = false): Promise<Release> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal, isBackground);
    let isHeld = true;
    return () => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
  }

  #wait(signal: AbortSignal, isBackground: boolean): Promise<void> {
    if (this.#waiting.length >= this.#queue.most) throw this.#queue.overflow();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const waiting: Waiting = { start, isBackground };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #leave(): void {
    const index = Math.max(
      0,
      this.#waiting.findIndex(({ isBackground }) => !isBackground),
    );
    const [next] = this.#waiting.splice(index, 1);
    if (next) next.start();
    else this.#free += 1;
  }
}
