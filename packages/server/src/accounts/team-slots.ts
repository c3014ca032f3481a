import { RateLimitError, ServiceError } from "../api/errors.ts";
import type { Coordinator, Place, SlotLoad } from "../storage/coordination/coordinator.ts";

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

/** A guess: when the queue is full, an earlier request has to end first. */
const RETRY_AFTER_SECONDS = 5;

/** Limits how many requests of a team run at once, in all processes together. Further requests wait. */
export class TeamSlots {
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
    return request.isOfJob ? this.#enterOfJob(request) : this.#enter(slotOf(request.teamId), request);
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
    if (entered === "full") throw new RateLimitError("Concurrency limit reached", RETRY_AFTER_SECONDS);
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
