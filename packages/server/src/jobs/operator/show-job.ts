import { ForbiddenError, NotFoundError } from "../../api/errors.ts";
import type { JobEntry } from "./jobs-shapes.ts";
import type { SealedOptions } from "../../agent/agent-options.ts";
import { AGENT } from "../../agent/agent-request.ts";
import type { PlacedRun, RunPlaces } from "../run-place.ts";
import { firstUrl } from "../run-pages.ts";
import { maskUrl } from "../../scrape/request/masked-body.ts";

/** @throws NotFoundError when there is none of this id, or what it brought is deleted. */
export async function jobNamed(id: string, places: RunPlaces): Promise<PlacedRun> {
  const found = await places.find(id.toLowerCase());
  if (!found || found.run.isPurged)
    throw new NotFoundError("Job not found. Jobs are kept for JOB_RETENTION_HOURS after their end.");
  return found;
}

/** @throws NotFoundError; ForbiddenError for one with zero data retention, whose pages only its team may see. */
export async function openJobNamed(id: string, places: RunPlaces): Promise<PlacedRun> {
  const found = await jobNamed(id, places);
  if (!found.place.isLasting)
    throw new ForbiddenError(
      "This job has zero data retention: only its team can read its pages, by the API, until it ends.",
    );
  return found;
}

/** Opens what agents were asked. */
export type AgentOptionsReader = Pick<SealedOptions, "open">;

/** Of a question, in characters: it is one line of a list. */
const MAX_QUESTION_LENGTH = 500;

/** A job as its row, without its pages. */
export async function showJob({ run, place }: PlacedRun, agents: AgentOptionsReader): Promise<JobEntry> {
  const isOpenAgent = place.isLasting && run.family === AGENT;
  const url = place.isLasting ? await firstUrl(place.database, run.id) : undefined;
  return {
    id: run.id,
    teamId: run.teamId,
    keyId: run.keyId ?? null,
    kind: run.family,
    firstUrl: url === undefined ? null : maskUrl(url),
    question: isOpenAgent ? agents.open(run).prompt.slice(0, MAX_QUESTION_LENGTH) : null,
    state: run.state,
    isPrivate: !place.isLasting,
    total: run.total,
    completed: run.completed,
    failed: run.failed,
    running: run.handed,
    creditsUsed: run.creditsUsed,
    createdAt: iso(run.createdAtMs),
    endedAt: run.endedAtMs === undefined ? null : iso(run.endedAtMs),
    warnings: [...run.warnings],
    error: run.error ?? null,
  };
}

export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
