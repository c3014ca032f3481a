import type { Entered, Entry, Place } from "./coordinator.ts";

interface Waiter {
  readonly line: Set<Waiter>;
  readonly queued: number;
  readonly sinceMs: number;
  /** True until it is known whether a place is free. */
  isNew: boolean;
  readonly settle: (reason: "turn" | "full" | "timeout") => void;
}

/**
 * Processes compare how long their oldest request has waited. Requests that yield count as if they had come
 * this much later.
 */
const YIELDS_MS = 1e12;

/** Running and waiting requests of one slot in this process. The owner sets the number of `seats`. */
export class LocalSlot {
  readonly #changed: () => void;
  readonly #clock: () => number;
  readonly #line = new Set<Waiter>();
  /** Waiting requests that yield to the main queue. */
  readonly #yielding = new Set<Waiter>();
  #running = 0;
  #seats = 0;
  #leastIdle = 0;

  /**
   * @param changed called when a caller has left a seat or the queue.
   * @param clock that the processes share.
   */
  constructor(changed: () => void, clock: () => number) {
    this.#changed = changed;
    this.#clock = clock;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#line.size + this.#yielding.size;
  }

  get seats(): number {
    return this.#seats;
  }

  set seats(seats: number) {
    this.#seats = seats;
    this.#leastIdle = Math.min(this.#leastIdle, this.idle);
  }

  get idle(): number {
    return Math.max(0, this.#seats - this.#running);
  }

  /** Arrival time of the longest waiting request; Infinity if none waits. */
  get oldestMs(): number {
    const [oldest] = this.#line;
    if (oldest) return oldest.sinceMs;
    const [yielding] = this.#yielding;
    return yielding ? yielding.sinceMs + YIELDS_MS : Number.POSITIVE_INFINITY;
  }

  /** A caller may get its seat a little later. `refuseNewcomers` reports that no seat is left. */
  enter(entry: Entry): Entered | Promise<Entered> {
    const isFirst = this.#line.size === 0 && (!entry.yields || this.#yielding.size === 0);
    if (isFirst && this.#running < this.#seats) return this.#takeSeat(undefined);
    return this.#wait(entry);
  }

  /** Admits waiting requests in order of arrival, as far as there are seats. */
  admit(): void {
    this.#admitFrom(this.#line);
    this.#admitFrom(this.#yielding);
  }

  #admitFrom(line: Set<Waiter>): void {
    for (const waiter of line) {
      if (this.#running >= this.#seats) return;
      line.delete(waiter);
      this.#running += 1;
      waiter.settle("turn");
    }
  }

  /** Called when no request can be admitted for now: new requests wait, or are refused when too many wait. */
  refuseNewcomers(): void {
    this.#refuseNewcomersIn(this.#line);
    this.#refuseNewcomersIn(this.#yielding);
  }

  #refuseNewcomersIn(line: Set<Waiter>): void {
    const newcomers = [...line].filter(({ isNew }) => isNew);
    let established = line.size - newcomers.length;
    for (const newcomer of newcomers) {
      newcomer.isNew = false;
      if (established < newcomer.queued) established += 1;
      else this.#refuse(newcomer);
    }
  }

  /** Returns the lowest number of idle seats since the last call. */
  takeLeastIdle(): number {
    const least = this.#leastIdle;
    this.#leastIdle = this.idle;
    return least;
  }

  async #wait({ queued, timeoutMs, signal, yields }: Entry): Promise<Entered> {
    signal.throwIfAborted();
    const startMs = performance.now();
    const line = yields ? this.#yielding : this.#line;
    const outcome = await new Promise<"free" | "turn" | "full" | "timeout">((resolve, reject) => {
      const waiter: Waiter = {
        line,
        queued,
        sinceMs: this.#clock(),
        isNew: true,
        settle(reason) {
          clearTimeout(timer);
          signal.removeEventListener("abort", giveUp);
          resolve(reason === "turn" && waiter.isNew ? "free" : reason);
        },
      };
      // The seat is released at once: a request that ends now must not hand its seat to a request that has
      // gone.
      const leave = () => {
        line.delete(waiter);
        this.#changed();
      };
      const giveUp = () => {
        clearTimeout(timer);
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        waiter.settle("timeout");
      }, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      line.add(waiter);
    });
    if (outcome === "full" || outcome === "timeout") return outcome;
    return this.#seat(outcome === "free" ? undefined : performance.now() - startMs);
  }

  #refuse(waiter: Waiter): void {
    waiter.line.delete(waiter);
    waiter.settle("full");
  }

  #takeSeat(waitedMs: number | undefined): Place {
    this.#running += 1;
    this.#leastIdle = Math.min(this.#leastIdle, this.idle);
    return this.#seat(waitedMs);
  }

  #seat(waitedMs: number | undefined): Place {
    let isTaken = true;
    return {
      waitedMs,
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#running -= 1;
        this.#changed();
      },
    };
  }
}
