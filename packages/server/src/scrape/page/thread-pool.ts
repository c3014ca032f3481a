import { type TransferListItem, Worker } from "node:worker_threads";
import type { ThreadCall, ThreadReply } from "./thread-messages.ts";

/**
 * Bytes ahead of each thread, about 50 ms of work, that start another thread if they persist for a second, or
 * recur shortly after. A burst is not worth a new thread, which compiles the whole engine in about two
 * seconds of processor time.
 */
const BUSY_BYTES = 1024 * 1024;
const BUSY_MS = 1000;
const BREAK_MS = 100;

/**
 * Pages of at least this size take 200 ms and more. When they would delay other pages, one thread more than
 * usual is allowed. With 2 MB, that thread got so many pages that it compiled the engine, too.
 */
const HUGE_BYTES = 4 * 1024 * 1024;

/**
 * How long an idle thread is kept. A used thread holds some 40 MB. A new one has to compile everything again,
 * which doubles the time of its first pages.
 */
const IDLE_MS = 10 * 60_000;

interface PoolOptions {
  readonly program: ThreadProgram;
  readonly most: number;
  /** Called when an idle thread died, or a thread could not be started. */
  readonly onError: (failure: unknown) => void;
}

interface TaskNeeds {
  readonly signal: AbortSignal;
  /** Weight of the task, as the size of a page that takes as long. */
  readonly bytes: number;
  /** Created when the task is sent, because transferred objects cannot be sent again. */
  readonly transfer?: readonly TransferListItem[];
}

/** Runs tasks on threads in order. It keeps few threads, because each has to compile the same code. */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<PageThread>();
  readonly #idle = new Map<PageThread, NodeJS.Timeout>();
  readonly #waiting: ThreadTask[] = [];
  /** Bytes of waiting and running tasks, without huge ones. */
  #bytesAhead = 0;
  /** Runs while many bytes are ahead. */
  #busy: NodeJS.Timeout | undefined;
  #busyAtMs = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Bytes of waiting and running tasks per thread, without huge tasks, for which others do not wait. */
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
   * Once `signal` is aborted, this rejects, and the thread ends if the task has begun.
   * @throws the failure of the task; Error when its thread dies.
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

  /** Rejects all tasks. */
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
      // The spare thread stays idle while no page waits, because any page would make it compile the whole
      // engine, too.
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

  /** First waiting task. A huge task is taken only while others keep a thread, or when nothing else waits. */
  #next(): ThreadTask | undefined {
    const { most } = this.#options;
    const isHugeAllowed = this.#heldUp().length < most;
    const index = this.#waiting.findIndex(({ isHuge }) => isHugeAllowed || !isHuge);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  /** Starts another thread when many bytes stay ahead, and one more as long as they do. */
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
    // A thread that failed to load its program would fail again.
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

interface ThreadTask {
  readonly call: ThreadCall;
  readonly transfer: readonly TransferListItem[];
  /** Whether other tasks must not wait for it. */
  readonly isHuge: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

interface ThreadProgram {
  readonly file: string | URL;
  readonly resourceLimits: {
    readonly maxOldGenerationSizeMb: number;
    readonly maxYoungGenerationSizeMb: number;
  };
}

interface ThreadEvents {
  /** Called when the thread has loaded its program, and after each task. */
  readonly onFree: (thread: PageThread) => void;
  /**
   * Called once.
   * @param failure the cause, unless a task was rejected with it, or the thread was ended on purpose.
   */
  readonly onEnd: (thread: PageThread, failure?: unknown) => void;
}

/** A thread that works on one task at a time. When it ends, only that task fails. */
class PageThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  #task: ThreadTask | undefined;
  #failure: unknown;
  #isEnded = false;
  /** Whether it has loaded its program. */
  isReady = false;

  constructor({ file, resourceLimits }: ThreadProgram, events: ThreadEvents) {
    this.#events = events;
    this.#worker = new Worker(file, { resourceLimits });
    this.#worker.unref();
    this.#worker.on("message", (reply: ThreadReply) => this.#receive(reply));
    this.#worker.on("error", (failure) => (this.#failure = failure));
    this.#worker.on("exit", () => this.#end(this.#failure ?? new Error("A page thread ended.")));
  }

  get isFree(): boolean {
    return this.isReady && this.#task === undefined && !this.#isEnded;
  }

  get isWorking(): boolean {
    return this.#task !== undefined;
  }

  /** Whether it works on a huge task. */
  get isHeldUp(): boolean {
    return this.#task?.isHuge === true;
  }

  isWorkingOn(task: ThreadTask): boolean {
    return this.#task === task;
  }

  give(task: ThreadTask): void {
    this.#task = task;
    // Only a running task keeps the process alive.
    this.#worker.ref();
    this.#worker.postMessage(task.call, task.transfer);
  }

  /** Ends the thread at once. Its task is rejected with the failure. */
  async kill(failure: unknown): Promise<void> {
    this.#end(failure, true);
    await this.#worker.terminate();
  }

  #receive(reply: ThreadReply): void {
    if (this.#isEnded) return;
    if (reply.kind === "ready") this.isReady = true;
    else this.#settle(reply);
    this.#events.onFree(this);
  }

  #settle(reply: Exclude<ThreadReply, { readonly kind: "ready" }>): void {
    const task = this.#task;
    this.#task = undefined;
    this.#worker.unref();
    if (reply.kind === "failure") task?.reject(reply.failure);
    else task?.resolve(reply.value);
  }

  #end(failure: unknown, isOnPurpose = false): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const task = this.#task;
    this.#task = undefined;
    task?.reject(failure);
    this.#events.onEnd(this, task || isOnPurpose ? undefined : failure);
  }
}
