import type { Clock } from "../storage/clock/clock.ts";
import type { RunGroup } from "./run-rows.ts";

/** Waiting steps that do not count, as a multiple of the places of the team. */
const WAITING_PER_PLACE = 3;
/** Delay before the places of waiting steps are offered to others. Most waits are shorter. */
const OFFER_MS = 50;

/**
 * Counts the steps that wait for their hosts in this process, by group of runs. They hold no place of their
 * team meanwhile.
 */
export class WaitingSteps {
  readonly #clock: Clock;
  readonly #offer: (group: RunGroup) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #offering = new Set<string>();

  /**
   * @param offer hands out steps that have a place now. A run may have found none before other steps began to
   *   wait.
   */
  constructor(clock: Clock, offer: (group: RunGroup) => Promise<void>) {
    this.#clock = clock;
    this.#offer = offer;
  }

  /** Number of the team's steps that do not count. */
  among(places: number, group: RunGroup): number {
    return Math.min(this.#countOf(group), WAITING_PER_PLACE * places);
  }

  async during<Result>(group: RunGroup, wait: Promise<Result>): Promise<Result> {
    const key = keyOf(group);
    this.#counts.set(key, this.#countOf(group) + 1);
    this.#offerSoon(group);
    try {
      return await wait;
    } finally {
      const left = this.#countOf(group) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }

  #countOf(group: RunGroup): number {
    return this.#counts.get(keyOf(group)) ?? 0;
  }

  #offerSoon(group: RunGroup): void {
    const key = keyOf(group);
    if (this.#offering.has(key)) return;
    this.#offering.add(key);
    this.#clock.after(OFFER_MS, () => {
      this.#offering.delete(key);
      // If this fails, the end of the next step hands out steps.
      if (this.#countOf(group) > 0) this.#offer(group).catch(() => undefined);
    });
  }
}

function keyOf({ teamId, lane }: RunGroup): string {
  return `${lane} ${teamId}`;
}
