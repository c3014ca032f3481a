import type { Entered, Entry, SlotLoad } from "./coordinator.ts";
import type { DatabaseStore, SeatsChange } from "./database-store.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { LocalSlot } from "./local-slot.ts";
import { NOTHING, type SlotRow } from "./slot-rows.ts";
import { claimsOf, evenShare, isOverfull, type OtherUse, quotaFor } from "./quota.ts";

interface SlotParts {
  readonly store: DatabaseStore;
  readonly heartbeat: Heartbeat;
  /** Clock that the processes share. */
  readonly clock: () => number;
  readonly onError: (failure: unknown) => void;
}

/** Interval at which a process with seats checks whether others want some. */
const LOOK_INTERVAL_MS = 10;
/** Interval at which a process that holds its share checks the wishes of others. */
const SETTLED_MS = 30;
/** Seats that were unused for this long are given back. */
const KEEP_MS = 1000;

/**
 * Slots that all processes share. Each process holds some of a slot's seats and admits its own requests to
 * them. This costs nothing while no other process waits; requesting seats and giving them back are writes.
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
   * Called when this process was taken for dead and others may have its seats. Running work goes on, but no
   * other request enters its seats.
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
    shared.isLearned = entry.isLearned ?? false;
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
    const flags = { isContended: false, isDue: false, isSharing: false, isLearned: false };
    const known = { share: 0, sharedAtMs: -Infinity, writtenAtMs: -Infinity };
    const endHearing = this.#parts.store.hear(slot, () => this.#heard(shared));
    const state = { limit: 0, written: NOTHING, unneeded: 0, endHearing };
    const shared: SharedSlot = { slot, room, ...state, ...known, ...flags };
    this.#rooms.set(slot, shared);
    return shared;
  }

  #setLimit(shared: SharedSlot, limit: number): void {
    const { room } = shared;
    // No seat is handed on until the state of the other processes is known.
    if (limit < shared.limit) shared.isContended = true;
    const seats = shared.limit === Infinity ? room.running : room.seats;
    shared.limit = limit;
    shared.share = 0;
    room.seats = limit === Infinity ? limit : Math.max(room.running, Math.min(seats, limit));
    room.admit();
    if (shared.written !== NOTHING || room.running + room.waiting > 0) this.#shareLater(shared);
  }

  /** Called when a caller has left a seat or the queue. */
  #changed(shared: SharedSlot): void {
    const { room, written } = shared;
    if (Number.isFinite(shared.limit)) this.#parts.heartbeat.check();
    if (shared.isContended) room.seats = Math.min(room.seats, keptSeats(shared));
    room.admit();
    const isLineOver = room.waiting === 0 && (written?.waiting ?? 0) > 0;
    if (isLineOver || (shared.isContended && !isSettled(shared))) this.#shareLater(shared);
    if (shared.limit === Infinity) this.#forgetUnused(shared);
  }

  /** Runs once at the end of this turn with everything that is due, or after the write that is under way. */
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
      // NOTE: a limit that cannot be coordinated is enforced by each process alone until it can be again.
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

  /** Called when another process wants seats, or gives some up that are wanted. */
  #heard(shared: SharedSlot): void {
    shared.isContended = true;
    this.#shareWhereDue(shared);
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

  #forgetUnused({ slot, room, written, isSharing, endHearing }: SharedSlot): void {
    const isUsed = isSharing || room.running + room.waiting > 0;
    if (isUsed || written !== NOTHING) return;
    this.#rooms.delete(slot);
    endHearing?.();
  }
}

/** State of a slot in this process. */
interface SharedSlot {
  readonly slot: string;
  readonly room: LocalSlot;
  readonly endHearing: (() => void) | undefined;
  limit: number;
  isLearned: boolean;
  /** Undefined when not known: a write has failed, or this process was taken for dead. */
  written: SlotRow | undefined;
  /**
   * True when others wait, or the limit was lowered. A freed seat then does not go to the next request here.
   */
  isContended: boolean;
  /** Number of seats that this process hands on to its own requests while others wait. */
  share: number;
  /** Time when the others' rows were read and the own row was written, by the clock of this process. */
  sharedAtMs: number;
  writtenAtMs: number;
  isDue: boolean;
  /** True while a write is under way. */
  isSharing: boolean;
  /** Idle seats that were not needed for a while. */
  unneeded: number;
}

/** A request elsewhere that has waited longer by this much goes before all requests here. */
const MAX_HEAD_START_MS = 5000;
/** Maximum age of what processes know of each other while others also want seats. */
const KNOWN_MS = 300;

/**
 * Returns the seats that this process is going to have. A lower number applies before it is written, so that
 * no caller enters a seat that others may take after the write.
 */
function takeSeats(shared: SharedSlot, others: readonly OtherUse[]): number {
  const { room } = shared;
  const limit = shared.isLearned
    ? Math.max(shared.limit, ...others.map((other) => other.limit))
    : shared.limit;
  shared.isDue = false;
  shared.sharedAtMs = performance.now();
  if (limit === Infinity) {
    shared.isContended = false;
    return limit;
  }
  const { running, waiting, oldestMs } = room;
  const idle = Math.max(0, Math.min(room.idle, limit) - shared.unneeded);
  shared.unneeded = 0;
  const turns = quotaFor({ limit, running, waiting, oldestMs, kept: idle }, others);
  const isOver = isOverfull(limit, turns, others);
  shared.isContended = claimsOf(others) > 0 || isOver;
  const isBehind = oldestMs > Math.min(...others.map((other) => other.oldestMs)) + MAX_HEAD_START_MS;
  shared.share = isBehind || isOver ? 0 : evenShare(limit, others);
  const taken = others.reduce((sum, other) => sum + other.seats, 0);
  const isShared = shared.isContended && shared.share > 0;
  const seats = isShared ? Math.max(running, Math.min(keptSeats(shared), limit - taken)) : turns;
  room.seats = Math.min(room.seats, seats);
  return seats;
}

/** Number of seats that this process keeps although others wait. */
function keptSeats({ room: { running, waiting }, share }: SharedSlot): number {
  return Math.max(running, Math.min(running + waiting, share));
}

/**
 * True when asking again would be of no use: the process has its share, others know that it wants more, and
 * their wishes are known.
 */
function isSettled({ room, share, isContended, written, sharedAtMs }: SharedSlot): boolean {
  if (!isContended || !written || share === 0) return false;
  if (room.seats < Math.min(share, room.running + room.waiting) || room.seats < written.seats) return false;
  return isSimilar(written.waiting, room.waiting) && performance.now() - sharedAtMs < KNOWN_MS;
}

function isSimilar(one: number, other: number): boolean {
  return one > 0 && other > 0 && one <= 2 * other && other <= 2 * one;
}

/** @param seats number of seats that this process is going to have. */
function rowOf(shared: SharedSlot, seats: number): SlotRow {
  const { room, written, isContended, writtenAtMs, limit } = shared;
  const { running, waiting, oldestMs } = room;
  const left = Math.max(0, running + waiting - seats);
  if (seats === Infinity || seats + left === 0) return NOTHING;
  const isKnown = isContended && performance.now() - writtenAtMs < KNOWN_MS / 2;
  const isSame = written?.seats === seats && written.limit === limit;
  if (isKnown && isSame && isSimilar(written.waiting, left)) return written;
  shared.writtenAtMs = performance.now();
  return { seats, waiting: left, oldestMs: left > 0 ? oldestMs : 0, limit };
}
