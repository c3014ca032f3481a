import type { Statements } from "../database/database.ts";
import { MAX_LEASE_MS } from "./lease-clock.ts";
import type { OtherUse } from "./quota.ts";

/** Row of one process and one slot. */
export interface SlotRow {
  readonly seats: number;
  readonly waiting: number;
  /** Arrival time of the longest waiting request; 0 if none waits. */
  readonly oldestMs: number;
  /** Limit of the slot as the process knows it; 0 if it has no row. */
  readonly limit: number;
}

/** Row of a process that has none in the table. */
export const NOTHING: SlotRow = { seats: 0, waiting: 0, oldestMs: 0, limit: 0 };

interface OwnRow {
  readonly slot: string;
  readonly process: string;
  /** The existing row; undefined when it is not known. */
  readonly written: SlotRow | undefined;
}

/** @returns the row as stored. */
export async function writeOwn(tx: Statements, own: OwnRow, row: SlotRow): Promise<SlotRow> {
  const { slot, process, written } = own;
  if (written && isSameRow(written, row)) return written;
  if (isSameRow(row, NOTHING)) {
    await tx.prepared("DELETE FROM slot_seats WHERE slot = ? AND process = ?").run(slot, process);
    return NOTHING;
  }
  await tx
    .prepared(
      `INSERT INTO slot_seats (slot, process, seats, waiting, oldest_at, seat_limit) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (slot, process) DO UPDATE SET
         seats = excluded.seats, waiting = excluded.waiting, oldest_at = excluded.oldest_at,
         seat_limit = excluded.seat_limit`,
    )
    .run(slot, process, row.seats, row.waiting, row.oldestMs, row.limit);
  return row;
}

/** The asking process, and the time by the clock of leases. */
export interface Asking {
  readonly process: string;
  readonly nowMs: number;
}

/** Seats and waiting requests of the other live processes in a slot. */
export async function othersIn(
  statements: Statements,
  slot: string,
  { process, nowMs }: Asking,
): Promise<readonly OtherUse[]> {
  const rows = await statements
    .prepared<SlotRow>(
      `SELECT slot_seats.seats, slot_seats.waiting, slot_seats.oldest_at AS "oldestMs",
         slot_seats.seat_limit AS "limit"
       FROM slot_seats JOIN leases ON leases.name = slot_seats.process
       WHERE slot_seats.slot = ? AND slot_seats.process <> ?
         AND leases.held_until > ? AND leases.held_until <= ?`,
    )
    .all(slot, process, nowMs, nowMs + MAX_LEASE_MS);
  return rows.map((row) => (row.waiting > 0 ? row : { ...row, oldestMs: Infinity }));
}

/** Slots that callers in other live processes wait for. */
export async function claimedSlots(
  statements: Statements,
  { process, nowMs }: Asking,
): Promise<ReadonlySet<string>> {
  const rows = await statements
    .prepared<{ slot: string }>(
      `SELECT DISTINCT slot_seats.slot FROM slot_seats JOIN leases ON leases.name = slot_seats.process
       WHERE slot_seats.waiting > 0 AND slot_seats.process <> ?
         AND leases.held_until > ? AND leases.held_until <= ?`,
    )
    .all(process, nowMs, nowMs + MAX_LEASE_MS);
  return new Set(rows.map(({ slot }) => slot));
}

function isSameRow(one: SlotRow, other: SlotRow): boolean {
  const isSameWish = one.waiting === other.waiting && one.oldestMs === other.oldestMs;
  return isSameWish && one.seats === other.seats && one.limit === other.limit;
}
