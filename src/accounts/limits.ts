import type { Caller } from "./callers.ts";
import { RateLimits } from "./rate-limits.ts";
import { type Slot, TeamSlots } from "./team-slots.ts";

/** Requests of a kind are counted together. Asking about work is cheap, so more of it is allowed. */
export type RequestKind = "scrape" | "status";

/** Limits of teams that have none of their own. Undefined: no limit. */
export interface LimitSettings {
  readonly concurrency: number | undefined;
  readonly requestsPerMinute: number | undefined;
  /** Requests of one team that may wait for their turn. */
  readonly queued: number;
}

/** Contract, section 5.2: the rate of status requests against that of scrapes, on every plan. */
const STATUS_FACTOR = 50;
/** A request that has waited this share of its timeout has no time left for the work (contract, section 3.35). */
const WAITING_SHARE = 2 / 3;

/** What a team may do at once, and per minute. */
export class Limits {
  readonly #defaults: LimitSettings;
  readonly #rates: RateLimits;
  readonly #slots = new TeamSlots();

  constructor(defaults: LimitSettings, clock: () => number = Date.now) {
    this.#defaults = defaults;
    this.#rates = new RateLimits(clock);
  }

  /** @throws RateLimitError when the team, or the key, has sent too many within this minute. */
  countRequest({ team, keyId, restrictions }: Caller, kind: RequestKind): void {
    const factor = kind === "status" ? STATUS_FACTOR : 1;
    const ofTeam = team.limits.requestsPerMinute ?? this.#defaults.requestsPerMinute;
    const ofKey = restrictions.requestsPerMinute;
    if (ofTeam !== undefined) this.#rates.take(`team ${team.id} ${kind}`, ofTeam * factor);
    if (ofKey !== undefined) this.#rates.take(`key ${keyId} ${kind}`, ofKey * factor);
  }

  /** Waits for the team's turn. @throws as TeamSlots do. */
  enter({ team }: Caller, timeoutMs: number, signal: AbortSignal): Slot | Promise<Slot> {
    return this.#slots.enter({
      teamId: team.id,
      limits: { concurrency: this.#concurrencyOf(team), queued: this.#defaults.queued },
      timeoutMs: timeoutMs * WAITING_SHARE,
      signal,
    });
  }

  /** How many requests of the team run and wait; the limit is undefined when there is none. */
  load(team: Caller["team"]) {
    const running = this.#slots.running(team.id);
    return { running, waiting: this.#slots.waiting(team.id), limit: this.#concurrencyOf(team) };
  }

  #concurrencyOf({ limits }: Caller["team"]): number | undefined {
    return limits.concurrency ?? this.#defaults.concurrency;
  }
}
