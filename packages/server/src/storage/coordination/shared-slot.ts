import type { LocalSlot } from "./local-slot.ts";
import { claimsOf, evenShare, isOverfull, type OtherUse, quotaFor } from "./quota.ts";
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
  /** How many of its seats this process hands on to its own requests while others wait. */
  share: number;
  /** When the others' rows were read, and when the own one was written; by the clock of this process. */
  sharedAtMs: number;
  writtenAtMs: number;
  isDue: boolean;
  /** It is being written. */
  isSharing: boolean;
  /** Idle seats that were not needed for a while. */
  unneeded: number;
}

/** A request that has waited so much longer elsewhere goes before all here. */
const MAX_HEAD_START_MS = 5000;
/** While others want seats, too: what is known of them, and they of this process, is not older. */
const KNOWN_MS = 300;

/** What this process has from now on: before that is written, no caller enters on what others may take then. */
export function takeSeats(shared: SharedSlot, others: readonly OtherUse[]): number {
  const { room, limit } = shared;
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

/** How many seats this process keeps although others wait. */
export function keptSeats({ room: { running, waiting }, share }: SharedSlot): number {
  return Math.max(running, Math.min(running + waiting, share));
}

/** Whether it would be of no use to ask again: it has its share, others know that it wants more, and it is known what they want. */
export function isSettled({ room, share, isContended, written, sharedAtMs }: SharedSlot): boolean {
  if (!isContended || !written || share === 0) return false;
  if (room.seats < Math.min(share, room.running + room.waiting) || room.seats < written.seats) return false;
  return isSimilar(written.waiting, room.waiting) && performance.now() - sharedAtMs < KNOWN_MS;
}

function isSimilar(one: number, other: number): boolean {
  return one > 0 && other > 0 && one <= 2 * other && other <= 2 * one;
}

/** @param seats which this process is going to have. */
export function rowOf(shared: SharedSlot, seats: number): SlotRow {
  const { room, written, isContended, writtenAtMs } = shared;
  const { running, waiting, oldestMs } = room;
  const left = Math.max(0, running + waiting - seats);
  if (seats === Infinity || seats + left === 0) return NOTHING;
  const isKnown = isContended && performance.now() - writtenAtMs < KNOWN_MS / 2;
  if (isKnown && written?.seats === seats && isSimilar(written.waiting, left)) return written;
  shared.writtenAtMs = performance.now();
  return { seats, waiting: left, oldestMs: left > 0 ? oldestMs : 0 };
}
