import { searchSessions } from "../interact/session-search.ts";
import { searchRuns } from "../jobs/run-pages.ts";
import type { RunPlaces } from "../jobs/run-place.ts";
import type { Database } from "../storage/database/database.ts";
import type { RequestFilter, RequestPage } from "../history/record-search.ts";
import { type AgentOptionsReader, type JobEntry, showJob } from "../jobs/operator/show-job.ts";
import { type RequestEntry, showRequest } from "../history/operator/show-request.ts";

interface Searched {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly runs: { readonly places: RunPlaces; readonly agents: AgentOptionsReader };
  readonly database: Database;
}

/** Events for open pages, as the database has it: the event, and the latest of its kind. */
export function latestNews({ requests, runs, database }: Searched, limit: number) {
  return [
    { event: "request", latest: () => latestRequests(requests, limit) },
    { event: "job", latest: () => latestJobs(runs, limit) },
    { event: "session", latest: () => latestSessions(database, limit) },
  ];
}

/** The latest requests, newest first, as events tell of them. */
async function latestRequests(
  search: (filter: RequestFilter) => Promise<RequestPage>,
  limit: number,
): Promise<readonly RequestEntry[]> {
  const { data } = await search({ limit });
  return data.map(showRequest);
}

/** The same of jobs. */
async function latestJobs(
  { places, agents }: { readonly places: RunPlaces; readonly agents: AgentOptionsReader },
  limit: number,
): Promise<readonly JobEntry[]> {
  const { data } = await searchRuns(places, { limit });
  return Promise.all(data.map((found) => showJob(found, agents)));
}

/** The same of sessions. */
async function latestSessions(
  database: Database,
  limit: number,
): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const { data } = await searchSessions(database, { limit });
  return data.map(({ id, state }) => ({ id, state }));
}
