import { RateLimitError, ServiceError } from "../contract/errors.ts";
import type { Coordinator, Place, SlotLoad } from "../platform/coordination/coordinator.ts";

/** Where the requests of a team wait when it has too many under way. */
export interface SlotLimits {
  /** Undefined: as many as there come. */
  readonly concurrency: number | undefined;
  readonly queued: number;
}

export interface SlotRequest {
  readonly teamId: string;
  readonly limits: SlotLimits;
  /** Longest wait. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** When the queue is full, one of those before has to end first: a guess. */
const RETRY_AFTER_SECONDS = 5;

/** Bounds how many requests of a team run at once, in all processes together. Those above wait. */
export class TeamSlots {
  readonly #coordinator: Pick<Coordinator, "enter" | "load">;

  constructor(coordinator: Pick<Coordinator, "enter" | "load">) {
    this.#coordinator = coordinator;
  }

  load(teamId: string): Promise<SlotLoad> {
    return this.#coordinator.load(slotOf(teamId));
  }

  /**
   * @throws RateLimitError when too many wait already.
   * @throws ServiceError CONCURRENCY_QUEUE_TIMEOUT when the wait was too long.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter({ teamId, limits, timeoutMs, signal }: SlotRequest): Promise<Place> {
    const { concurrency: limit = Number.POSITIVE_INFINITY, queued } = limits;
    const entered = await this.#coordinator.enter(slotOf(teamId), { limit, queued, timeoutMs, signal });
    if (entered === "full") throw new RateLimitError("Concurrency limit reached", RETRY_AFTER_SECONDS);
    if (entered === "timeout") throw new ServiceError("CONCURRENCY_QUEUE_TIMEOUT");
    return entered;
  }
}

function slotOf(teamId: string): string {
  return `team ${teamId}`;
}
