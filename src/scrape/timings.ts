import type { Stage } from "../kit/stages.ts";
import type { ScrapeJob } from "./request/job.ts";

/** Shorter stages are left out. */
const SHORTEST_MS = 0.05;

/** OCR reads pages one after the other: so little between two stages of one name is not other work. */
const GAP_MS = 100;
/** Where there are more stages, longer gaps are left out, too. */
const MAX_STAGES = 100;
const MAX_GAP_MS = 3_600_000;

/** Name, milliseconds and start of each stage of a scrape, as they are kept. */
export function timingsOf({ stages }: Pick<ScrapeJob, "stages">): [string, number, number][] {
  return joined(stages.list())
    .filter(({ durationMs }) => durationMs >= SHORTEST_MS)
    .map(({ name, durationMs, startMs }) => [name, round(durationMs), round(startMs)]);
}

/** Stages of one name that follow each other are one. */
function joined(stages: readonly Stage[], gapMs = GAP_MS): readonly Stage[] {
  const found: Stage[] = [];
  for (const stage of stages) {
    const last = found.at(-1);
    const endMs = last ? last.startMs + last.durationMs : 0;
    if (last?.name !== stage.name || stage.startMs - endMs > gapMs) found.push(stage);
    else {
      const untilMs = Math.max(endMs, stage.startMs + stage.durationMs);
      found[found.length - 1] = { ...last, durationMs: untilMs - last.startMs };
    }
  }
  return found.length > MAX_STAGES && gapMs < MAX_GAP_MS ? joined(found, gapMs * 10) : found;
}

function round(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}
