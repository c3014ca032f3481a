import { RateLimitError, ServiceError } from "../api/errors.ts";
import { rateClasses, type RateClassName } from "../api/rate-classes.ts";
import type { Coordinator, Counted, Place, SlotLoad } from "../storage/coordination/coordinator.ts";
import type { Caller } from "./callers.ts";

/** A guess: when the queue is full, an earlier request has to end first. */
const SLOT_RETRY_SECONDS = 5;

/** Limits of teams without limits of their own. Undefined: no limit. */
export interface LimitSettings {
  readonly concurrency: number | undefined;
  readonly requestsPerMinute: number | undefined;
  /** Maximum requests of one team that wait in one process. */
  readonly queued: number;
}

/** Running and waiting work of a team, in all processes together. */
interface TeamLoad extends SlotLoad {
  /** Undefined: no limit. */
  readonly limit: number | undefined;
}

/**
 * A request that has waited for this share of its timeout has no time left for the work (contract, section
 * 3.35).
 */
const WAITING_SHARE = 2 / 3;

/** Another process may reserve a free place for its own requests for one second. */
const HANDING_OVER_MS = 1500;
/** A guess at when a session may end. */
const RETRY_AFTER_SECONDS = 30;

/** Contract, section 3.32. */
export function tooManyJobs(most: number | undefined): RateLimitError {
  return new RateLimitError(
    `You have reached the maximum number of concurrent jobs (${most ?? 0}). End a session, or wait until one has ended.`,
    RETRY_AFTER_SECONDS,
  );
}

/** Enforces how much a team may do at once and per minute. */
export class Limits {
  readonly #defaults: LimitSettings;
  readonly #rates: RateLimits;
  readonly #slots: TeamSlots;

  constructor(defaults: LimitSettings, coordinator: Coordinator, clock: () => number = Date.now) {
    this.#defaults = defaults;
    this.#rates = new RateLimits(coordinator, clock);
    this.#slots = new TeamSlots(coordinator);
  }

  /**
   * @returns a promise only when the count has to be waited for.
   * @throws RateLimitError when the team or the key has sent too many requests within a minute.
   */
  countRequest({ team, keyId, restrictions }: Caller, rate: RateClassName): Promise<void> | undefined {
    const { limitOf } = rateClasses[rate];
    const ofTeam = team.limits.requestsPerMinute ?? this.#defaults.requestsPerMinute;
    const ofKey = restrictions.requestsPerMinute;
    const counting =
      ofTeam === undefined ? undefined : this.#rates.take(`team ${team.id} ${rate}`, limitOf(ofTeam));
    if (ofKey === undefined) return counting;
    const countKey = () => this.#rates.take(`key ${keyId} ${rate}`, limitOf(ofKey));
    return counting ? counting.then(countKey) : countKey();
  }

  /** Waits for a place of the team. @throws as `TeamSlots.enter`. */
  enter({ team }: Caller, timeoutMs: number, signal: AbortSignal): Promise<Place> {
    return this.#slots.enter({
      teamId: team.id,
      limits: { concurrency: this.#concurrencyOf(team), queued: this.#defaults.queued },
      timeoutMs: timeoutMs * WAITING_SHARE,
      signal,
    });
  }

  /**
   * Waits for one of the places that the team's jobs may use for pages. Single requests go first.
   * @throws ServiceError CONCURRENCY_QUEUE_TIMEOUT when the wait is too long; the signal's reason.
   */
  enterOfJob({ team }: Caller, timeoutMs: number, signal: AbortSignal): Promise<Place> {
    const limits = { concurrency: this.#concurrencyOf(team), queued: this.#defaults.queued };
    return this.#slots.enter({ teamId: team.id, limits, timeoutMs, signal, isOfJob: true });
  }

  /**
   * Takes a place of the team for long-running work, if one is free.
   * @throws RateLimitError when no place is free.
   */
  async enterNow({ team }: Caller, signal: AbortSignal): Promise<Place> {
    const concurrency = this.#concurrencyOf(team);
    const limits = { concurrency, queued: this.#defaults.queued };
    const request = { teamId: team.id, limits, timeoutMs: HANDING_OVER_MS, signal };
    return this.#slots.enter(request).catch((failure: unknown) => {
      const isFull = failure instanceof RateLimitError || failure instanceof ServiceError;
      throw isFull ? tooManyJobs(concurrency) : failure;
    });
  }

  /** Load of each team that this process runs requests of, or has them wait. */
  async busy(): Promise<readonly (TeamLoad & { readonly teamId: string })[]> {
    const teams = [...this.#slots.busy];
    return Promise.all(
      teams.map(async ([teamId, { limit }]) => ({ teamId, ...(await this.#slots.load(teamId)), limit })),
    );
  }

  async load(team: Caller["team"]): Promise<TeamLoad> {
    return { ...(await this.#slots.load(team.id)), limit: this.#concurrencyOf(team) };
  }

  #concurrencyOf({ limits }: Caller["team"]): number | undefined {
    return limits.concurrency ?? this.#defaults.concurrency;
  }
}

const WINDOW_MS = 60_000;

/** Counts requests of the last minute, shared by all processes of this service. */
class RateLimits {
  readonly #coordinator: Pick<Coordinator, "count">;
  readonly #clock: () => number;

  constructor(coordinator: Pick<Coordinator, "count">, clock: () => number = Date.now) {
    this.#coordinator = coordinator;
    this.#clock = clock;
  }

  /**
   * Counts one request of the subject. `limit` requests pass within any minute.
   * @throws RateLimitError when the limit is exceeded.
   */
  take(subject: string, limit: number): Promise<void> | undefined {
    const counted = this.#coordinator.count(subject, limit, WINDOW_MS);
    if (counted instanceof Promise) return counted.then((refusal) => this.#require(refusal));
    this.#require(counted);
  }

  #require(refusal: Counted): void {
    if (refusal) throw tooMany(refusal.consumed, refusal.freeAtMs, this.#clock());
  }
}

function tooMany(consumed: number, resetsAtMs: number, nowMs: number): RateLimitError {
  const seconds = Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000));
  return new RateLimitError(
    `Rate limit exceeded. Consumed (req/min): ${consumed}, Remaining (req/min): 0. Slow down or ask the operator for a higher limit; please retry after ${seconds}s, resets at ${new Date(resetsAtMs).toISOString()}`,
    seconds,
  );
}

interface SlotLimits {
  /** Undefined: no limit. */
  readonly concurrency: number | undefined;
  readonly queued: number;
}

interface SlotRequest {
  readonly teamId: string;
  readonly limits: SlotLimits;
  /** Maximum wait. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Pages of jobs go after single requests, which have a quarter of the places to themselves. */
  readonly isOfJob?: boolean;
}

/** Limits how many requests of a team run at once, in all processes together. Further requests wait. */
class TeamSlots {
  /** Teams whose requests run or wait in this process, and how many these are. */
  readonly busy = new Map<string, { count: number; readonly limit: number | undefined }>();
  readonly #coordinator: Pick<Coordinator, "enter" | "load">;

  constructor(coordinator: Pick<Coordinator, "enter" | "load">) {
    this.#coordinator = coordinator;
  }

  load(teamId: string): Promise<SlotLoad> {
    return this.#coordinator.load(slotOf(teamId));
  }

  /**
   * @throws RateLimitError when too many requests wait already.
   * @throws ServiceError CONCURRENCY_QUEUE_TIMEOUT when the wait is too long.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter(request: SlotRequest): Promise<Place> {
    const leave = this.#note(request);
    try {
      const place = await (request.isOfJob
        ? this.#enterOfJob(request)
        : this.#enter(slotOf(request.teamId), request));
      return {
        waitedMs: place.waitedMs,
        release() {
          leave();
          place.release();
        },
      };
    } catch (failure) {
      leave();
      throw failure;
    }
  }

  /** @returns what ends it, once. */
  #note({ teamId, limits: { concurrency: limit } }: SlotRequest): () => void {
    const count = (this.busy.get(teamId)?.count ?? 0) + 1;
    this.busy.set(teamId, { count, limit });
    let isOver = false;
    return () => {
      const entry = this.busy.get(teamId);
      if (isOver || !entry) return;
      isOver = true;
      entry.count -= 1;
      if (entry.count === 0) this.busy.delete(teamId);
    };
  }

  /** Takes one of the places that jobs may use (counted over all processes), then one of the team's. */
  async #enterOfJob(request: SlotRequest): Promise<Place> {
    const { teamId, limits, timeoutMs } = request;
    const untilMs = performance.now() + timeoutMs;
    const concurrency = limits.concurrency === undefined ? undefined : placesForJobs(limits.concurrency);
    const ofJobs = await this.#enter(`${slotOf(teamId)} jobs`, {
      ...request,
      limits: { concurrency, queued: Number.POSITIVE_INFINITY },
    });
    try {
      const left = Math.max(1, untilMs - performance.now());
      const limitsOfTeam = { ...limits, queued: Number.POSITIVE_INFINITY };
      const ofTeam = await this.#enter(slotOf(teamId), { ...request, limits: limitsOfTeam, timeoutMs: left });
      return together(ofJobs, ofTeam);
    } catch (failure) {
      ofJobs.release();
      throw failure;
    }
  }

  async #enter(slot: string, { limits, timeoutMs, signal, isOfJob = false }: SlotRequest): Promise<Place> {
    const { concurrency: limit = Number.POSITIVE_INFINITY, queued } = limits;
    const entry = { limit, queued, timeoutMs, signal, yields: isOfJob };
    const entered = await this.#coordinator.enter(slot, entry);
    if (entered === "full") throw new RateLimitError("Concurrency limit reached", SLOT_RETRY_SECONDS);
    if (entered === "timeout") throw new ServiceError("CONCURRENCY_QUEUE_TIMEOUT");
    return entered;
  }
}

/**
 * Jobs may use all places but a quarter, and at least one. If a team has only one place, both kinds share it.
 */
function placesForJobs(concurrency: number): number {
  return Math.max(1, concurrency - Math.max(1, Math.floor(concurrency / 4)));
}

function together(one: Place, other: Place): Place {
  const waits = [one.waitedMs, other.waitedMs].filter((waitedMs) => waitedMs !== undefined);
  return {
    waitedMs: waits.length === 0 ? undefined : waits.reduce((sum, waitedMs) => sum + waitedMs, 0),
    release() {
      other.release();
      one.release();
    },
  };
}

function slotOf(teamId: string): string {
  return `team ${teamId}`;
}
