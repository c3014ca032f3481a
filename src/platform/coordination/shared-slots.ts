import type { Database, Statements } from "../database/database.ts";
import type { Entered, Entry, SlotLoad } from "./coordinator.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { leaseClockOf } from "./lease-clock.ts";
import { LocalSlot } from "./local-slot.ts";
import { claimsOf, isOverfull, quotaFor } from "./quota.ts";
import { type Asking, claimedSlots, NOTHING, othersIn, type SlotRow, writeOwn } from "./slot-rows.ts";
import type { BatchWriter } from "../database/batch-writer.ts";

export interface SlotParts {
  readonly database: Database;
  readonly writer: BatchWriter<Statements>;
  readonly heartbeat: Heartbeat;
  readonly onError: (failure: unknown) => void;
}

interface SharedSlot {
  readonly slot: string;
  readonly room: LocalSlot;
  limit: number;
  /** Undefined when it is not known: a write has failed, or this process was taken for dead. */
  written: SlotRow | undefined;
  /** Others wait, or the limit was lowered: who leaves does not hand its seat to the next one here. */
  isContended: boolean;
  isDue: boolean;
  /** Transactions about it that are not over. */
  shares: number;
  /** Idle seats that were not needed for a while. */
  unneeded: number;
}

/** How often a process with seats looks whether others want some. */
const LOOK_INTERVAL_MS = 10;
/** Where the database cannot tell cheaply whether anybody has written. */
const SLOW_LOOK_INTERVAL_MS = 50;
/** Even when nobody has written: the seats of a process that died become free without a write. */
const MAX_UNSEEN_MS = 500;
/** Seats that were not needed for so long are given back. */
const KEEP_MS = 1000;

/**
 * Slots in the table `slot_seats`: each process has some of a slot's seats and lets its own requests in on them. While
 * no other process waits that costs nothing; asking for seats and giving them back are writes.
 */
export class SharedSlots {
  readonly #parts: SlotParts;
  readonly #rooms = new Map<string, SharedSlot>();
  #timer: NodeJS.Timeout | undefined;
  #seenWrites: number | undefined;
  #lookedAtMs = 0;
  #keptSinceMs = 0;
  #isClosed = false;

  constructor(parts: SlotParts) {
    this.#parts = parts;
    parts.heartbeat.onLost(() => this.#forfeit());
  }

  enter(slot: string, entry: Entry): Entered | Promise<Entered> {
    const shared = this.#roomOf(slot);
    if (entry.limit !== shared.limit) this.#setLimit(shared, entry.limit);
    if (shared.room.seats > 0 && Number.isFinite(shared.limit)) this.#parts.heartbeat.check();
    const entered = shared.room.enter(entry);
    if (shared.room.waiting > 0) this.#shareLater(shared);
    return entered;
  }

  async load(slot: string): Promise<SlotLoad> {
    const { room, limit = Infinity } = this.#rooms.get(slot) ?? {};
    const own = { running: room?.running ?? 0, waiting: room?.waiting ?? 0 };
    if (room && limit === Infinity) return own;
    const others = await othersIn(this.#parts.database, slot, this.#asking);
    return others.reduce(
      (sum, { seats, waiting }) => ({ running: sum.running + seats, waiting: sum.waiting + waiting }),
      own,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const { writer, heartbeat } = this.#parts;
    if (![...this.#rooms.values()].some(({ written }) => written !== NOTHING)) return;
    await writer.order((inside) =>
      inside.prepared("DELETE FROM slot_seats WHERE process = ?").run(heartbeat.id),
    );
  }

  get #asking(): Asking {
    const { database, heartbeat } = this.#parts;
    return { process: heartbeat.id, nowMs: leaseClockOf(database)() };
  }

  #roomOf(slot: string): SharedSlot {
    const known = this.#rooms.get(slot);
    if (known) return known;
    const state = { limit: 0, written: NOTHING, isContended: false, isDue: false, shares: 0, unneeded: 0 };
    const shared: SharedSlot = { slot, room: new LocalSlot(() => this.#changed(shared)), ...state };
    this.#rooms.set(slot, shared);
    return shared;
  }

  #setLimit(shared: SharedSlot, limit: number): void {
    const { room } = shared;
    // Until it is known what the others have, nobody hands a seat on.
    if (limit < shared.limit) shared.isContended = true;
    shared.limit = limit;
    room.seats = limit === Infinity ? limit : Math.max(room.running, Math.min(room.seats, limit));
    room.admit();
    if (shared.written !== NOTHING || room.running + room.waiting > 0) this.#shareLater(shared);
  }

  /** Somebody has left a seat, or the line. */
  #changed(shared: SharedSlot): void {
    const { room, written } = shared;
    if (shared.isContended) room.seats = room.running;
    else room.admit();
    const isLineOver = room.waiting === 0 && (written?.waiting ?? 0) > 0;
    if (shared.isContended || isLineOver) this.#shareLater(shared);
    if (shared.limit === Infinity) this.#forgetUnused(shared);
  }

  /** With whatever else is due at the end of this turn. */
  #shareLater(shared: SharedSlot): void {
    if (shared.isDue || this.#isClosed) return;
    shared.isDue = true;
    this.#timer ??= this.#lookAgainAndAgain();
    void this.#share(shared);
  }

  async #share(shared: SharedSlot): Promise<void> {
    const { heartbeat, writer, onError } = this.#parts;
    shared.shares += 1;
    try {
      await heartbeat.ensure();
      if (this.#isClosed) return;
      const { seats, written } = await writer.order((inside) => this.#shareIn(inside, shared));
      shared.written = written;
      this.#seat(shared, seats);
    } catch (failure) {
      onError(failure);
      // NOTE: a limit that cannot be agreed upon is kept by each process alone, until it can again.
      shared.written = undefined;
      shared.isDue = false;
      this.#seat(shared, Math.max(shared.room.running, shared.limit));
    } finally {
      shared.shares -= 1;
    }
  }

  async #shareIn(inside: Statements, shared: SharedSlot): Promise<{ seats: number; written: SlotRow }> {
    shared.isDue = false;
    const { slot, room, limit, written } = shared;
    const process = this.#parts.heartbeat.id;
    const own = { slot, process, written };
    if (limit === Infinity) {
      shared.isContended = false;
      return { seats: limit, written: await writeOwn(inside, own, NOTHING) };
    }
    const others = await othersIn(inside, slot, this.#asking);
    const { running, waiting, oldestMs } = room;
    const kept = Math.max(0, Math.min(room.idle, limit) - shared.unneeded);
    shared.unneeded = 0;
    const seats = quotaFor({ limit, running, waiting, oldestMs, kept }, others);
    shared.isContended = claimsOf(others) > 0 || isOverfull(limit, seats, others);
    // Before it is written, so that nobody enters on what others may take from then on.
    room.seats = Math.min(room.seats, seats);
    const left = Math.max(0, running + waiting - seats);
    const row = { seats, waiting: left, oldestMs: left > 0 ? oldestMs : 0 };
    return { seats, written: await writeOwn(inside, own, row) };
  }

  #seat({ room, isDue, limit }: SharedSlot, seats: number): void {
    room.seats = limit === Infinity ? limit : seats;
    room.admit();
    if (!isDue) room.refuseNewcomers();
  }

  /** This process was taken for dead: others may have its seats. What runs goes on, nobody else is let in on them. */
  #forfeit(): void {
    for (const shared of this.#rooms.values()) {
      if (shared.limit === Infinity) continue;
      shared.room.seats = shared.room.running;
      shared.written = undefined;
      this.#shareLater(shared);
    }
  }

  #lookAgainAndAgain(): NodeJS.Timeout {
    const intervalMs = this.#parts.database.foreignWrites ? LOOK_INTERVAL_MS : SLOW_LOOK_INTERVAL_MS;
    this.#keptSinceMs = performance.now();
    return setInterval(() => {
      this.#giveUnneededBack();
      this.#look().catch(this.#parts.onError);
    }, intervalMs).unref();
  }

  async #look(): Promise<void> {
    const writes = this.#parts.database.foreignWrites?.();
    const nowMs = performance.now();
    const isSeen = writes !== undefined && writes === this.#seenWrites;
    if (isSeen && nowMs - this.#lookedAtMs < MAX_UNSEEN_MS) return;
    this.#seenWrites = writes;
    this.#lookedAtMs = nowMs;
    const claimed = await claimedSlots(this.#parts.database, this.#asking);
    for (const shared of this.#rooms.values()) {
      const { room, slot, written } = shared;
      if (claimed.has(slot)) shared.isContended = true;
      const canGive = shared.isContended && room.idle > 0 && Number.isFinite(shared.limit);
      if (room.waiting > 0 || canGive || !written) this.#shareLater(shared);
    }
  }

  #giveUnneededBack(): void {
    if (performance.now() - this.#keptSinceMs < KEEP_MS) return;
    this.#keptSinceMs = performance.now();
    for (const shared of this.#rooms.values()) {
      shared.unneeded = shared.room.takeLeastIdle();
      if (shared.unneeded > 0 && shared.written !== NOTHING) this.#shareLater(shared);
      this.#forgetUnused(shared);
    }
    if (this.#rooms.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#parts.heartbeat.leave();
  }

  #forgetUnused({ slot, room, written, shares }: SharedSlot): void {
    if (room.running + room.waiting + shares === 0 && written === NOTHING) this.#rooms.delete(slot);
  }
}
