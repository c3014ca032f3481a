import { type TransferListItem, Worker } from "node:worker_threads";

import type { ThreadCall, ThreadReply } from "./thread-messages.ts";

export interface ThreadTask {
  readonly call: ThreadCall;
  readonly transfer: readonly TransferListItem[];
  /** Whether other tasks must not wait for it. */
  readonly isHuge: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

export interface ThreadProgram {
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
export class PageThread {
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
