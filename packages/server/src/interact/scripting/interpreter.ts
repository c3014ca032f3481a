import { Worker } from "node:worker_threads";

import type { InterpreterEngine } from "./interpreter-engine.ts";
import type { FromInterpreter, InterpreterStart, ToInterpreter } from "./interpreter-messages.ts";
import { programFile } from "@pergamon-dev/kit/process/program-file";

const PROGRAM = { bundle: "interpreter-worker.js", loader: "worker-source.mjs" };

/** Memory limit for objects of interpreted JavaScript. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The thread itself needs little memory; messages to it come on top. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** A thread that does not report rest within this time is still busy with leftovers of a run. */
const REST_LIMIT_MS = 1000;
/** Replies to questions that a run did not wait for. They are delivered when the next run begins. */
const MAX_LATE_REPLIES = 1000;

type FromRun = Exclude<FromInterpreter, { readonly kind: "rested" }>;

interface InterpreterRun {
  /** Evaluates to an array of two: text for the prelude, and a function that returns a promise. */
  readonly source: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onPrint(isError: boolean, text: string): void;
  /** Answers questions of the prelude. Not called any more once the run has ended. */
  onAsk(text: string): Promise<string>;
}

type InterpreterOutcome =
  | { readonly kind: "done"; readonly result: string }
  | { readonly kind: "failed"; readonly error: string; readonly trace: string }
  /** The interpreter was ended, and its globals are lost. */
  | { readonly kind: "killed"; readonly reason: string };

/**
 * A JavaScript interpreter in a thread of its own. It has the language and the functions of its prelude, but
 * no access to this system. Globals stay between runs until the interpreter has to be ended; loops and timers
 * end with the run.
 */
export class Interpreter {
  readonly #prelude: string;
  readonly #engine: InterpreterEngine;
  #worker: Worker | undefined;
  #hear: (message: FromRun) => void = () => undefined;
  #kill: (reason: string) => void = () => undefined;
  #leave: () => void = () => undefined;
  #onRested: () => void = () => undefined;
  /** Resolves when nothing of the last run continues. */
  #rested: Promise<void> = Promise.resolve();
  #isRunning = false;
  #lateReplies: ToInterpreter[] = [];

  constructor(prelude: string, engine: InterpreterEngine) {
    this.#prelude = prelude;
    this.#engine = engine;
  }

  /**
   * Runs one script at a time. @throws the signal's reason once `signal` is aborted; the code does not
   * continue then.
   */
  async run(order: InterpreterRun): Promise<InterpreterOutcome> {
    const { timeoutMs, signal } = order;
    const engine = await this.#engine.module();
    await this.#rested;
    signal.throwIfAborted();
    this.#isRunning = true;
    const outcome = await new Promise<InterpreterOutcome>((resolve) => {
      this.#kill = (reason) => resolve({ kind: "killed", reason });
      const limit = setTimeout(() => this.#kill(`it exceeded its ${timeoutMs} ms`), timeoutMs);
      const abort = () => this.#kill("it was cancelled");
      signal.addEventListener("abort", abort, { once: true });
      this.#leave = () => {
        clearTimeout(limit);
        signal.removeEventListener("abort", abort);
      };
      this.#begin(order, this.#opened(engine), resolve);
    });
    this.#leave();
    this.#hear = () => undefined;
    this.#isRunning = false;
    if (outcome.kind === "killed") await this.close();
    else this.#rested = this.#rest();
    signal.throwIfAborted();
    return outcome;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#lateReplies = [];
    this.#onRested();
    await worker?.terminate();
  }

  /** Ends leftovers of the run. If they do not stop by themselves, the interpreter ends with its globals. */
  async #rest(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const limit = setTimeout(() => void this.close(), REST_LIMIT_MS).unref();
    await new Promise<void>((resolve) => {
      this.#onRested = resolve;
      tell(worker, { kind: "rest" });
    });
    clearTimeout(limit);
  }

  #begin(
    { source, onPrint, onAsk }: InterpreterRun,
    worker: Worker,
    end: (outcome: InterpreterOutcome) => void,
  ): void {
    const reply = (message: ToInterpreter) => {
      if (this.#worker !== worker) return;
      if (this.#isRunning) tell(worker, message);
      else if (this.#lateReplies.length < MAX_LATE_REPLIES) this.#lateReplies.push(message);
    };
    this.#hear = (message) => {
      if (message.kind === "print") return onPrint(message.isError, message.text);
      if (message.kind !== "ask") return end(message);
      void onAsk(message.text).then((text) => reply({ kind: "reply", id: message.id, text }));
    };
    for (const late of this.#lateReplies.splice(0)) tell(worker, late);
    tell(worker, { kind: "run", source });
  }

  #opened(engine: WebAssembly.Module): Worker {
    if (this.#worker) return this.#worker;
    const workerData: InterpreterStart = { prelude: this.#prelude, engine, maxBytes: MAX_BYTES };
    const worker = new Worker(programFile(import.meta.url, PROGRAM).path, {
      workerData,
      resourceLimits: THREAD_LIMITS,
      env: {},
      argv: [],
    });
    worker.on("message", (message: FromInterpreter) => {
      if (message.kind === "rested") this.#onRested();
      else this.#hear(message);
    });
    // The thread may also fail between runs, because of leftover code.
    const lost = (reason: string) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#onRested();
      this.#kill(reason);
    };
    worker.on("error", (failure) => lost(failure.message));
    worker.on("exit", () => lost("its interpreter broke down"));
    this.#worker = worker;
    return worker;
  }
}

function tell(worker: Worker, message: ToInterpreter): void {
  worker.postMessage(message, []);
}
