import type { JobEntry } from "../contract/operator/jobs.ts";
import type { RequestEntry } from "../contract/operator/requests.ts";
import { searchSessions } from "../interact/session-search.ts";
import type { RunPlaces } from "../job-runs/run-place.ts";
import { searchRuns } from "../job-runs/run-search.ts";
import type { Database } from "../platform/database/database.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import { type AgentOptionsReader, showJob } from "./jobs/show-job.ts";
import { showRequest } from "./requests/show-request.ts";

/** The latest requests, newest first, as events tell of them. */
export async function latestRequests(
  search: (filter: RequestFilter) => Promise<RequestPage>,
  limit: number,
): Promise<readonly RequestEntry[]> {
  const { data } = await search({ limit });
  return data.map(showRequest);
}

/** The same of jobs. */
export async function latestJobs(
  { places, agents }: { readonly places: RunPlaces; readonly agents: AgentOptionsReader },
  limit: number,
): Promise<readonly JobEntry[]> {
  const { data } = await searchRuns(places, { limit });
  return Promise.all(data.map((found) => showJob(found, agents)));
}

/** The same of sessions. */
export async function latestSessions(
  database: Database,
  limit: number,
): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const { data } = await searchSessions(database, { limit });
  return data.map(({ id, state }) => ({ id, state }));
}
