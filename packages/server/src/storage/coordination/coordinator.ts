/**
 * What the processes that share an installation agree on: who may still do something, who may do it now, and who does it
 * for all. In the words below "together" means all processes over the same coordinator.
 */
export interface Coordinator {
  /**
   * Counts one more of `key`, together: `limit` pass at once, and then one each `windowMs / limit`. What is refused is not
   * counted; a changed limit begins anew.
   * @returns undefined when it passes. Without a promise when no other process has to be asked.
   */
  count(key: string, limit: number, windowMs: number): Counted | Promise<Counted>;
  /**
   * Enters a slot that holds `limit` together. Those above wait, first come first served within a process; between
   * processes a place that becomes free goes to the process whose caller has waited longest.
   * @throws the signal's reason when it is aborted while waiting.
   */
  enter(slot: string, entry: Entry): Entered | Promise<Entered>;
  /** How many are in the slot and how many wait for it, together. */
  load(slot: string): Promise<SlotLoad>;
  /**
   * Makes this caller the only holder of `name` until it is released or lost. Renewed by itself; a process that dies
   * loses it after `ttlMs`.
   * @returns undefined while another caller holds it, including callers in this process.
   */
  lease(name: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Does identical work once for all in THIS process who ask for it at the same time. It is aborted when the last of
   * them has gone.
   * @throws the caller's own signal's reason once that is aborted.
   */
  once<Result>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Sends a message to the listeners of the topic in every process, including this one. Later listeners do not get it. */
  tell(topic: string, text: string): Promise<void>;
  /** @returns what ends the hearing. */
  hear(topic: string, listener: (text: string) => void): () => void;
  /** Gives back everything that this process holds. */
  close(): Promise<void>;
}

/** Why one more did not pass; undefined when it did. */
export type Counted = CountRefusal | undefined;

export interface CountRefusal {
  /** Passed and not worked off yet, and this one. */
  readonly consumed: number;
  /** When the next one passes, if no other process takes its turn first. */
  readonly freeAtMs: number;
}

export interface Entry {
  /** Infinity: no request waits, and no other process is asked. As the newest entry has it, for those who wait, too. */
  readonly limit: number;
  /** How many may wait in this process. */
  readonly queued: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Goes after all who do not yield, and waits in a queue of its own. Between processes: as far as their queues tell. */
  readonly yields?: boolean;
}

/** A place, or why there is none: too many wait already, or the wait was too long. */
export type Entered = Place | "full" | "timeout";

export interface Place {
  /** Undefined when the place was free. */
  readonly waitedMs: number | undefined;
  /** Lets the next one in. Only the first call counts. */
  release(): void;
}

export interface SlotLoad {
  readonly running: number;
  readonly waiting: number;
}

export interface Lease {
  /** Aborted when the lease was lost: another caller may hold it by now. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}
