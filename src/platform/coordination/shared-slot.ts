import type { LocalSlot } from "./local-slot.ts";
import { claimsOf, isOverfull, type OtherUse, quotaFor } from "./quota.ts";
import type { SharedStore } from "./shared-store.ts";
import { NOTHING, type SlotRow } from "./slot-rows.ts";

/** A slot as this process has it. */
export interface SharedSlot {
  readonly slot: string;
  readonly room: LocalSlot;
  limit: number;
  /** Undefined when it is not known: a write has failed, or this process was taken for dead. */
  written: SlotRow | undefined;
  /** Others wait, or the limit was lowered: who leaves does not hand its seat to the next one here. */
  isContended: boolean;
  isDue: boolean;
  /** It is being written. */
  isSharing: boolean;
  /** Idle seats that were not needed for a while. */
  unneeded: number;
}

/** What this process has from now on: before that is written, nobody enters on what others may take then. */
export function takeSeats(shared: SharedSlot, others: readonly OtherUse[]): number {
  const { room, limit } = shared;
  shared.isDue = false;
  if (limit === Infinity) {
    shared.isContended = false;
    return limit;
  }
  const { running, waiting, oldestMs } = room;
  const kept = Math.max(0, Math.min(room.idle, limit) - shared.unneeded);
  shared.unneeded = 0;
  const seats = quotaFor({ limit, running, waiting, oldestMs, kept }, others);
  shared.isContended = claimsOf(others) > 0 || isOverfull(limit, seats, others);
  room.seats = Math.min(room.seats, seats);
  return seats;
}

/** @param seats which this process is going to have. */
export function rowOf({ running, waiting, oldestMs }: LocalSlot, seats: number): SlotRow {
  const left = Math.max(0, running + waiting - seats);
  if (seats === Infinity || seats + left === 0) return NOTHING;
  return { seats, waiting: left, oldestMs: left > 0 ? oldestMs : 0 };
}

/** Seats that others know of are kept. */
export async function moveSeats(shared: SharedSlot, store: SharedStore): Promise<void> {
  const { slot, room, written } = shared;
  if (!written) room.seats = room.running;
  const work = () => rowOf(room, room.seats);
  shared.written = await store.changeSeats({ slot, written: () => undefined, work });
}
