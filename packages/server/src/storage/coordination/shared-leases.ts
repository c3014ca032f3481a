import { randomUUID } from "node:crypto";

import type { Database } from "../database/database.ts";
import type { Lease } from "./coordinator.ts";
import { isOver, leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";

/**
 * A lease is renewed this many times within its duration, so that one late or failed renewal does not lose
 * it.
 */
const RENEWALS = 3;

/** Leases in the table `leases`. */
export class SharedLeases {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #held = new Set<SharedLease>();

  constructor(database: Database) {
    this.#database = database;
    this.#clock = leaseClockOf(database);
  }

  /** @throws when the database cannot be written. */
  async take(name: string, ttlMs: number): Promise<SharedLease | undefined> {
    // Read first: a caller that only checks whether the lease is free must not make others wait.
    const known = await this.#database
      .prepared<{ heldUntilMs: number }>('SELECT held_until AS "heldUntilMs" FROM leases WHERE name = ?')
      .get(name);
    if (known && !isOver(known.heldUntilMs, this.#clock())) return undefined;
    const lease = new SharedLease(this.#database, { name, ttlMs, ended: () => this.#held.delete(lease) });
    if (!(await lease.take())) return undefined;
    this.#held.add(lease);
    return lease;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held].map((lease) => lease.release()));
  }
}

interface LeaseOptions {
  readonly name: string;
  readonly ttlMs: number;
  /** Called when the lease is released or lost. */
  readonly ended: () => void;
}

export class SharedLease implements Lease {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #options: LeaseOptions;
  readonly #holder = randomUUID();
  readonly #lost = new AbortController();
  #heldUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, options: LeaseOptions) {
    this.#database = database;
    this.#clock = leaseClockOf(database);
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Also correct when this process was stopped for a while and has not noticed yet. */
  get isHeld(): boolean {
    return this.#clock() < this.#heldUntilMs;
  }

  /** @returns false when another process was faster. */
  async take(): Promise<boolean> {
    const { name, ttlMs } = this.#options;
    const nowMs = this.#clock();
    const taken = await this.#database
      .prepared(
        `INSERT INTO leases (name, holder, held_until) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
         WHERE leases.held_until <= ? OR leases.held_until > ?`,
      )
      .run(name, this.#holder, nowMs + ttlMs, nowMs, nowMs + MAX_LEASE_MS);
    if (taken === 0) return false;
    this.#heldUntilMs = nowMs + ttlMs;
    this.#timer = setInterval(() => void this.#renew(), ttlMs / RENEWALS).unref();
    return true;
  }

  async release(): Promise<void> {
    if (this.#heldUntilMs === 0) return;
    this.#end();
    await this.#delete();
  }

  /** Gives the lease up when it is over: no renewal that is still on its way brings it back for good. */
  loseIfOver(): void {
    if (this.#heldUntilMs !== 0 && !this.isHeld) this.#lose();
  }

  async #renew(): Promise<void> {
    this.loseIfOver();
    if (this.#heldUntilMs === 0) return;
    const { name, ttlMs } = this.#options;
    const nowMs = this.#clock();
    const { serverTime } = this.#database;
    try {
      // An expired lease is not renewed: another process may have taken and released it meanwhile. The
      // statement may arrive late, so the server compares with its own time.
      const renewed = await this.#database
        .prepared(
          `UPDATE leases SET held_until = ? WHERE name = ? AND holder = ? AND held_until > ${serverTime ?? "?"}`,
        )
        .run(nowMs + ttlMs, name, this.#holder, ...(serverTime === undefined ? [nowMs] : []));
      if (this.#heldUntilMs === 0) return;
      if (renewed > 0) this.#heldUntilMs = nowMs + ttlMs;
      else this.#lose();
    } catch (cause) {
      if (this.#heldUntilMs !== 0 && !this.isHeld) this.#lose(cause);
    }
  }

  #lose(cause?: unknown): void {
    this.#end();
    this.#lost.abort(new Error(`The lease "${this.#options.name}" was lost.`, { cause }));
    // A renewal that was on its way may have been written after all. The row expires anyway.
    this.#delete().catch(() => undefined);
  }

  async #delete(): Promise<void> {
    await this.#database
      .prepared("DELETE FROM leases WHERE name = ? AND holder = ?")
      .run(this.#options.name, this.#holder);
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#heldUntilMs = 0;
    this.#options.ended();
  }
}
