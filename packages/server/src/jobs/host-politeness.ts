import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { Gate } from "@pergamon-dev/kit/gate";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Clock } from "../storage/clock/clock.ts";
import type { Coordinator, Place } from "../storage/coordination/coordinator.ts";
import type { Database } from "../storage/database/database.ts";

/** A visit to a host that may begin now. Callers must call `end`. */
export interface HostVisit {
  end(ending: VisitEnding): void;
}

interface HostOrder {
  readonly teamId: string;
  readonly signal: AbortSignal;
  /** Minimum time between the beginnings of two visits. Default: 0. */
  readonly gapMs?: number | undefined;
}

interface HostServices {
  /** Clock that the processes share. */
  readonly clock: Clock;
  /** Upper limit of visits at once, for hosts that answer well. */
  readonly maxAtOnce: number;
  readonly coordinator: Pick<Coordinator, "enter" | "count">;
  readonly database: Database;
  /** Called when pauses cannot be shared. Until they can, each process keeps its own. */
  readonly onError: (failure: unknown) => void;
}

/** Maximum number of hosts that are remembered while nothing visits them. */
const REMEMBERED_HOSTS = 20_000;
/** Interval at which a process with visits reads the pauses that others write. */
const READ_INTERVAL_MS = 50;

/**
 * Limits the visits of all jobs to a host, of all processes together (contract of the families, section 4.7): few
 * at first, more while the host answers well, fewer when it complains, none while it asks for a pause. Teams take
 * turns.
 */
export class HostPoliteness {
  readonly #services: HostServices;
  readonly #busy = new Map<string, HostQueue>();
  readonly #idle = new LRUCache<string, HostQueue>(atMost(REMEMBERED_HOSTS));
  readonly #pauses: HostPauses;

  constructor(services: HostServices) {
    this.#services = services;
    this.#pauses = new HostPauses(services);
  }

  /**
   * Waits until the host may be visited.
   * @param host includes the port.
   * @returns undefined when too many visits in a row failed, so that the host counts as dead.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter(host: string, order: HostOrder): Promise<HostVisit | undefined> {
    const queue = this.#busy.get(host) ?? this.#idle.get(host) ?? this.#queueFor(host);
    this.#busy.set(host, queue);
    const rest = () => {
      if (queue.isUsed || this.#busy.get(host) !== queue) return;
      this.#busy.delete(host);
      this.#idle.set(host, queue);
    };
    const leave = await queue.enter(order).finally(rest);
    return (
      leave && {
        end(ending) {
          leave(ending);
          rest();
        },
      }
    );
  }

  #queueFor(host: string): HostQueue {
    // Hosts of jobs that keep nothing are not written either.
    return new HostQueue(sha256Hex(host).slice(0, KEY_LENGTH), this.#services, this.#pauses);
  }
}

/**
 * How a visit ended: with an answer; with 429 or 503, after which the host gets a pause; without a
 * connection; or in a way that says nothing about the host.
 */
export type VisitEnding =
  | { readonly kind: "good" | "unreachable" | "other" }
  | { readonly kind: "busy"; readonly pauseMs: number };

/** Contract of the families, section 4.7. */
const AT_FIRST = 2;
const GOOD_FOR_ONE_MORE = 10;
const FAILURES_UNTIL_DEAD = 20;
/** After this time, later jobs try a dead host again. */
const DEAD_MS = 5 * 60 * 1000;
/** Longest pause that a host gets, whatever it asks for. */
const MAX_PAUSE_MS = 5 * 60 * 1000;
const KEY_LENGTH = 32;
/** After this wait for a place, the caller only asks for it again. */
const PLACE_TIMEOUT_MS = 60 * 60 * 1000;

/** The visits of this process to one host. */
class HostQueue {
  readonly #key: string;
  readonly #services: HostServices;
  readonly #pauses: HostPauses;
  readonly #gate: Gate;
  #atOnce: number;
  #good = 0;
  #failures = 0;
  #deadUntilMs = 0;
  #lastStartMs = 0;
  /** End of the last pause after which there were fewer visits. */
  #pauseSeenMs = 0;

  constructor(key: string, services: HostServices, pauses: HostPauses) {
    this.#key = key;
    this.#services = services;
    this.#pauses = pauses;
    this.#atOnce = Math.min(AT_FIRST, services.maxAtOnce);
    this.#gate = new Gate(this.#atOnce);
  }

  get isUsed(): boolean {
    return this.#gate.running + this.#gate.waiting > 0;
  }

  /** @returns how to end the visit. Undefined when the host is dead. */
  async enter(order: HostOrder): Promise<((ending: VisitEnding) => void) | undefined> {
    const leaveGate = await this.#gate.enter({ tenant: order.teamId, signal: order.signal });
    let place: Place | undefined;
    try {
      place = await this.#place(order);
    } finally {
      if (!place) leaveGate();
    }
    if (!place) return undefined;
    return (ending) => {
      this.#learn(ending);
      place.release();
      leaveGate();
    };
  }

  /** Waits for a place among all processes, and for the time of the visit. Undefined when the host is dead. */
  async #place(order: HostOrder): Promise<Place | undefined> {
    for (;;) {
      order.signal.throwIfAborted();
      if (this.#deadUntilMs > this.#now) return undefined;
      let waitMs = this.#waitMs(order);
      const place = waitMs > 0 ? undefined : await this.#sharedPlace(order.signal);
      if (place) {
        await this.#pauses.read();
        waitMs = this.#waitMs(order);
        if (waitMs <= 0) waitMs = await this.#sharedWaitMs(order);
        if (waitMs <= 0) {
          this.#lastStartMs = this.#now;
          return place;
        }
        place.release();
      }
      await pause(waitMs, this.#services.clock, order.signal);
    }
  }

  async #sharedPlace(signal: AbortSignal): Promise<Place | undefined> {
    const wait = { queued: Infinity, timeoutMs: PLACE_TIMEOUT_MS, signal };
    const entry = { limit: this.#atOnce, isLearned: true, ...wait };
    const entered = await this.#services.coordinator.enter(`host ${this.#key}`, entry);
    return typeof entered === "string" ? undefined : entered;
  }

  #waitMs({ gapMs = 0 }: HostOrder): number {
    // Another process may have got a complaint that this one follows as well.
    if (this.#pauses.untilMs(this.#key) > this.#pauseSeenMs) this.#halve();
    return Math.max(this.#pauses.untilMs(this.#key), this.#lastStartMs + gapMs) - this.#now;
  }

  /** Counts a visit among all processes, unless it has to wait. */
  async #sharedWaitMs({ gapMs = 0 }: HostOrder): Promise<number> {
    if (gapMs <= 0) return 0;
    const refusal = await this.#services.coordinator.count(`visits ${this.#key}`, 1, gapMs);
    return refusal ? Math.max(1, refusal.freeAtMs - this.#now) : 0;
  }

  get #now(): number {
    return this.#services.clock.now();
  }

  #learn(ending: VisitEnding): void {
    if (ending.kind === "good") this.#grow();
    else if (ending.kind === "busy") this.#slowDown(ending.pauseMs);
    else if (ending.kind === "unreachable") this.#countFailure();
  }

  #grow(): void {
    this.#failures = 0;
    this.#good += 1;
    if (this.#good % GOOD_FOR_ONE_MORE === 0)
      this.#setAtOnce(Math.min(this.#atOnce + 1, this.#services.maxAtOnce));
  }

  #slowDown(pauseMs: number): void {
    this.#failures = 0;
    this.#pauses.write(this.#key, this.#now + Math.min(pauseMs, MAX_PAUSE_MS));
    this.#halve();
  }

  #halve(): void {
    this.#good = 0;
    this.#pauseSeenMs = this.#pauses.untilMs(this.#key);
    this.#setAtOnce(Math.max(1, Math.floor(this.#atOnce / 2)));
  }

  #setAtOnce(count: number): void {
    this.#atOnce = count;
    this.#gate.slots = count;
  }

  #countFailure(): void {
    this.#failures += 1;
    if (this.#failures < FAILURES_UNTIL_DEAD) return;
    this.#deadUntilMs = this.#now + DEAD_MS;
    // When a dead host is tried again, one more failure is enough.
    this.#failures = FAILURES_UNTIL_DEAD - 1;
  }
}

/** Pauses that hosts have asked for, in the table `host_pauses` for all processes. */
class HostPauses {
  readonly #services: HostServices;
  readonly #untilMs = new Map<string, number>();
  #reading: Promise<void> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(services: HostServices) {
    this.#services = services;
  }

  untilMs(key: string): number {
    return this.#untilMs.get(key) ?? 0;
  }

  write(key: string, untilMs: number): void {
    if (untilMs <= this.untilMs(key)) return;
    this.#untilMs.set(key, untilMs);
    const { database, clock, onError } = this.#services;
    const writing = database.transaction(async (tx) => {
      await tx.prepared("DELETE FROM host_pauses WHERE until_at <= ?").run(clock.now());
      await tx
        .prepared(
          `INSERT INTO host_pauses (host, until_at) VALUES (?, ?) ON CONFLICT (host) DO UPDATE
             SET until_at = excluded.until_at WHERE excluded.until_at > host_pauses.until_at`,
        )
        .run(key, untilMs);
    });
    writing.catch(onError);
  }

  /** Reads the pauses of all processes, unless they were read a moment ago. */
  async read(): Promise<void> {
    if (performance.now() - this.#readAtMs < READ_INTERVAL_MS) return;
    this.#reading ??= this.#read()
      .catch(this.#services.onError)
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { database, clock } = this.#services;
    const nowMs = clock.now();
    const rows = await database
      .prepared<{ host: string; untilMs: number }>(
        'SELECT host, until_at AS "untilMs" FROM host_pauses WHERE until_at > ?',
      )
      .all(nowMs);
    for (const [key, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(key);
    for (const { host, untilMs } of rows) this.#untilMs.set(host, Math.max(untilMs, this.untilMs(host)));
    this.#readAtMs = performance.now();
  }
}

/** @throws the signal's reason once it is aborted. */
function pause(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(waitMs, () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    const giveUp = () => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
