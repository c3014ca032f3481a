import type { BatchWriter } from "../database/batch-writer.ts";
import type { Database, Statements } from "../database/database.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { leaseClockOf } from "./lease-clock.ts";
import { claimsOf, type OtherUse } from "./quota.ts";
import { type Asking, claimedSlots, othersIn, type SlotRow, writeOwn } from "./slot-rows.ts";

interface DatabaseStoreParts {
  readonly database: Database;
  readonly writer: BatchWriter<Statements>;
  readonly heartbeat: Heartbeat;
  /** Clock of the rates. */
  readonly clock: () => number;
}

/** Longest time between looks without news. The seats of a dead process become free without any. */
const MAX_UNSEEN_MS = 500;

export interface SeatsChange {
  readonly slot: string;
  /** Returns the existing row of this process; undefined when it is not known. */
  readonly written: () => SlotRow | undefined;
  work(others: readonly OtherUse[]): SlotRow;
}

/**
 * Stores the shared counts: rates and seats in the tables `rates` and `slot_seats`. The work of a change may
 * run more than once when other processes were faster; its last result holds.
 */
export class DatabaseStore {
  readonly #parts: DatabaseStoreParts;
  #seenWrites: number | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DatabaseStoreParts) {
    this.#parts = parts;
  }

  /** @throws when the change could not be written. */
  changeRate<Result>(
    key: string,
    work: (dueMs: number) => { readonly dueMs: number; readonly result: Result },
  ): Promise<Result> {
    return this.#parts.writer.order(async (tx) => {
      const row = await tx
        .prepared<{ dueMs: number }>('SELECT due_at AS "dueMs" FROM rates WHERE name = ?')
        .get(key);
      const { dueMs, result } = work(row?.dueMs ?? 0);
      await tx
        .prepared(
          "INSERT INTO rates (name, due_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at",
        )
        .run(key, dueMs);
      return result;
    });
  }

  /** @returns the stored row of this process. @throws when it could not be written. */
  async changeSeats({ slot, written, work }: SeatsChange): Promise<SlotRow> {
    const { heartbeat, writer } = this.#parts;
    await heartbeat.ensure();
    return writer.order(async (tx) => {
      const others = await othersIn(tx, slot, this.#asking);
      const row = work(others);
      const before = written();
      const isNewClaim = row.waiting > 0 && !(before && before.waiting > 0);
      const isGivenUp = claimsOf(others) > 0 && row.seats < (before?.seats ?? Infinity);
      if (isNewClaim || isGivenUp) tx.notify?.(topicOf(slot));
      return writeOwn(tx, { slot, process: heartbeat.id, written: before }, row);
    });
  }

  /**
   * Listens for processes that begin to wait for the slot, or that give up seats others wait for. @returns a function
   * that ends it. Missing where the database tells of every write.
   */
  hear(slot: string, listener: () => void): (() => void) | undefined {
    return this.#parts.database.hear?.(topicOf(slot), listener);
  }

  /** Seats and waiting requests of the other live processes in a slot. */
  othersIn(slot: string): Promise<readonly OtherUse[]> {
    return othersIn(this.#parts.database, slot, this.#asking);
  }

  /** Slots that other processes wait for; undefined when nothing was written since the last call. */
  async claimedSlots(): Promise<ReadonlySet<string> | undefined> {
    const { database } = this.#parts;
    const writes = database.hear ? this.#seenWrites : database.foreignWrites?.();
    const unseenMs = performance.now() - this.#lookedAtMs;
    if (writes === this.#seenWrites && unseenMs < MAX_UNSEEN_MS) return undefined;
    this.#seenWrites = writes;
    this.#lookedAtMs = performance.now();
    return claimedSlots(database, this.#asking);
  }

  /** Deletes rates that no longer limit anything. */
  async forgetRates(): Promise<void> {
    const { writer, clock } = this.#parts;
    const nowMs = clock();
    await writer.order((tx) => tx.prepared("DELETE FROM rates WHERE due_at <= ?").run(nowMs));
  }

  get #asking(): Asking {
    const { database, heartbeat } = this.#parts;
    return { process: heartbeat.id, nowMs: leaseClockOf(database)() };
  }
}

function topicOf(slot: string): string {
  return `slot:${encodeURIComponent(slot)}`;
}
