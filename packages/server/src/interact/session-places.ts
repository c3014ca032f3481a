import { tooManyJobs } from "../accounts/limits.ts";
import { ServiceError } from "../api/errors.ts";

/** How long other teams leave a team its share after its last request for a session. */
const REMEMBERED_MS = 10 * 60_000;
/** Estimate of when a session may have ended. */
const RETRY_AFTER_SECONDS = 30;

export interface SessionPlacesOptions {
  /** Maximum number of sessions in this process. */
  readonly most: number;
  /** Whether there may be more than one team. */
  readonly isShared: boolean;
  readonly clock?: () => number;
}

/**
 * Shares the sessions of one process among teams. A team that is alone leaves one place free. While another
 * team has sessions, or asked for one lately, no team gets more than half.
 */
export class SessionPlaces {
  readonly #most: number;
  readonly #isShared: boolean;
  readonly #clock: () => number;
  readonly #held = new Map<string, number>();
  readonly #askedMs = new Map<string, number>();

  constructor({ most, isShared, clock = Date.now }: SessionPlacesOptions) {
    this.#most = most;
    this.#isShared = isShared;
    this.#clock = clock;
  }

  /**
   * @returns a function that returns the place.
   * @throws ServiceError SESSIONS_FULL when there is none; RateLimitError when the remaining ones are for
   *   other teams.
   */
  take(teamId: string): () => void {
    this.#note(teamId);
    const own = this.#held.get(teamId) ?? 0;
    const share = this.#shareOf(teamId);
    if (own >= share) throw tooManyJobs(share);
    if (this.#taken >= this.#most) {
      const retryAfterSeconds = RETRY_AFTER_SECONDS;
      throw new ServiceError("SESSIONS_FULL", { message: full(this.#most), retryAfterSeconds });
    }
    this.#held.set(teamId, own + 1);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#giveBack(teamId);
    };
  }

  get #taken(): number {
    return [...this.#held.values()].reduce((sum, count) => sum + count, 0);
  }

  #shareOf(teamId: string): number {
    if (!this.#isShared) return Number.POSITIVE_INFINITY;
    const isAnother = (id: string) => id !== teamId;
    const isAlone = ![...this.#held.keys(), ...this.#askedMs.keys()].some(isAnother);
    return Math.max(1, isAlone ? this.#most - 1 : Math.ceil(this.#most / 2));
  }

  #note(teamId: string): void {
    const nowMs = this.#clock();
    for (const [id, askedMs] of this.#askedMs) if (nowMs - askedMs > REMEMBERED_MS) this.#askedMs.delete(id);
    this.#askedMs.set(teamId, nowMs);
  }

  #giveBack(teamId: string): void {
    const left = (this.#held.get(teamId) ?? 1) - 1;
    if (left === 0) this.#held.delete(teamId);
    else this.#held.set(teamId, left);
  }
}

function full(most: number): string {
  return `All ${most} browser sessions of this service are in use. Try again when one has ended. The operator can raise the limit with INTERACT_SESSIONS.`;
}
