import type { Caller } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import { type Planner, type ScrapeJob, startJob } from "../scrape/request/job.ts";
import type { Records } from "../history/records.ts";
import type { Replays } from "../history/replays.ts";

export interface RecipeServices {
  readonly plan: Planner;
  readonly records: Records;
  readonly replays: Replays;
}

/**
 * The scrape of an id once more, as a job that opens its page.
 * @throws NotFoundError when the team has no such scrape of the last day.
 * @throws ServiceError REPLAY_UNAVAILABLE when its page cannot, or must not, be opened again.
 * @throws ForbiddenError when the caller may not ask for what the scrape asked for.
 */
export async function jobOfScrape(
  scrapeId: string,
  caller: Caller,
  { plan, records, replays }: RecipeServices,
): Promise<ScrapeJob> {
  const [record, replay] = await Promise.all([records.get(scrapeId), replays.find(scrapeId)]);
  const isPage = record !== undefined && /^https?:/i.test(record.record.url);
  const known = isPage && !record.isExpired ? record.record : undefined;
  const teamId = known?.teamId ?? replay?.teamId;
  if (teamId !== caller.teamId) throw new NotFoundError("Job not found.");
  if (replay?.recipe === null || (!replay && known?.status !== "completed"))
    throw new ServiceError("REPLAY_UNAVAILABLE");
  const body: unknown = replay ? JSON.parse(replay.recipe) : { url: known?.url };
  return jobOf(body, caller, plan);
}

/** A job that opens nothing: how a browser is prepared for a team that continues by itself. */
export function jobOfOwnSession(
  profile: { readonly name: string; readonly saveChanges: boolean } | undefined,
  caller: Caller,
  plan: Planner,
): ScrapeJob {
  // The address is not used: nothing is opened.
  return jobOf({ url: "http://session.example/", ...(profile && { profile }) }, caller, plan);
}

function jobOf(body: unknown, caller: Caller, plan: Planner): ScrapeJob {
  const planned = plan({ ...(body as object), timeout: limits.timeoutMs.maximum, origin: "interact" });
  return startJob(planned, { caller, linkBase: "" });
}
