import { NotFoundError, ServiceError } from "../api/errors.ts";
import type { JobStore, JobStores } from "../jobs/job-store.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import { findJob } from "../jobs/job-status.ts";
import { AGENT } from "./request.ts";
import { type AgentRun, getAgent, type ThreadTurn, turnsOfThread } from "./rows.ts";

interface Wanted {
  readonly id: string;
  readonly teamId: string;
}

/**
 * A run of the team.
 * @throws ServiceError BAD_REQUEST for an invalid id; NotFoundError (contract of the families, section 1.2).
 */
export async function findAgent(
  stores: JobStores,
  { id, teamId }: Wanted,
): Promise<AgentRun & { readonly store: JobStore }> {
  const found = await findJob(stores, { id, teamId, families: [AGENT] }).catch((failure: unknown) => {
    throw failure instanceof NotFoundError ? notFound() : failure;
  });
  const agent = await getAgent(found.store.database, found.job.id);
  if (!agent) throw notFound();
  return { ...found, agent };
}

/** The turns of a thread, and the store that has all of them. @throws as `findAgent`. */
export async function findThread(
  stores: JobStores,
  { id, teamId }: Wanted,
): Promise<{ readonly turns: readonly ThreadTurn[]; readonly store: JobStore }> {
  if (!isUuid(id)) {
    throw new ServiceError("BAD_REQUEST", {
      message: "Invalid job ID format. Job ID must be a valid UUID.",
    });
  }
  for (const store of await stores.all()) {
    const { database, clock, retentionMs } = store;
    const all = await turnsOfThread(database, { threadId: id.toLowerCase(), teamId });
    const turns = all.filter(({ endedAtMs }) => endedAtMs === null || endedAtMs + retentionMs > clock.now());
    if (turns.length > 0) return { turns, store };
  }
  throw new NotFoundError("Agent thread not found");
}

function notFound(): NotFoundError {
  return new NotFoundError("Agent job not found");
}

/** When a run is no longer shown. */
export function expiryOf(
  { endedAtMs, createdAtMs }: AgentRun["job"],
  { retentionMs, clock }: JobStore,
): string {
  return new Date(Math.max((endedAtMs ?? createdAtMs) + retentionMs, clock.now())).toISOString();
}
