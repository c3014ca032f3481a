import type { Coordinator, Lease } from "./coordinator.ts";

interface LeaderOptions {
  readonly coordinator: Pick<Coordinator, "lease">;
  /** What is led, for example `prune`. */
  readonly name: string;
  /** When another process goes on after this one has died. */
  readonly ttlMs: number;
}

/** Work that one process does for all: the process that holds the lease. */
export class Leader {
  readonly #options: LeaderOptions;
  #lease: Lease | undefined;
  #round: Promise<void> | undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  /**
   * Does the work if this process leads, or can begin to; one round at a time, which others who call meanwhile share.
   * @param work gets a signal that aborts when the lead is lost: another process may do the same from then on.
   */
  lead(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#round ??= this.#lead(work).finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Waits for a round that is under way, then lets another process lead at once. */
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
