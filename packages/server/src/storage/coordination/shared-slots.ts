import type { Entered, Entry, SlotLoad } from "./coordinator.ts";
import type { DatabaseStore, SeatsChange } from "./database-store.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { LocalSlot } from "./local-slot.ts";
import { isSettled, keptSeats, rowOf, type SharedSlot, takeSeats } from "./shared-slot.ts";
import { NOTHING } from "./slot-rows.ts";

export interface SlotParts {
  readonly store: DatabaseStore;
  readonly heartbeat: Heartbeat;
  /** That the processes share. */
  readonly clock: () => number;
  readonly onError: (failure: unknown) => void;
}

/** How often a process with seats looks whether others want some. */
const LOOK_INTERVAL_MS = 10;
/** One that has its share looks only so often who wants what. */
const SETTLED_MS = 30;
/** Seats that were not needed for so long are given back. */
const KEEP_MS = 1000;

/**
 * Slots that all processes share: each process has some of a slot's seats and lets its own requests in on them. While no
 * other process waits that costs nothing; asking for seats and giving them back are writes.
 */
export class SharedSlots {
  readonly #parts: SlotParts;
  readonly #rooms = new Map<string, SharedSlot>();
  #timer: NodeJS.Timeout | undefined;
  #keptSinceMs = 0;
  #isClosed = false;

  constructor(parts: SlotParts) {
    this.#parts = parts;
    parts.heartbeat.addUser(this);
  }

  get isIdle(): boolean {
    return this.#rooms.size === 0;
  }

  /**
   * This process was taken for dead: others may have its seats. Running work goes on, but no other is admitted on them.
   */
  forfeit(): void {
    for (const shared of this.#rooms.values()) {
      if (shared.limit === Infinity) continue;
      shared.room.seats = shared.room.running;
      shared.written = undefined;
      this.#shareLater(shared);
    }
  }

  enter(slot: string, entry: Entry): Entered | Promise<Entered> {
    const shared = this.#roomOf(slot);
    if (entry.limit !== shared.limit) this.#setLimit(shared, entry.limit);
    if (shared.room.seats > 0 && Number.isFinite(shared.limit)) this.#parts.heartbeat.check();
    const entered = shared.room.enter(entry);
    if (shared.room.waiting === 0) return entered;
    if (isSettled(shared) && !shared.isDue) shared.room.refuseNewcomers();
    else this.#shareLater(shared);
    return entered;
  }

  async load(slot: string): Promise<SlotLoad> {
    const { room, limit = Infinity } = this.#rooms.get(slot) ?? {};
    const own = { running: room?.running ?? 0, waiting: room?.waiting ?? 0 };
    if (room && limit === Infinity) return own;
    const others = await this.#parts.store.othersIn(slot);
    return others.reduce(
      (sum, { seats, waiting }) => ({ running: sum.running + seats, waiting: sum.waiting + waiting }),
      own,
    );
  }

  stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async giveBack(): Promise<void> {
    const written = [...this.#rooms.values()].filter((shared) => shared.written !== NOTHING);
    await Promise.all(
      written.map(({ slot }) =>
        this.#parts.store.changeSeats({ slot, written: () => undefined, work: () => NOTHING }),
      ),
    );
  }

  #roomOf(slot: string): SharedSlot {
    const opened = this.#rooms.get(slot);
    if (opened) return opened;
    const room = new LocalSlot(() => this.#changed(shared), this.#parts.clock);
    const flags = { isContended: false, isDue: false, isSharing: false };
    const known = { share: 0, sharedAtMs: -Infinity, writtenAtMs: -Infinity };
    const shared: SharedSlot = { slot, room, limit: 0, written: NOTHING, unneeded: 0, ...known, ...flags };
    this.#rooms.set(slot, shared);
    return shared;
  }

  #setLimit(shared: SharedSlot, limit: number): void {
    const { room } = shared;
    // Until it is known what the other processes have, no seat is handed on.
    if (limit < shared.limit) shared.isContended = true;
    const seats = shared.limit === Infinity ? room.running : room.seats;
    shared.limit = limit;
    shared.share = 0;
    room.seats = limit === Infinity ? limit : Math.max(room.running, Math.min(seats, limit));
    room.admit();
    if (shared.written !== NOTHING || room.running + room.waiting > 0) this.#shareLater(shared);
  }

  /** A caller has left a seat, or the line. */
  #changed(shared: SharedSlot): void {
    const { room, written } = shared;
    if (Number.isFinite(shared.limit)) this.#parts.heartbeat.check();
    if (shared.isContended) room.seats = Math.min(room.seats, keptSeats(shared));
    room.admit();
    const isLineOver = room.waiting === 0 && (written?.waiting ?? 0) > 0;
    if (isLineOver || (shared.isContended && !isSettled(shared))) this.#shareLater(shared);
    if (shared.limit === Infinity) this.#forgetUnused(shared);
  }

  /** With everything that is due at the end of this turn; once what is being written is there. */
  #shareLater(shared: SharedSlot): void {
    if (this.#isClosed) return;
    shared.isDue = true;
    this.#timer ??= this.#lookAgainAndAgain();
    if (!shared.isSharing) void this.#shareWhileDue(shared);
  }

  async #shareWhileDue(shared: SharedSlot): Promise<void> {
    shared.isSharing = true;
    while (shared.isDue && !this.#isClosed) await this.#share(shared);
    shared.isSharing = false;
  }

  async #share(shared: SharedSlot): Promise<void> {
    const { store, onError } = this.#parts;
    const { slot } = shared;
    try {
      let seats = 0;
      const change: SeatsChange = {
        slot,
        written: () => shared.written,
        work(others) {
          seats = takeSeats(shared, others);
          return rowOf(shared, seats);
        },
      };
      shared.written = await store.changeSeats(change);
      this.#seat(shared, seats);
    } catch (failure) {
      if (!this.#isClosed) onError(failure);
      // NOTE: a limit that cannot be agreed upon is kept by each process alone, until it can again.
      shared.written = undefined;
      shared.isDue = false;
      shared.share = 0;
      this.#seat(shared, Math.max(shared.room.running, shared.limit));
    }
  }

  #seat({ room, isDue, limit }: SharedSlot, seats: number): void {
    room.seats = limit === Infinity ? limit : seats;
    room.admit();
    if (!isDue) room.refuseNewcomers();
  }

  #lookAgainAndAgain(): NodeJS.Timeout {
    this.#keptSinceMs = performance.now();
    return setInterval(() => {
      this.#giveUnneededBack();
      this.#look().catch(this.#parts.onError);
    }, LOOK_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    const claimed = await this.#parts.store.claimedSlots();
    if (!claimed) return;
    for (const shared of this.#rooms.values()) {
      if (claimed.has(shared.slot)) shared.isContended = true;
      this.#shareWhereDue(shared);
    }
  }

  #shareWhereDue(shared: SharedSlot): void {
    const { room, written, limit, isContended } = shared;
    if (isSettled(shared) && performance.now() - shared.sharedAtMs < SETTLED_MS) return;
    const canGive = isContended && room.idle > 0 && Number.isFinite(limit);
    if (room.waiting > 0 || canGive || !written) this.#shareLater(shared);
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
    this.#parts.heartbeat.leaveIfIdle();
  }

  #forgetUnused({ slot, room, written, isSharing }: SharedSlot): void {
    const isUsed = isSharing || room.running + room.waiting > 0;
    if (!isUsed && written === NOTHING) this.#rooms.delete(slot);
  }
}
