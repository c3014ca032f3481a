import { Piscina } from "piscina";

import { Gate } from "@pergamon-dev/kit/gate";
import { programFile } from "@pergamon-dev/kit/process/program-file";

const PROGRAM = { bundle: "page-index-worker.js", loader: "worker-source.mjs" };

/** Starting it takes less than a search; idle it holds 30 MB. */
const IDLE_MS = 5_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 } as const;

/** The team that work in the thread is for. Writing counts as a tenant of its own. */
export interface TenantOfThread {
  readonly teamId: string;
  readonly signal: AbortSignal;
}

const WRITING: TenantOfThread = { teamId: "", signal: new AbortController().signal };

/** Runs functions of `worker.ts` in a thread that starts on demand. Several indexes can share it. */
export class IndexThread {
  #pool: Piscina | undefined;
  /** Tasks run one at a time, fairly shared between teams and writing. */
  readonly #gate = new Gate(1);

  /** @throws the signal's reason once it is aborted. */
  async run(name: string, task: unknown, whose: TenantOfThread = WRITING): Promise<unknown> {
    const { teamId, signal } = whose;
    return this.#gate.run(() => this.#run(name, task, signal), signal, teamId);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #run(name: string, task: unknown, signal: AbortSignal): Promise<unknown> {
    this.#pool ??= new Piscina({
      filename: programFile(import.meta.url, PROGRAM).path,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: THREAD_LIMITS,
    });
    // A thread that dies while idle restarts for the next task.
    if (this.#pool.listenerCount("error") === 0) this.#pool.on("error", () => undefined);
    return this.#pool.run(task, { name, ...(signal !== WRITING.signal && { signal }) });
  }
}
