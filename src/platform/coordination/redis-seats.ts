import type { SlotRow } from "./slot-rows.ts";

/** What a slot's text on Redis holds: what each process has and wants. */
export type Seats = ReadonlyMap<string, SlotRow>;

type Entry = readonly [process: string, seats: number, waiting: number, oldestMs: number];

/** @param text empty if no process has or wants a seat. */
export function decodeSeats(text: string): Seats {
  const entries = text === "" ? [] : (JSON.parse(text) as Entry[]);
  return new Map(
    entries.map(([process, seats, waiting, oldestMs]) => [process, { seats, waiting, oldestMs }]),
  );
}

export function encodeSeats(seats: Seats): string {
  const entries = [...seats].map(([process, row]): Entry => [process, row.seats, row.waiting, row.oldestMs]);
  return entries.length === 0 ? "" : JSON.stringify(entries);
}
