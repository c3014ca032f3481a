import { randomUUID } from "node:crypto";

import type { SharedLease, SharedLeases } from "./shared-leases.ts";

export interface HeartbeatOptions {
  readonly leases: SharedLeases;
  readonly ttlMs: number;
  /** Called each time that the process has shown up. */
  readonly taken: () => Promise<void>;
}

/** Proof that this process lives: a lease that it has while it uses something that others count with. */
export class Heartbeat {
  /** Name of the lease, and of this process in the tables. */
  readonly id = `process ${randomUUID()}`;
  readonly #options: HeartbeatOptions;
  #lease: SharedLease | undefined;
  #taking: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;
  #lost: () => void = () => undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** @param lost told when others may have taken this process for dead. */
  onLost(lost: () => void): void {
    this.#lost = lost;
  }

  /** Costs next to nothing when it is there already. @throws when it cannot be proved. */
  async ensure(): Promise<void> {
    this.check();
    if (this.#lease) return;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  /** Also notices that the process was stopped for a while. */
  check(): void {
    if (!this.#lease || this.#lease.isHeld) return;
    this.#lease = undefined;
    this.#lost();
  }

  leave(): void {
    const lease = this.#lease;
    this.#lease = undefined;
    // What cannot be deleted ends by itself.
    this.#leaving = lease?.release().catch(() => undefined);
  }

  async #take(): Promise<void> {
    const { leases, ttlMs, taken } = this.#options;
    await this.#leaving;
    const lease = await leases.take(this.id, ttlMs);
    if (!lease) throw new Error("The heartbeat of this process could not be written. It is retried.");
    lease.signal.addEventListener("abort", () => this.check(), { once: true });
    this.#lease = lease;
    await taken();
  }
}
