import cluster, { type Worker } from "node:cluster";
import { randomBytes } from "node:crypto";

import type { Config } from "../../config/config.ts";
import type { Log } from "@pergamon-dev/kit/log/log";

const SECRET_BYTES = 32;
/** A worker that lived shorter is restarted with a delay, because it will probably fail again. */
const SHORT_LIFE_MS = 10_000;
const LATER_MS = 1000;

/** Messages between a worker and the process that started it. */
const STOP = "stop";
interface Listening {
  readonly listening: string;
}

/** The worker processes, which share a port. This process only restarts them. */
export class Workers {
  readonly #config: Config;
  readonly #log: Log;
  readonly #secret: string;
  readonly #alive = new Set<Worker>();
  readonly #listening = new WeakSet<Worker>();
  #isStopping = false;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
    this.#secret = config.nodes.secret ?? randomBytes(SECRET_BYTES).toString("hex");
  }

  /** Starts all workers. @returns the address. @throws Error when one of them ends instead. */
  async listen(): Promise<string> {
    const count = this.#config.nodes.workers;
    const addresses = await Promise.all(Array.from({ length: count }, () => this.#started(this.#fork())));
    return addresses[0] ?? "";
  }

  /** Lets all workers finish their running requests. */
  async close(): Promise<void> {
    this.#isStopping = true;
    const ended = [...this.#alive].map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of this.#alive) {
      // A worker that does not listen yet receives no messages.
      if (this.#listening.has(worker) && worker.isConnected()) worker.send(STOP);
      else worker.process.kill("SIGTERM");
    }
    await Promise.all(ended);
  }

  #fork(): Worker {
    const startedAtMs = performance.now();
    const worker = cluster.fork({ NODE_SECRET: this.#secret });
    this.#alive.add(worker);
    worker.once("message", () => this.#listening.add(worker));
    worker.once("exit", (code, signal) => {
      this.#alive.delete(worker);
      if (this.#isStopping) return;
      this.#log.error({ code, signal, worker: worker.id }, "A worker ended. Another one is started.");
      const pauseMs = performance.now() - startedAtMs < SHORT_LIFE_MS ? LATER_MS : 0;
      setTimeout(() => {
        if (!this.#isStopping) this.#fork();
      }, pauseMs);
    });
    return worker;
  }

  #started(worker: Worker): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = () => {
        this.#isStopping = true;
        reject(new Error("A worker ended before it could listen. Its reason is above."));
      };
      worker.once("exit", ended);
      worker.once("message", ({ listening }: Listening) => {
        worker.off("exit", ended);
        resolve(listening);
      });
    });
  }
}
