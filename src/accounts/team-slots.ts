import { RateLimitError, ServiceError } from "../contract/errors.ts";

/** Where the requests of a team wait when it has too many under way. */
export interface SlotLimits {
  /** Undefined: as many as there come. */
  readonly concurrency: number | undefined;
  readonly queued: number;
}

/** A request that may run. */
export interface Slot {
  /** How long it had to wait; undefined when it did not. */
  readonly waitedMs: number | undefined;
  /** Lets the next one run. Only the first call counts. */
  release(): void;
}

export interface SlotRequest {
  readonly teamId: string;
  readonly limits: SlotLimits;
  /** Longest wait. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface TeamState {
  running: number;
  /** As the newest request has it: operators change limits while others wait. */
  concurrency: number;
  /** What lets each of them run, oldest first. */
  readonly waiting: Set<() => void>;
}

/** When the queue is full, one of those before has to end first: a guess. */
const RETRY_AFTER_SECONDS = 5;

/** Bounds how many requests of a team run at once. Those above wait, first come first served. */
export class TeamSlots {
  readonly #teams = new Map<string, TeamState>();

  running(teamId: string): number {
    return this.#teams.get(teamId)?.running ?? 0;
  }

  waiting(teamId: string): number {
    return this.#teams.get(teamId)?.waiting.size ?? 0;
  }

  /**
   * @throws RateLimitError when too many wait already.
   * @throws ServiceError CONCURRENCY_QUEUE_TIMEOUT when the wait was too long.
   * @throws the signal's reason when it is aborted while waiting.
   */
  enter(request: SlotRequest): Slot | Promise<Slot> {
    const { teamId, limits } = request;
    const state = this.#stateOf(teamId);
    state.concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    admitWaiting(state);
    if (state.running < state.concurrency) {
      state.running += 1;
      return this.#slot(teamId, state, undefined);
    }
    if (state.waiting.size >= limits.queued) {
      throw new RateLimitError("Concurrency limit reached", RETRY_AFTER_SECONDS);
    }
    return this.#wait(state, request);
  }

  async #wait(state: TeamState, { teamId, timeoutMs, signal }: SlotRequest): Promise<Slot> {
    signal.throwIfAborted();
    const startMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        state.waiting.delete(admit);
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      const admit = () => {
        leave();
        state.running += 1;
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(new ServiceError("CONCURRENCY_QUEUE_TIMEOUT"));
      }, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      state.waiting.add(admit);
    });
    return this.#slot(teamId, state, performance.now() - startMs);
  }

  #slot(teamId: string, state: TeamState, waitedMs: number | undefined): Slot {
    let isHeld = true;
    return {
      waitedMs,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#leave(teamId, state);
      },
    };
  }

  /** The slot goes to the next who waits, so nobody who comes later is faster. */
  #leave(teamId: string, state: TeamState): void {
    state.running -= 1;
    admitWaiting(state);
    if (state.running === 0) this.#teams.delete(teamId);
  }

  #stateOf(teamId: string): TeamState {
    const known = this.#teams.get(teamId);
    if (known) return known;
    const state: TeamState = { running: 0, concurrency: 0, waiting: new Set() };
    this.#teams.set(teamId, state);
    return state;
  }
}

/** Those who came first, as far as there is room. */
function admitWaiting(state: TeamState): void {
  for (const admit of state.waiting) {
    if (state.running >= state.concurrency) return;
    admit();
  }
}
