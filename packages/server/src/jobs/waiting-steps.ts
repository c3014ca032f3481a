import type { Clock } from "../storage/clock/clock.ts";
import type { RunGroup } from "./run-rows.ts";

/** So many times as many steps as a team has places may wait without counting. */
const WAITING_PER_PLACE = 3;
/** How soon the places of steps that wait are offered to others: most waits are over by then. */
const OFFER_MS = 50;

/** Steps that wait for their hosts in this process, by group of runs. Meanwhile they hold no place of their team. */
export class WaitingSteps {
  readonly #clock: Clock;
  readonly #offer: (group: RunGroup) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #offering = new Set<string>();

  /** @param offer hands out what has a place now: a run may have found none before the steps of others began to wait. */
  constructor(clock: Clock, offer: (group: RunGroup) => Promise<void>) {
    this.#clock = clock;
    this.#offer = offer;
  }

  /** How many of the team's steps do not count. */
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
      // Where that fails, the next step that ends hands out.
      if (this.#countOf(group) > 0) this.#offer(group).catch(() => undefined);
    });
  }
}

function keyOf({ teamId, lane }: RunGroup): string {
  return `${lane} ${teamId}`;
}
