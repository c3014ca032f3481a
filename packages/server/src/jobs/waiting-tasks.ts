import type { Clock } from "../storage/clock/clock.ts";
import type { JobGroup } from "./job-rows.ts";

/** Waiting tasks that do not count, as a multiple of the slots of the team. */
const WAITING_PER_SLOT = 3;
/** Delay before the slots of waiting tasks are offered to others. Most waits are shorter. */
const OFFER_MS = 50;

/**
 * Counts the tasks that wait for their hosts in this process, by group of jobs. They hold no slot of their
 * team meanwhile.
 */
export class WaitingTasks {
  readonly #clock: Clock;
  readonly #offer: (group: JobGroup) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #offering = new Set<string>();

  /**
   * @param offer hands out tasks that have a slot now. A job may have found none before other tasks began to
   *   wait.
   */
  constructor(clock: Clock, offer: (group: JobGroup) => Promise<void>) {
    this.#clock = clock;
    this.#offer = offer;
  }

  /** Number of the team's tasks that do not count. */
  among(slots: number, group: JobGroup): number {
    return Math.min(this.#countOf(group), WAITING_PER_SLOT * slots);
  }

  async during<Result>(group: JobGroup, wait: Promise<Result>): Promise<Result> {
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

  #countOf(group: JobGroup): number {
    return this.#counts.get(keyOf(group)) ?? 0;
  }

  #offerSoon(group: JobGroup): void {
    const key = keyOf(group);
    if (this.#offering.has(key)) return;
    this.#offering.add(key);
    this.#clock.after(OFFER_MS, () => {
      this.#offering.delete(key);
      // If this fails, the end of the next task hands out tasks.
      if (this.#countOf(group) > 0) this.#offer(group).catch(() => undefined);
    });
  }
}

function keyOf({ teamId, workerGroup }: JobGroup): string {
  return `${workerGroup} ${teamId}`;
}
