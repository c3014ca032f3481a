import type { Coordinator, Lease } from "./coordinator.ts";

interface LeaderOptions {
  readonly coordinator: Pick<Coordinator, "lease">;
  /** Name of the work, for example `prune`. */
  readonly name: string;
  /** Time after which another process takes over from a dead one. */
  readonly ttlMs: number;
}

/** Runs work in only one process, the one that holds the lease. */
export class Leader {
  readonly #options: LeaderOptions;
  #lease: Lease | undefined;
  #round: Promise<void> | undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  /**
   * Runs the work if this process leads or can take the lead. Only one round runs at a time; callers
   * meanwhile share it.
   * @param work gets a signal that aborts when the lead is lost, because another process may do the same work
   * from then on.
   */
  lead(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#round ??= this.#lead(work).finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Waits for a running round, then lets another process lead at once. */
  async stop(): Promise<void> {
    await this.#round?.catch(() => undefined);
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
  }

  async #lead(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { coordinator, name, ttlMs } = this.#options;
    if (this.#lease?.signal.aborted) this.#lease = undefined;
    this.#lease ??= await coordinator.lease(name, ttlMs);
    if (this.#lease) await work(this.#lease.signal);
  }
}
