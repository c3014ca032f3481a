import type { OtherUse } from "./quota.ts";
import type { SlidingWindow } from "./sliding-window.ts";
import type { SlotRow } from "./slot-rows.ts";

/**
 * Where the processes keep what they count with. A change is made by work that may run more than once, when others were
 * faster: what it returned last holds.
 */
export interface SharedStore {
  /** @throws when it could not be written. */
  changeWindow<Result>(change: WindowChange<Result>): Promise<Result>;
  /** @returns the row of this process that is there now. @throws when it could not be written. */
  changeSeats(change: SeatsChange): Promise<SlotRow>;
  /** What other processes that live have and want of a slot. */
  othersIn(slot: string): Promise<readonly OtherUse[]>;
  /** Slots that others wait for; undefined when nothing was written since this was asked last. */
  claimedSlots(): Promise<ReadonlySet<string> | undefined>;
  /** Adds what this process knows of windows of another store, as far as it is not there already. */
  includeWindows(windows: readonly KnownWindow[]): Promise<void>;
  /** Deletes windows in which nothing is left. */
  forgetWindows(): Promise<void>;
}

/** A window as a process knew it last. */
export interface KnownWindow {
  readonly key: string;
  readonly windowMs: number;
  readonly text: string;
}

export interface WindowChange<Result> {
  readonly key: string;
  readonly windowMs: number;
  /** The window as this process knew it last, in text. */
  readonly known: string | undefined;
  work(window: SlidingWindow): WindowResult<Result>;
}

export interface WindowResult<Result> {
  readonly result: Result;
  readonly expiresAtMs: number;
}

export interface SeatsChange {
  readonly slot: string;
  /** The row of this process that is there already; undefined when that is not known. */
  readonly written: () => SlotRow | undefined;
  work(others: readonly OtherUse[]): SlotRow;
}

/** What counts with a store, and moves when another one takes its place. */
export interface StoreUser {
  /** Writes what this process has into a store that begins, so that others see it there. */
  moveTo(store: SharedStore): Promise<void>;
}
