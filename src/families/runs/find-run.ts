import { possibleElsewhere } from "../../contract/elsewhere.ts";
import { NotFoundError, ServiceError } from "../../contract/errors.ts";
import type { JobRun } from "../../job-runs/job-run.ts";
import type { PlacedRun, RunPlace, RunPlaces } from "../../job-runs/run-place.ts";
import { isUuid } from "../../kit/uuid.ts";

/** Whose run is asked for. */
export interface RunQuestion {
  readonly id: string;
  readonly teamId: string;
  /** Names of the families that it may be of. */
  readonly families: readonly string[];
  /** What is said when there is none. Default: that it is not found, or expired. */
  readonly missing?: string | undefined;
}

/**
 * The run of this id, if it is the team's and of that family, and its documents are still there.
 * @throws ServiceError BAD_REQUEST for an invalid id; NotFoundError (contract of the families, section 1.2).
 */
export async function findRun(places: RunPlaces, question: RunQuestion): Promise<PlacedRun> {
  const { id, teamId, families, missing } = question;
  if (!isUuid(id)) {
    throw new ServiceError("BAD_REQUEST", {
      message: "Invalid job ID format. Job ID must be a valid UUID.",
    });
  }
  const found = await places.find(id.toLowerCase());
  if (!found || found.run.teamId !== teamId || !families.includes(found.run.family))
    throw new NotFoundError(missing ?? "Job not found");
  if (isExpired(found.run, found.place)) {
    const expired = new NotFoundError(missing ?? "Job expired");
    const { process } = found.run;
    throw process === undefined ? expired : possibleElsewhere(expired, process);
  }
  return found;
}

function isExpired({ isPurged, endedAtMs }: JobRun, { clock, retentionMs }: RunPlace): boolean {
  return isPurged || (endedAtMs !== undefined && endedAtMs + retentionMs <= clock.now());
}
