import type { Coordinator, Place, SlotLoad } from "../platform/coordination/coordinator.ts";
import type { Caller } from "./callers.ts";
import { RateLimits } from "./rate-limits.ts";
import { TeamSlots } from "./team-slots.ts";

/** Requests of a kind are counted together. Asking about work is cheap, so more of it is allowed. */
export type RequestKind = "scrape" | "status";

/** Limits of teams that have none of their own. Undefined: no limit. */
export interface LimitSettings {
  readonly concurrency: number | undefined;
  readonly requestsPerMinute: number | undefined;
  /** Requests of one team that may wait for their turn in one process. */
  readonly queued: number;
}

/** What a team has under way, in all processes together. */
export interface TeamLoad extends SlotLoad {
  /** Undefined when there is none. */
  readonly limit: number | undefined;
}

/** Contract, section 5.2: the rate of status requests against that of scrapes, on every plan. */
const STATUS_FACTOR = 50;
/** A request that has waited this share of its timeout has no time left for the work (contract, section 3.35). */
const WAITING_SHARE = 2 / 3;

/** What a team may do at once, and per minute. */
export class Limits {
  readonly #defaults: LimitSettings;
  readonly #rates: RateLimits;
  readonly #slots: TeamSlots;

  constructor(defaults: LimitSettings, coordinator: Coordinator, clock: () => number = Date.now) {
    this.#defaults = defaults;
    this.#rates = new RateLimits(coordinator, clock);
    this.#slots = new TeamSlots(coordinator);
  }

  /** @throws RateLimitError when the team, or the key, has sent too many within a minute. */
  async countRequest({ team, keyId, restrictions }: Caller, kind: RequestKind): Promise<void> {
    const factor = kind === "status" ? STATUS_FACTOR : 1;
    const ofTeam = team.limits.requestsPerMinute ?? this.#defaults.requestsPerMinute;
    const ofKey = restrictions.requestsPerMinute;
    if (ofTeam !== undefined) await this.#rates.take(`team ${team.id} ${kind}`, ofTeam * factor);
    if (ofKey !== undefined) await this.#rates.take(`key ${keyId} ${kind}`, ofKey * factor);
  }

  /** Waits for the team's turn. @throws as TeamSlots do. */
  enter({ team }: Caller, timeoutMs: number, signal: AbortSignal): Promise<Place> {
    return this.#slots.enter({
      teamId: team.id,
      limits: { concurrency: this.#concurrencyOf(team), queued: this.#defaults.queued },
      timeoutMs: timeoutMs * WAITING_SHARE,
      signal,
    });
  }

  async load(team: Caller["team"]): Promise<TeamLoad> {
    return { ...(await this.#slots.load(team.id)), limit: this.#concurrencyOf(team) };
  }

  #concurrencyOf({ limits }: Caller["team"]): number | undefined {
    return limits.concurrency ?? this.#defaults.concurrency;
  }
}
