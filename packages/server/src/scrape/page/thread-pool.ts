import type { TransferListItem } from "node:worker_threads";

import { PageThread, type ThreadProgram, type ThreadTask } from "./page-thread.ts";
import type { ThreadCall } from "./thread-messages.ts";

/**
 * Another thread is started when this much, about 50 ms of work for each thread, was ahead and still is a second later, or
 * was a moment before. Each thread compiles the whole engine for itself, about two seconds of processor time, which a burst
 * is not worth.
 */
const BUSY_BYTES = 1024 * 1024;
const BUSY_MS = 1000;
const BREAK_MS = 100;

/**
 * A page from this size on takes 200 ms and more. Where it would hold up others, these get one more thread than is
 * allowed otherwise. With 2 MB, that thread had so many pages that it compiled the engine, too.
 */
const HUGE_BYTES = 4 * 1024 * 1024;

/**
 * How long a thread without work is kept. One that has worked holds some 40 MB; a new one has to compile everything
 * again, which makes its first pages twice as dear.
 */
const IDLE_MS = 10 * 60_000;

interface PoolOptions {
  readonly program: ThreadProgram;
  readonly most: number;
  /** Called when an idle thread died, or a thread could not be started. */
  readonly onError: (failure: unknown) => void;
}

/** What a task needs besides its call. */
interface TaskNeeds {
  readonly signal: AbortSignal;
  /** What it weighs, as the bytes of a page that take as long. */
  readonly bytes: number;
  /** Made when the task is sent: what a thread took with it cannot be sent again. */
  readonly transfer?: readonly TransferListItem[];
}

/** Threads that take tasks in turn. As few as will do, since each has to compile the same code. */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<PageThread>();
  readonly #idle = new Map<PageThread, NodeJS.Timeout>();
  readonly #waiting: ThreadTask[] = [];
  /** Without huge tasks. */
  #bytesAhead = 0;
  /** Runs once much is ahead. */
  #busy: NodeJS.Timeout | undefined;
  #busyAtMs = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** What is waiting or worked on, for each thread; huge tasks, which others do not wait for, are left out. */
  get bytesPerThread(): number {
    return this.#bytesAhead / Math.max(1, this.#threads.size);
  }

  get hasReadyThread(): boolean {
    return [...this.#threads].some(({ isReady }) => isReady);
  }

  /** Starts a thread in the background, unless there is one. */
  start(): void {
    if (this.#threads.size === 0 && !this.#isClosed) this.#startThread();
  }

  /**
   * Once `signal` is aborted, this rejects, and the thread is ended if the task has begun.
   * @throws what the task throws; Error when its thread dies.
   */
  async run(call: ThreadCall, { signal, bytes, transfer = [] }: TaskNeeds): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#isClosed) throw closed();
    const isHuge = bytes >= HUGE_BYTES;
    const countedBytes = isHuge ? 0 : bytes;
    this.#bytesAhead += countedBytes;
    let stop: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const task: ThreadTask = { call, transfer, isHuge, resolve, reject };
        stop = () => this.#abort(task, signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        this.#waiting.push(task);
        this.#proceed();
      });
    } finally {
      this.#bytesAhead -= countedBytes;
      if (stop) signal.removeEventListener("abort", stop);
    }
  }

  /** Rejects what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    clearTimeout(this.#busy);
    for (const task of this.#waiting.splice(0)) task.reject(closed());
    await Promise.all([...this.#threads].map((thread) => thread.kill(closed())));
  }

  #proceed(): void {
    for (const thread of this.#threads) {
      if (!thread.isFree) continue;
      // The spare thread stays idle while no page waits: any page that it took would make it compile the whole engine,
      // too.
      if (this.#countWorking() >= this.#options.most + Math.min(1, this.#heldUp().length)) break;
      const task = this.#next();
      if (!task) break;
      clearTimeout(this.#idle.get(thread));
      this.#idle.delete(thread);
      thread.give(task);
    }
    if (this.#waiting.length > 0 && this.#needsThread()) this.#startThread();
    this.#watchBusy();
  }

  /** The first that waits; a huge one only while others keep a thread, or nothing else waits. */
  #next(): ThreadTask | undefined {
    const { most } = this.#options;
    const isHugeAllowed = this.#heldUp().length < most;
    const index = this.#waiting.findIndex(({ isHuge }) => isHugeAllowed || !isHuge);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  /** Starts another thread where much stays ahead, and then one more as long as it does. */
  #watchBusy(): void {
    if (this.#isClosed || !this.#isBusy()) return;
    this.#busyAtMs = performance.now();
    this.#busy ??= setTimeout(() => {
      this.#busy = undefined;
      const isStillBusy = this.#isBusy() || performance.now() - this.#busyAtMs <= BREAK_MS;
      if (isStillBusy && !this.#isStarting() && this.#threads.size < this.#options.most) this.#startThread();
      this.#watchBusy();
    }, BUSY_MS).unref();
  }

  #isBusy(): boolean {
    if (this.#threads.size >= this.#options.most || this.#waiting.length === 0) return false;
    return this.bytesPerThread > BUSY_BYTES || this.#waiting.some(({ isHuge }) => isHuge);
  }

  #needsThread(): boolean {
    if (this.#threads.size === 0) return true;
    const isHeldUp = this.#heldUp().length > 0 && this.#waiting.some(({ isHuge }) => !isHuge);
    return isHeldUp && !this.#isStarting() && this.#threads.size <= this.#options.most;
  }

  #isStarting(): boolean {
    return [...this.#threads].some(({ isReady }) => !isReady);
  }

  #countWorking(): number {
    return [...this.#threads].filter((thread) => thread.isWorking).length;
  }

  #heldUp(): readonly PageThread[] {
    return [...this.#threads].filter((thread) => thread.isHeldUp);
  }

  #startThread(): void {
    const thread = new PageThread(this.#options.program, {
      onFree: (free) => this.#takeBack(free),
      onEnd: (ended, failure) => this.#forget(ended, failure),
    });
    this.#threads.add(thread);
  }

  #takeBack(thread: PageThread): void {
    this.#proceed();
    if (!thread.isFree || this.#isClosed) return;
    const end = () => void thread.kill(undefined).catch(this.#options.onError);
    this.#idle.set(thread, setTimeout(end, IDLE_MS).unref());
  }

  #forget(thread: PageThread, failure: unknown): void {
    this.#threads.delete(thread);
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    if (this.#isClosed) return;
    if (failure !== undefined) this.#options.onError(failure);
    // One that could not even load its program would not the next time.
    if (!thread.isReady && failure !== undefined && this.#threads.size === 0)
      for (const task of this.#waiting.splice(0)) task.reject(failure);
    this.#proceed();
  }

  #abort(task: ThreadTask, reason: unknown): void {
    const index = this.#waiting.indexOf(task);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      task.reject(reason);
      return;
    }
    const thread = [...this.#threads].find((one) => one.isWorkingOn(task));
    thread?.kill(reason).catch(this.#options.onError);
  }
}

function closed(): Error {
  return new Error("The page threads are closed.");
}
