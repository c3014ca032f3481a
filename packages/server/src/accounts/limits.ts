import { RateLimitError, ServiceError } from "../api/errors.ts";
import { rateClasses, type RateClassName } from "../api/rate-classes.ts";
import type { Coordinator, Place, SlotLoad } from "../storage/coordination/coordinator.ts";
import type { Caller } from "./callers.ts";
import { TeamSlots } from "./team-slots.ts";

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

  /** @throws RateLimitError when the team or the key has sent too many requests within a minute. */
  async countRequest({ team, keyId, restrictions }: Caller, rate: RateClassName): Promise<void> {
    const { limitOf } = rateClasses[rate];
    const ofTeam = team.limits.requestsPerMinute ?? this.#defaults.requestsPerMinute;
    const ofKey = restrictions.requestsPerMinute;
    if (ofTeam !== undefined) await this.#rates.take(`team ${team.id} ${rate}`, limitOf(ofTeam));
    if (ofKey !== undefined) await this.#rates.take(`key ${keyId} ${rate}`, limitOf(ofKey));
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
  async take(subject: string, limit: number): Promise<void> {
    const refusal = await this.#coordinator.count(subject, limit, WINDOW_MS);
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
