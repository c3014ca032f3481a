import { LRUCache } from "lru-cache";

import type { Clock } from "../storage/clock/clock.ts";

/** A visit to a host that may begin now. Callers must call `end`. */
export interface HostVisit {
  end(ending: VisitEnding): void;
}

/** Maximum number of hosts that are remembered while nothing visits them. */
const REMEMBERED_HOSTS = 20_000;

/**
 * Limits the visits of all jobs of this process to a host (contract of the families, section 4.7): few at
 * first, more while the host answers well, fewer when it complains, none while it asks for a pause.
 */
export class HostPoliteness {
  readonly #options: HostQueueOptions;
  readonly #busy = new Map<string, HostQueue>();
  readonly #idle = new LRUCache<string, HostQueue>({ max: REMEMBERED_HOSTS });

  constructor(options: HostQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits until the host may be visited.
   * @param host includes the port.
   * @param gapMs minimum time between the beginnings of two visits. Default: 0.
   * @returns undefined when too many visits in a row failed, so that the host counts as dead.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter(host: string, signal: AbortSignal, gapMs = 0): Promise<HostVisit | undefined> {
    const queue = this.#queueOf(host);
    this.#busy.set(host, queue);
    try {
      if (!(await queue.enter(signal, gapMs))) return undefined;
    } finally {
      this.#rest(host, queue);
    }
    return {
      end: (ending) => {
        queue.leave(ending);
        this.#rest(host, queue);
      },
    };
  }

  #queueOf(host: string): HostQueue {
    return this.#busy.get(host) ?? this.#idle.get(host) ?? new HostQueue(this.#options);
  }

  #rest(host: string, queue: HostQueue): void {
    if (queue.isUsed || this.#busy.get(host) !== queue) return;
    this.#busy.delete(host);
    this.#idle.set(host, queue);
  }
}

/**
 * How a visit ended: with an answer; with 429 or 503, after which the host gets a pause; without a
 * connection; or in a way that says nothing about the host.
 */
export type VisitEnding =
  | { readonly kind: "good" | "unreachable" | "other" }
  | { readonly kind: "busy"; readonly pauseMs: number };

interface HostQueueOptions {
  readonly clock: Clock;
  /** Upper limit of visits at once, for hosts that answer well. */
  readonly maxAtOnce: number;
}

/** Contract of the families, section 4.7. */
const AT_FIRST = 2;
const GOOD_FOR_ONE_MORE = 10;
const FAILURES_UNTIL_DEAD = 20;
/** After this time, later jobs try a dead host again. */
const DEAD_MS = 5 * 60 * 1000;
/** Longest pause that a host gets, whatever it asks for. */
const MAX_PAUSE_MS = 5 * 60 * 1000;

interface Waiter {
  readonly gapMs: number;
  readonly goOn: (mayVisit: boolean) => void;
}

class HostQueue {
  readonly #options: HostQueueOptions;
  readonly #waiting: Waiter[] = [];
  #atOnce: number;
  #running = 0;
  #good = 0;
  #failures = 0;
  #deadUntilMs = 0;
  #pausedUntilMs = 0;
  #lastStartMs = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: HostQueueOptions) {
    this.#options = options;
    this.#atOnce = Math.min(AT_FIRST, options.maxAtOnce);
  }

  get isUsed(): boolean {
    return this.#running + this.#waiting.length > 0;
  }

  /** @returns false when the host is dead. */
  async enter(signal: AbortSignal, gapMs: number): Promise<boolean> {
    signal.throwIfAborted();
    return new Promise<boolean>((resolve, reject) => {
      const waiter: Waiter = {
        gapMs,
        goOn: (mayVisit) => {
          signal.removeEventListener("abort", giveUp);
          resolve(mayVisit);
        },
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiter);
      this.#letIn();
    });
  }

  leave(ending: VisitEnding): void {
    this.#running -= 1;
    if (ending.kind === "good") this.#grow();
    else if (ending.kind === "busy") this.#slowDown(ending.pauseMs);
    else if (ending.kind === "unreachable") this.#countFailure();
    this.#letIn();
  }

  #grow(): void {
    this.#failures = 0;
    this.#good += 1;
    if (this.#good % GOOD_FOR_ONE_MORE === 0)
      this.#atOnce = Math.min(this.#atOnce + 1, this.#options.maxAtOnce);
  }

  #slowDown(pauseMs: number): void {
    this.#failures = 0;
    this.#good = 0;
    this.#atOnce = Math.max(1, Math.floor(this.#atOnce / 2));
    const untilMs = this.#options.clock.now() + Math.min(pauseMs, MAX_PAUSE_MS);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  #countFailure(): void {
    this.#failures += 1;
    if (this.#failures < FAILURES_UNTIL_DEAD) return;
    this.#deadUntilMs = this.#options.clock.now() + DEAD_MS;
    // When a dead host is tried again, one more failure is enough.
    this.#failures = FAILURES_UNTIL_DEAD - 1;
  }

  #letIn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const nowMs = this.#options.clock.now();
      const isDead = this.#deadUntilMs > nowMs;
      if (!isDead && this.#running >= this.#atOnce) return;
      const waitMs = isDead ? 0 : this.#waitMs(next, nowMs);
      if (waitMs > 0) {
        this.#cancelTimer = this.#options.clock.after(waitMs, () => this.#letIn());
        return;
      }
      this.#waiting.shift();
      if (!isDead) this.#begin(nowMs);
      next.goOn(!isDead);
    }
  }

  #waitMs({ gapMs }: Waiter, nowMs: number): number {
    return Math.max(this.#pausedUntilMs, this.#lastStartMs + gapMs) - nowMs;
  }

  #begin(nowMs: number): void {
    this.#running += 1;
    this.#lastStartMs = nowMs;
  }
}
