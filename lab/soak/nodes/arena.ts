import type { Cluster } from "./cluster.ts";
import type { LoadSite } from "./load-site.ts";

/** Credits that no round uses up. */
export const PLENTY = 100_000;
/** Jobs of dead nodes are taken over in some seconds; a paused one of 40 s may hold some. */
export const RUN_LIMIT_MS = 180_000;
export const LOOK_EVERY_MS = 250;

export interface Arena {
  readonly cluster: Cluster;
  readonly site: LoadSite;
}

/** What one round of a load made, and what should not be. */
export interface Round {
  readonly pages: number;
  /** Pages that three nodes died with. */
  readonly givenUp?: number;
  readonly problems: readonly string[];
}
