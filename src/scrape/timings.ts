import type { ScrapeJob } from "./request/job.ts";

/** Stages that took no time that anybody could notice are left out. */
const SHORTEST_MS = 0.05;

/** Name, milliseconds and start of each stage of a scrape, as they are kept. */
export function timingsOf({ stages }: Pick<ScrapeJob, "stages">): [string, number, number][] {
  return stages
    .list()
    .filter(({ durationMs }) => durationMs >= SHORTEST_MS)
    .map(({ name, durationMs, startMs }) => [name, round(durationMs), round(startMs)]);
}

function round(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}
