import type { BatchWriter } from "../database/batch-writer.ts";
import type { Database, Statements } from "../database/database.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { leaseClockOf } from "./lease-clock.ts";
import type { OtherUse } from "./quota.ts";
import type { KnownWindow, SeatsChange, SharedStore, WindowChange } from "./shared-store.ts";
import { includeWindows, readWindow, writeWindow } from "./window-rows.ts";
import { type Asking, claimedSlots, othersIn, type SlotRow, writeOwn } from "./slot-rows.ts";

export interface DatabaseStoreParts {
  readonly database: Database;
  readonly writer: BatchWriter<Statements>;
  readonly heartbeat: Heartbeat;
  /** Of the windows. */
  readonly clock: () => number;
}

/** Where the database cannot show cheaply whether other processes have written. */
const SLOW_LOOK_INTERVAL_MS = 50;
/** Even without a write: the seats of a process that died become free without one. */
const MAX_UNSEEN_MS = 500;

const WINDOWS_AT_ONCE = 512;

/** Windows and seats in the tables `rate_windows` and `slot_seats`. */
export class DatabaseStore implements SharedStore {
  readonly #parts: DatabaseStoreParts;
  #seenWrites: number | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DatabaseStoreParts) {
    this.#parts = parts;
  }

  changeWindow<Result>({ key, windowMs, work }: WindowChange<Result>): Promise<Result> {
    return this.#parts.writer.order(async (inside) => {
      const window = await readWindow(inside, key, windowMs);
      const { result, expiresAtMs } = work(window);
      await writeWindow(inside, key, { text: window.encode(), expiresAtMs });
      return result;
    });
  }

  async changeSeats({ slot, written, work }: SeatsChange): Promise<SlotRow> {
    const { heartbeat, writer } = this.#parts;
    await heartbeat.ensure();
    return writer.order(async (inside) => {
      const row = work(await othersIn(inside, slot, this.#asking));
      return writeOwn(inside, { slot, process: heartbeat.id, written: written() }, row);
    });
  }

  othersIn(slot: string): Promise<readonly OtherUse[]> {
    return othersIn(this.#parts.database, slot, this.#asking);
  }

  async claimedSlots(): Promise<ReadonlySet<string> | undefined> {
    const { database } = this.#parts;
    const writes = database.foreignWrites?.();
    const unseenMs = performance.now() - this.#lookedAtMs;
    if (writes === undefined && unseenMs < SLOW_LOOK_INTERVAL_MS) return undefined;
    if (writes !== undefined && writes === this.#seenWrites && unseenMs < MAX_UNSEEN_MS) return undefined;
    this.#seenWrites = writes;
    this.#lookedAtMs = performance.now();
    return claimedSlots(database, this.#asking);
  }

  async includeWindows(windows: readonly KnownWindow[]): Promise<void> {
    // Several processes write the same at the same time: not all from the first one on.
    const first = Math.floor(Math.random() * windows.length);
    const inTurn = [...windows.slice(first), ...windows.slice(0, first)];
    for (let start = 0; start < inTurn.length; start += WINDOWS_AT_ONCE) {
      const some = inTurn.slice(start, start + WINDOWS_AT_ONCE);
      await this.#parts.database.transaction((inside) => includeWindows(inside, some, this.#parts.clock()));
    }
  }

  async forgetWindows(): Promise<void> {
    const { writer, clock } = this.#parts;
    const nowMs = clock();
    await writer.order((inside) =>
      inside.prepared("DELETE FROM rate_windows WHERE expires_at <= ?").run(nowMs),
    );
  }

  get #asking(): Asking {
    const { database, heartbeat } = this.#parts;
    return { process: heartbeat.id, nowMs: leaseClockOf(database)() };
  }
}
