/**
 * Coordinates the processes that share an installation. "Together" below means all processes over the same
 * coordinator.
 */
export interface Coordinator {
  /**
   * Counts one more request of `key`, together: `limit` pass at once, and then one each `windowMs / limit`.
   * Refused requests are not counted. A changed limit starts a new count.
   * @returns undefined when the request passes. The result is no promise when no other process has to be
   * asked.
   */
  count(key: string, limit: number, windowMs: number): Counted | Promise<Counted>;
  /**
   * Enters a slot that holds `limit` together. Callers above the limit wait, first come first served within a
   * process. Between processes, a free place goes to the process whose caller has waited longest.
   * @throws the signal's reason when it is aborted while waiting.
   */
  enter(slot: string, entry: Entry): Entered | Promise<Entered>;
  /** Counts running and waiting callers of the slot, together. */
  load(slot: string): Promise<SlotLoad>;
  /**
   * Makes this caller the only holder of `name` until the lease is released or lost. The lease renews itself;
   * a process that dies loses it after `ttlMs`.
   * @returns undefined while another caller holds it, including callers in this process.
   */
  lease(name: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Shares one run of identical work among all callers in THIS process that ask for it at the same time. The
   * run is aborted when its last caller has gone.
   * @throws the caller's own signal's reason once that is aborted.
   */
  once<Result>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Sends a message to the listeners of the topic in every process, including this one. Later listeners do
   * not get it.
   */
  tell(topic: string, text: string): Promise<void>;
  /** @returns a function that ends the subscription. */
  hear(topic: string, listener: (text: string) => void): () => void;
  /** Releases everything that this process holds. */
  close(): Promise<void>;
}

/** The reason for a refusal; undefined when the request passed. */
export type Counted = CountRefusal | undefined;

export interface CountRefusal {
  /** Number of requests that have passed and are not worked off yet, including this one. */
  readonly consumed: number;
  /** Time when the next request passes, if no other process takes its turn first. */
  readonly freeAtMs: number;
}

export interface Entry {
  /**
   * With Infinity no request waits and no other process is asked. The limit of the newest entry also applies
   * to requests that wait.
   */
  readonly limit: number;
  /**
   * True: each process learns the limit by itself, and the highest that one of them has learned holds for all. Without
   * it, the limit is that of the entry.
   */
  readonly isLearned?: boolean;
  /** Maximum number of waiting requests in this process. */
  readonly queued: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Waits in a separate queue, behind all entries that do not yield. Between processes, this holds as far as
   * their queues tell.
   */
  readonly yields?: boolean;
}

/** "full" means that too many requests wait already; "timeout", that the wait took too long. */
export type Entered = Place | "full" | "timeout";

export interface Place {
  /** Undefined when the place was free. */
  readonly waitedMs: number | undefined;
  /** Admits the next request. Only the first call counts. */
  release(): void;
}

export interface SlotLoad {
  readonly running: number;
  readonly waiting: number;
}

export interface Lease {
  /** Aborted when the lease is lost. Another caller may hold it by then. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}
