import { randomUUID } from "node:crypto";

import type { SharedLease, SharedLeases } from "./shared-leases.ts";

interface HeartbeatOptions {
  readonly leases: SharedLeases;
  readonly ttlMs: number;
  /** Called each time the heartbeat lease was taken. */
  readonly taken: () => Promise<void>;
}

interface HeartbeatUser {
  readonly isIdle: boolean;
  /** Called when others may have taken this process for dead. */
  forfeit(): void;
}

/** Prefix of the names of heartbeat leases. */
const HEARTBEAT = "process ";

/**
 * Proves that this process lives, with a lease that it holds while it uses shared seats or counts. Each new
 * lease has a new name, so a process that was taken for dead never comes back under its old name.
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

  /** Name of the lease, which also identifies this process in the tables. */
  get id(): string {
    return this.#id;
  }

  get isHeld(): boolean {
    return this.#lease?.isHeld === true;
  }

  addUser(user: HeartbeatUser): void {
    this.#users.push(user);
  }

  /** Costs next to nothing while the lease is held. @throws when the lease cannot be taken. */
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
    const lease = this.#lease;
    if (!lease || lease.isHeld) return;
    this.#lease = undefined;
    lease.loseIfOver();
    for (const user of this.#users) user.forfeit();
  }

  leaveIfIdle(): void {
    if (!this.#users.every(({ isIdle }) => isIdle)) return;
    const lease = this.#lease;
    this.#lease = undefined;
    // A lease that cannot be deleted expires by itself.
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
