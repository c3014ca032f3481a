import { randomUUID } from "node:crypto";

import type { SharedLease, SharedLeases } from "./shared-leases.ts";

interface HeartbeatOptions {
  readonly leases: SharedLeases;
  readonly ttlMs: number;
  /** Called each time that the process has shown up. */
  readonly taken: () => Promise<void>;
}

/** Something that needs a heartbeat while it is in use. */
interface HeartbeatUser {
  readonly isIdle: boolean;
  /** Others may have taken this process for dead. */
  forfeit(): void;
}

/** Names of leases that are heartbeats begin so. */
const HEARTBEAT = "process ";

/**
 * Proof that this process lives: a lease that it has while it uses something that others count with. Each time that it
 * begins anew it has another name, so what has died never lives again.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #users: HeartbeatUser[] = [];
  #id = "";
  #lease: SharedLease | undefined;
  #taking: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Name of the lease, and of this process in the tables. */
  get id(): string {
    return this.#id;
  }

  get isHeld(): boolean {
    return this.#lease?.isHeld === true;
  }

  addUser(user: HeartbeatUser): void {
    this.#users.push(user);
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
    for (const user of this.#users) user.forfeit();
  }

  leaveIfIdle(): void {
    if (!this.#users.every(({ isIdle }) => isIdle)) return;
    const lease = this.#lease;
    this.#lease = undefined;
    // What cannot be deleted ends by itself.
    this.#leaving = lease?.release().catch(() => undefined);
  }

  async #take(): Promise<void> {
    const { leases, ttlMs, taken } = this.#options;
    await this.#leaving;
    const id = HEARTBEAT + randomUUID();
    const lease = await leases.take(id, ttlMs);
    if (!lease) throw new Error("The heartbeat of this process could not be written. It is retried.");
    lease.signal.addEventListener("abort", () => this.check(), { once: true });
    this.#id = id;
    this.#lease = lease;
    await taken();
  }
}
